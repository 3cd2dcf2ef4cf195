// An upstream that fails: a real HTTP status as long as nothing was sent, one error event and no
// [DONE] afterwards, never a silent end, never the upstream's text about our own key.
import { afterAll, afterEach, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  at,
  chatBody,
  contentOf,
  expectCleanBooks,
  expectFault,
  findSchemaProblems,
  openAccount,
  postChat,
  providerKey,
  readEvents,
  readMoney,
  startTestServer,
  watchRedirects,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const location = watchRedirects();

const badGateway = { status: 502, type: "upstream_error", code: "bad_gateway" };
const rejected = { status: 400, code: "upstream_rejected" };

type Refusal = [string, Script, Parameters<typeof expectFault>[1]];

const refusals: readonly Refusal[] = [
  ["its 500", { status: 500 }, badGateway],
  ["its 502", { status: 502, body: "<html>down</html>" }, badGateway],
  ["its 401, which mentions our key", { status: 401 }, badGateway],
  ["its 402, which mentions our balance", { status: 402 }, badGateway],
  ["its 403", { status: 403 }, badGateway],
  ["its 400", { status: 400, error: "Not like this." }, rejected],
  ["a redirect by GET", { status: 302, headers: { location } }, badGateway],
  ["a redirect of the whole request", { status: 307, headers: { location } }, badGateway],
  ["an error inside a 200", { error: "Inside." }, badGateway],
  ["no status line", { garbage: "status-line" }, badGateway],
  ["a compressed answer", { garbage: "gzip" }, badGateway],
  ["a head cut off", { cutInHead: 20 }, badGateway],
  ["a cut before the first token", { cutAfterDeltas: 0 }, badGateway],
  ["a reset before the first token", { resetAfterDeltas: 0 }, badGateway],
  ["an error before the first token", { errorAfterDeltas: 0 }, badGateway],
];

for (const stream of [false, true]) {
  test.each(refusals)(
    `stream ${stream}: %s has a status, and costs nothing`,
    async (_, script, fault) => {
      const before = await readMoney(server, account.id);
      const response = await postChat(server, account.key, chatBody(script, { stream }));
      const error = await expectFault(response, fault);
      expect(JSON.stringify(error)).not.toContain(providerKey);
      expect(await readMoney(server, account.id)).toEqual(before);
    },
  );
}

test("a broken JSON body is a bad gateway, and costs nothing", async () => {
  for (const script of [{ garbage: "json" }, { ending: "cut" }, { ending: "reset" }] as const) {
    const before = await readMoney(server, account.id);
    await expectFault(await postChat(server, account.key, chatBody(script)), badGateway);
    expect(await readMoney(server, account.id)).toEqual(before);
  }
});

test("its refusal of the request is passed on with its message and param, without our key", async () => {
  const error = { message: `Bad x for ${providerKey}.`, param: "x", code: "bad", type: "a" };
  const response = await postChat(server, account.key, chatBody({ status: 400, error }));
  const shown = await expectFault(response, { ...rejected, param: "x" });
  expect(shown.message).toContain("Bad x");
  expect(shown.message).not.toContain(providerKey);
});

test("its own code for a text that is too long becomes the one that clients know", async () => {
  const error = { message: "This model's maximum context length is 8 tokens.", code: "400" };
  const response = await postChat(server, account.key, chatBody({ status: 400, error }));
  await expectFault(response, { status: 400, code: "context_length_exceeded", param: "messages" });
});

const breaks: readonly [string, Script][] = [
  ["a cut", { deltas: 9, paceMs: 20, cutAfterDeltas: 3 }],
  ["a reset", { deltas: 9, paceMs: 20, resetAfterDeltas: 3 }],
  ["an end before the finish", { deltas: 3, paceMs: 20, ending: "cut" }],
  ["an error event", { deltas: 9, errorAfterDeltas: 3 }],
  ["an event that is not JSON", { deltas: 9, garbage: "event" }],
  ["a finish that never comes", { deltas: 3, finish: null, closeDelimited: true, noDone: true }],
  ["more than its limit", { deltas: 9_000, ignoreLimit: true }],
];

test.each(breaks)(
  "%s after the first token is one error event, last, and no [DONE]",
  async (_, script) => {
    const before = await readMoney(server, account.id);
    const fields = { stream: true, max_tokens: 300, stream_options: { include_usage: true } };
    const response = await postChat(server, account.key, chatBody(script, fields));
    expect(response.status).toBe(200);
    const read = await readEvents(response);
    const received = contentOf(read).split(" tok").length - 1;
    expect(received).toBeGreaterThan(0);
    expect(read.done).toBe(false);
    expect(read.text).not.toContain("[DONE]");
    const errors = read.events.filter((event) => "error" in event);
    expect(errors).toEqual(read.events.slice(-1));
    expect(findSchemaProblems("ErrorResponse", errors[0])).toEqual([]);
    expect(at(errors[0], "error.code")).toBe("bad_gateway");
    const finishes = read.events.filter((event) => at(event, "choices.0.finish_reason"));
    expect(finishes).toEqual([]);
    const after = await readMoney(server, account.id);
    const charged = before.balanceNanos - after.balanceNanos;
    expect(charged).toBeGreaterThanOrEqual(BigInt(received) * 400n);
    const sent = server.upstream.requests.at(-1)?.delivered.tokens ?? 0;
    expect(charged).toBeLessThanOrEqual(BigInt(sent) * 400n + 100n * 100n);
  },
);
