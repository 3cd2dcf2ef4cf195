// The rows of docs/billing.md in which the client disconnects from a call whose cost can be seen: it is
// cut off, and billed for what was delivered. The other calls are in exits-in-the-background.test.ts.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Script, UpstreamRequest } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  getPath,
  type JsonObject,
  openAccount,
  readJson,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { oddCatalog, oddModel, openModel, priceOf } from "./odd-prices.ts";
import { awaitRequest } from "./read-requests.ts";

setDefaultTimeout(180_000);

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startTestServer({ catalog: oddCatalog });
  account = await openAccount(server);
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

type Leaving = {
  readonly name: string;
  readonly model?: string;
  readonly script: Script;
  readonly fields?: JsonObject;
  readonly when: (sent: UpstreamRequest, text: string) => boolean | Promise<boolean>;
};

/**
 * Sends a call and disconnects as soon as `when` is true: checked at the upstream's start and after
 * each read.
 */
async function askAndLeave({ name, model = oddModel, script, fields, when }: Leaving) {
  const controller = new AbortController();
  const seen = server.upstream.waitFor((request) => request.tag === name);
  const classify = async (text: string) => {
    if (await when(await seen, text)) controller.abort();
  };
  const messages = [scripted({ tag: name, ...script })];
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model, messages, ...fields },
    signal: controller.signal,
    onText: (text) => void classify(text),
  });
  await classify("");
  const received = await asked;
  return { received, sent: await seen, row: await awaitRequest(server, name) };
}

test("FC1: a client that disconnects before the upstream accepted its stream pays nothing, and the upstream is cut", async () => {
  const name = "before the status line";
  const { received, sent, row } = await askAndLeave({
    name,
    script: { firstByteMs: 600_000 },
    fields: { stream: true },
    when: () => true,
  });
  expect(received.status).toBeUndefined();
  await sent.gone;
  expect(row).toMatchObject({ state: "released", outcome: "client_closed", chargedNanos: 0n });
  expect(row.status).toBe(499);
});

test("FC2: a client that disconnects from a stream whose tokens are all visible pays for the prompt and what was relayed", async () => {
  const { received, sent, row } = await askAndLeave({
    name: "left in the middle",
    script: { endless: true, paceMs: 2 },
    fields: { stream: true },
    when: (_sent, text) => text.length > 4_000,
  });
  expect(await sent.ended).toBe("gone");
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", usageSource: "counted" });
  expect(row.completionTokens).toBeGreaterThan(10);
  expect(row.completionTokens).toBeGreaterThanOrEqual(received.tokens);
  expect(row.completionTokens).toBeLessThanOrEqual(sent.delivered.tokens);
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(prompt).toBeGreaterThan(10);
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  const generation = await getPath(server, account.key, `/generation?id=${row.id}`);
  expect(at(await readJson(generation), "data.cancelled")).toBe(true);
});

test("visible reasoning in a stream is billed as it was relayed, like any other token", async () => {
  const { sent, row } = await askAndLeave({
    name: "visible reasoning",
    model: openModel,
    script: { reasoning: 100_000, paceMs: 2 },
    fields: { stream: true },
    when: (_sent, text) => text.length > 4_000,
  });
  expect(await sent.ended).toBe("gone");
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", usageSource: "counted" });
  expect(row.completionTokens).toBeLessThanOrEqual(sent.delivered.tokens);
});

test("a client that has read [DONE] was billed before it arrived", async () => {
  const name = "read to the end";
  let chargedAtDone: Promise<unknown> | undefined;
  const received = await askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages: [scripted({ deltas: 5, tag: name })], stream: true },
    onText(text) {
      if (!text.endsWith("data: [DONE]\n\n")) return;
      chargedAtDone = server.owner.sql<{ state: string }[]>`
        select state from requests where user_agent = ${name}`.then(([row]) => row?.state);
    },
  });
  expect(received.complete).toBe(true);
  expect(await chargedAtDone).toBe("settled");
});
