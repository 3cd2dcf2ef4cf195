// Several choices in one request: each may be as long as the limit, so the limit times
// their number is both held and allowed.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  at,
  chatBody,
  expectCleanBooks,
  openAccount,
  postChat,
  readEvents,
  readMoney,
  startTestServer,
  type TestServer,
} from "../harness/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const choices = 3;
const maxTokens = 20;
const limited = { n: choices, max_tokens: maxTokens, stream: true };

test("a stream of several choices, each as long as the limit, arrives complete", async () => {
  const { key } = await openAccount(server);
  const fields = { ...limited, stream_options: { include_usage: true } };
  const answer = await postChat(server, key, chatBody({ deltas: maxTokens }, fields));
  const stream = await readEvents(answer);
  expect(stream.done).toBe(true);
  expect(at(stream.events.at(-1), "usage.completion_tokens")).toBe(choices * maxTokens);
});

test("an upstream that exceeds the limit of all choices together is cut off there", async () => {
  const { key } = await openAccount(server);
  const script = { deltas: maxTokens + 30, ignoreLimit: true };
  const stream = await readEvents(await postChat(server, key, chatBody(script, limited)));
  expect(stream.done).toBe(false);
  expect(at(stream.events.at(-1), "error.message")).toContain("more than the limit");
  const [row] = await server.owner.sql<{ tokens: number }[]>`
    select completion_tokens as tokens from requests order by id desc limit 1`;
  expect(row?.tokens).toBe(choices * maxTokens);
});

test("the worst case of every choice is held", async () => {
  const heldFor = async (n: number) => {
    const account = await openAccount(server);
    const name = `held-${n}`;
    const leaving = new AbortController();
    const script = { tag: name, deltas: 1, ending: "stall" } as const;
    const body = chatBody(script, { ...limited, n });
    const answer = await postChat(server, account.key, body, { signal: leaving.signal });
    expect(answer.status).toBe(200);
    const { heldNanos } = await readMoney(server, account.id);
    leaving.abort();
    return heldNanos;
  };
  // 400 nano-dollars per token of an answer; the prompts have the same length.
  expect((await heldFor(7)) - (await heldFor(2))).toBe(BigInt(5 * maxTokens * 400));
});
