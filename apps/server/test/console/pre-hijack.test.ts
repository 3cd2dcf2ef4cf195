// Account pre-hijacking: someone registers another person's address and waits. Whatever the owner does with
// the emails must never share the account.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { mintApiKey } from "@turnpike/keys";
import { at, startTestServer, type TestServer } from "../harness/index.ts";
import {
  type Browser,
  faultOf,
  openBrowser,
  password,
  signUp,
  tokenOf,
} from "./browser.fixture.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
});
afterAll(() => server.close());

const attackersPassword = "the password of an attacker";
const ownersPassword = "the password of the owner";

const signInFault = async (email: string, secret: string) =>
  faultOf(await openBrowser(server.url).mutate("auth.login", { email, password: secret }));

async function preHijack(email: string): Promise<string> {
  const attacker = openBrowser(server.url);
  await attacker.mutate("auth.register", { email, password: attackersPassword });
  return tokenOf(server.url, email, "verify_email");
}

test("the link alone verifies nothing: it requires the password of the registration", async () => {
  const email = "victim-link@example.com";
  const token = await preHijack(email);
  const owner = openBrowser(server.url);
  const wrong = await owner.mutate("auth.verifyEmail", { token, password: ownersPassword });
  expect([faultOf(wrong), at(wrong.error, "data.param")]).toEqual([
    "wrong_credentials",
    "password",
  ]);
  expect(faultOf(await owner.mutate("auth.verifyEmail", { token }))).toBe("invalid_type");
  expect(await signInFault(email, attackersPassword)).toBe("email_not_verified");
});

test("the owner sets their own password, and the attacker's stops working", async () => {
  const email = "victim-new@example.com";
  const token = await preHijack(email);
  const owner = openBrowser(server.url);
  const given = { token, password: ownersPassword };
  expect((await owner.mutate("auth.verifyWithNewPassword", given)).data).toEqual({
    status: "verified",
    email,
  });
  expect(await signInFault(email, attackersPassword)).toBe("wrong_credentials");
  expect(await signInFault(email, ownersPassword)).toBe("no fault");
  expect((await owner.mutate("auth.verifyWithNewPassword", given)).data).toEqual({
    status: "already_verified",
    email,
  });
  const late = { token, password: attackersPassword };
  await owner.mutate("auth.verifyWithNewPassword", late);
  expect(await signInFault(email, attackersPassword)).toBe("wrong_credentials");
});

test("a link emailed to the owner of an address does not give them someone else's account", async () => {
  const attacker = openBrowser(server.url);
  await signUp(attacker, server.url, "attacker@example.com");
  const email = "victim-move@example.com";
  await attacker.mutate("profile.changeEmail", { newEmail: email, password });
  const token = await tokenOf(server.url, email, "confirm_new_email");
  const owner = openBrowser(server.url);
  for (const secret of [ownersPassword, attackersPassword]) {
    const given = { token, password: secret };
    expect(faultOf(await owner.mutate("auth.confirmEmailChange", given))).toBe("wrong_credentials");
  }
  const rows = await server.owner.sql`select 1 from persons where email = ${email}`;
  expect(rows).toHaveLength(0);
});

async function callWith(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${server.url}/v1/models`, { headers })).status;
}

/** An account with an API key and a session of someone who knew the old password. */
async function openShared(email: string): Promise<{ key: string; session: Browser }> {
  const session = openBrowser(server.url);
  await signUp(session, server.url, email);
  const input = { name: "theirs", attemptId: crypto.randomUUID() };
  const { data } = await session.mutate("keys.create", input);
  return { key: String(at(data, "key")), session };
}

async function resetAs(email: string, choice: { revokeKeys?: boolean }) {
  const owner = openBrowser(server.url);
  await owner.mutate("auth.forgotPassword", { email });
  const token = await tokenOf(server.url, email, "reset_password");
  return owner.mutate("auth.resetPassword", { token, password: ownersPassword, ...choice });
}

test("a reset ends earlier sessions, and revokes all keys unless it is told not to", async () => {
  const email = "shared@example.com";
  const { key, session } = await openShared(email);
  const other = await openShared("neighbor@example.com");
  expect(await callWith(key)).toBe(200);
  expect((await resetAs(email, {})).data).toEqual({ revokedKeys: 1 });
  expect((await session.query("auth.me")).data).toBeNull();
  // Other instances are notified within a second.
  while ((await callWith(key)) !== 401) await Bun.sleep(20);
  expect(await callWith(other.key)).toBe(200);
});

test("a reset that keeps the keys keeps them", async () => {
  const email = "keeper@example.com";
  const { key, session } = await openShared(email);
  expect((await resetAs(email, { revokeKeys: false })).data).toEqual({ revokedKeys: 0 });
  expect((await session.query("auth.me")).data).toBeNull();
  expect(await callWith(key)).toBe(200);
});

test("the same option revokes keys of an account created by an operator", async () => {
  const email = "operator-made@example.com";
  const { accountId } = await createAccount(server.owner.db, { email });
  const { key } = await mintApiKey(server.owner.db, {
    accountId,
    createdBy: undefined,
    name: "by an operator",
  });
  expect(await callWith(key)).toBe(200);
  expect((await resetAs(email, { revokeKeys: true })).data).toEqual({ revokedKeys: 1 });
  while ((await callWith(key)) !== 401) await Bun.sleep(20);
});
