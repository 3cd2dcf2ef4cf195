// Step-up over HTTP: what a stolen session can and cannot do without the password.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mintApiKey } from "@turnpike/keys";
import { toNanos } from "@turnpike/terms";
import { at, startTestServer, type TestServer } from "../harness/index.ts";
import {
  type Browser,
  faultOf,
  forgetProofs,
  openBrowser,
  password,
  signUp,
} from "./browser.fixture.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
});
afterAll(() => server.close());

async function join(email: string): Promise<Browser> {
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, email);
  return browser;
}

async function createKey(browser: Browser, limits: object): Promise<string> {
  const id = crypto.randomUUID();
  const answer = await browser.mutate("keys.create", { name: "ci", attemptId: id, limits });
  if (answer.status !== 200) throw new Error(answer.text);
  return id;
}

const stepUp = (browser: Browser, secret = password) =>
  browser.mutate("auth.stepUp", { method: "password", password: secret });

test("ten minutes after signing in, changing password or address requires the password again", async () => {
  const email = "old-session@example.com";
  const browser = await join(email);
  await forgetProofs(server.owner, email);
  const change = { currentPassword: password, newPassword: "a fresh long secret" };
  const refused = await browser.mutate("profile.changePassword", change);
  expect(refused.status).toBe(403);
  expect(faultOf(refused)).toBe("step_up_required");
  expect(at(refused.error, "data.metadata.methods")).toEqual(["password"]);
  const move = { newEmail: "elsewhere@example.com", password };
  expect(faultOf(await browser.mutate("profile.changeEmail", move))).toBe("step_up_required");
  expect(faultOf(await stepUp(browser, "not my password"))).toBe("wrong_credentials");
  expect(faultOf(await browser.mutate("profile.changePassword", change))).toBe("step_up_required");
  expect((await stepUp(browser)).data).toEqual({});
  expect((await browser.mutate("profile.changePassword", change)).status).toBe(200);
});

test("step-up in one session does not count in another", async () => {
  const email = "two-sessions@example.com";
  const browser = await join(email);
  const other = openBrowser(server.url);
  await other.mutate("auth.login", { email, password });
  await forgetProofs(server.owner, email);
  await stepUp(browser);
  const move = { newEmail: "elsewhere@example.com", password };
  expect(faultOf(await other.mutate("profile.changeEmail", move))).toBe("step_up_required");
});

test("limits of a key can be tightened without, and loosened only with the password", async () => {
  const email = "limits@example.com";
  const browser = await join(email);
  const id = await createKey(browser, { spendLimitsUsd: { day: "5" }, requestsPerMinute: 10 });
  await forgetProofs(server.owner, email);
  const update = (limits: object) => browser.mutate("keys.update", { id, limits });
  const tighter = { spendLimitsUsd: { day: "2" }, requestsPerMinute: 10 };
  expect((await update(tighter)).status).toBe(200);
  expect((await browser.mutate("keys.update", { id, name: "renamed" })).status).toBe(200);
  for (const looser of [
    { spendLimitsUsd: { day: "3" }, requestsPerMinute: 10 },
    { spendLimitsUsd: { day: "2" } },
    {},
  ]) {
    expect(faultOf(await update(looser))).toBe("step_up_required");
  }
  const [kept] = await server.owner.sql`
    select l.day_limit_nanos, k.requests_per_minute
      from api_keys k join key_limits l on l.key_id = k.id where k.id = ${id}`;
  expect(kept).toEqual({ day_limit_nanos: "2000000000", requests_per_minute: 10 });
  await stepUp(browser);
  expect((await update({})).status).toBe(200);
});

test("a key created by someone else is rotated only with the password, one's own without", async () => {
  const email = "rotates@example.com";
  const browser = await join(email);
  const own = await createKey(browser, {});
  const { data } = await browser.query("auth.me");
  const [row] = await server.owner.sql<{ id: Parameters<typeof mintApiKey>[1]["accountId"] }[]>`
    select id from accounts where id = ${String(at(data, "account.id"))}`;
  if (row === undefined) throw new Error("There is no such account.");
  const { id: foreign } = await mintApiKey(server.owner.db, {
    accountId: row.id,
    createdBy: undefined,
    name: "by an operator",
    limits: { spendLimitNanos: { day: toNanos(1n) } },
  });
  await forgetProofs(server.owner, email);
  const rotate = (id: string) => browser.mutate("keys.rotate", { id, graceSeconds: 0 });
  expect((await rotate(own)).status).toBe(200);
  const before = await server.owner.sql`select hash from api_keys where id = ${foreign}`;
  expect(faultOf(await rotate(foreign))).toBe("step_up_required");
  expect(await server.owner.sql`select hash from api_keys where id = ${foreign}`).toEqual(before);
  await stepUp(browser);
  expect((await rotate(foreign)).status).toBe(200);
});
