// Clients that stay connected but do not read: after the idle timeout they are treated as disconnected. The
// upstream call ends, and they pay for what was written to them; comments in between do not keep
// them connected.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import type { AccountId } from "@turnpike/base";
import { scriptedToken } from "@turnpike/testing";
import { openBrowser, signUp } from "../console/browser.fixture.ts";
import {
  expectCleanBooks,
  openAccount,
  rawPost,
  scripted,
  startTestServer,
  type TestServer,
  topUp,
} from "../harness/index.ts";
import { hiddenModel, oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";

setDefaultTimeout(180_000);

let server: TestServer;

beforeAll(async () => {
  const times = { commitStreamMs: 100, keepAliveMs: 200 };
  server = await startTestServer({ catalog: oddCatalog, idleSeconds: 1, times });
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

/** Requests more than any buffer in between holds and reads nothing until the test allows it. */
async function stall(
  path: string,
  headers: Readonly<Record<string, string>>,
  name: string,
  model = oddModel,
) {
  server.upstream.script({ tag: name, deltas: 4_000, padBytes: 20_000 });
  const messages = [{ role: "user", content: "hello" }];
  const socket = connect(server.port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  const body = { model, messages, stream: true };
  socket.write(rawPost(path, { "user-agent": name, ...headers }, body));
  const sent = await server.upstream.waitFor((request) => request.tag === name);
  expect(await sent.ended).toBe(model === hiddenModel ? "answered" : "gone");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  await once(socket.resume(), "close");
  return { delivered: sent.delivered, text };
}

type Stalled = Awaited<ReturnType<typeof stall>>;

async function expectBilled(name: string, { delivered, text }: Stalled): Promise<void> {
  const row = await awaitRequest(server, name);
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", usageSource: "counted" });
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(completion).toBeGreaterThan(0);
  // Whole events only: the last one may have been cut off.
  expect(completion).toBeGreaterThanOrEqual(text.split(`"${scriptedToken}"`).length - 2);
  expect(completion).toBeLessThanOrEqual(delivered.tokens);
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  expect(text).not.toContain("[DONE]");
}

test("FC4: a client that stops reading is disconnected and what was delivered is billed", async () => {
  const { key } = await openAccount(server);
  const headers = { authorization: `Bearer ${key}` };
  const stalled = await stall("/v1/chat/completions", headers, "stalled");
  await expectBilled("stalled", stalled);
});

test("FC4: a client that stops reading a stream with hidden reasoning is disconnected, and the call continues", async () => {
  const { key } = await openAccount(server);
  const name = "stalled with hidden reasoning";
  const headers = { authorization: `Bearer ${key}` };
  const { delivered, text } = await stall("/v1/chat/completions", headers, name, hiddenModel);
  const row = await awaitRequest(server, name);
  expect(row).toMatchObject({ outcome: "client_closed", usageSource: "upstream" });
  expect(row.completionTokens).toBe(delivered.tokens);
  expect(text).not.toContain("[DONE]");
});

/** The headers of a signed-up person with money. */
async function signIn(email: string): Promise<Readonly<Record<string, string>>> {
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, email);
  const [owned] = await server.owner.sql<{ id: AccountId }[]>`
    select account_id as id from memberships
      join persons on persons.id = memberships.person_id where email = ${email}`;
  if (owned === undefined) throw new Error("a person who signs up has an account");
  await topUp(server, owned.id, "10");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { cookie, "sec-fetch-site": "same-origin" };
}

test("a playground that stops reading is treated the same", async () => {
  const headers = await signIn("ada@example.com");
  await expectBilled("playground", await stall("/console/playground", headers, "playground"));
});

test("a playground that disconnects from a stream with hidden reasoning pays for all of it", async () => {
  const headers = await signIn("grace@example.com");
  const controller = new AbortController();
  const name = "left playground";
  const messages = [scripted({ tag: name, deltas: 9, gate: true })];
  const response = await fetch(`${server.url}/console/playground`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ model: hiddenModel, messages, stream: true }),
    signal: controller.signal,
  });
  await response.body?.getReader().read();
  controller.abort();
  const { background } = server.services.gateway;
  await eventually("the call to run in the background", async () => background.running === 1);
  server.upstream.open(name);
  const generationId = response.headers.get("x-generation-id") ?? "";
  const row = await eventually("its bill", async () => {
    const rows = await server.owner.sql<Record<string, unknown>[]>`
      select state, origin, outcome, usage_source, completion_tokens::int from requests
       where 'gen-' || replace(id::text, '-', '') = ${generationId} and state <> 'open'`;
    return rows[0];
  });
  expect(row).toMatchObject({ state: "settled", origin: "playground", outcome: "client_closed" });
  expect(row).toMatchObject({ usage_source: "upstream", completion_tokens: 9 });
});
