// Bodies: 20 MiB is the limit on both ways of sending one, and one byte more is refused in the shape
// callers know.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  readMoney,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const maxBytes = 20 * 1024 * 1024;
/** A valid request of exactly this size: JSON may end in spaces. */
const bodyOf = (bytes: number) => JSON.stringify(chatBody({ deltas: 1 })).padEnd(bytes, " ");
const tooLarge = { status: 413, code: "request_too_large" };

function stream(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 1_048_576));
      at += 1_048_576;
    },
  });
}

const post = (body: string | ReadableStream<Uint8Array>) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body,
  });

test("20 MiB and one byte is refused, announced or not", async () => {
  const before = await readMoney(server, account.id);
  await expectFault(await post(bodyOf(maxBytes + 1)), tooLarge);
  await expectFault(await post(stream(bodyOf(maxBytes + 1))), tooLarge);
  expect(await readMoney(server, account.id)).toEqual(before);
  expect(server.upstream.requests).toHaveLength(0);
});

test("20 MiB exactly is served, announced or not", async () => {
  for (const body of [bodyOf(maxBytes), stream(bodyOf(maxBytes))]) {
    const response = await post(body);
    expect(response.status).toBe(200);
    await response.text();
  }
});

test("a refused body does not spoil the next call", async () => {
  const refused = await post(stream(bodyOf(maxBytes + 1)));
  await refused.text();
  expect((await postChat(server, account.key, chatBody({ deltas: 1 }))).status).toBe(200);
});
