// A client that disconnects: a stream ends immediately and costs what was delivered; a whole answer is
// completed and billed without it. Either way its request is recorded as cancelled.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  chatBody,
  expectCleanBooks,
  getPath,
  openAccount,
  postChat,
  readJson,
  readMoney,
  startTestServer,
  waitForSettled,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

async function readGeneration(id: string) {
  return at(await readJson(await getPath(server, account.key, `/generation?id=${id}`)), "data");
}

test("FC2: disconnecting from a stream ends the upstream call, and received ≤ billed ≤ sent", async () => {
  const script = { tag: "stream", deltas: 100_000, paceMs: 2 };
  const response = await postChat(server, account.key, chatBody(script, { stream: true }));
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let received = 0;
  while (received < 5) {
    const part = await reader?.read();
    received += decoder.decode(part?.value).split('" tok"').length - 1;
  }
  await reader?.cancel();
  const request = await server.upstream.waitFor(({ tag }) => tag === "stream");
  expect(await request.ended).toBe("gone");
  expect(await waitForSettled(server)).toBe(0);
  const generation = await readGeneration(response.headers.get("x-generation-id") ?? "");
  expect(generation).toMatchObject({ cancelled: true, outcome: "client_closed", state: "settled" });
  const billed = Number(at(generation, "tokens_completion"));
  expect(billed).toBeGreaterThanOrEqual(received);
  expect(billed).toBeLessThanOrEqual(request.delivered.tokens);
});

test("disconnecting before a whole answer arrives does not change its cost: it is completed and billed", async () => {
  const before = await readMoney(server, account.id);
  const controller = new AbortController();
  const body = chatBody({ tag: "whole", deltas: 7, gate: true });
  const { signal } = controller;
  const answer = postChat(server, account.key, body, { signal }).catch((error) => error.name);
  const request = await server.upstream.waitFor(({ tag }) => tag === "whole");
  controller.abort();
  expect(await answer).toBe("AbortError");
  server.upstream.open("whole");
  expect(await request.ended).toBe("answered");
  expect(await waitForSettled(server)).toBe(0);
  const after = await readMoney(server, account.id);
  expect<bigint>(after.heldNanos).toBe(0n);
  const prompt = Number(at(request.delivered.usage, "prompt_tokens"));
  expect<bigint>(before.balanceNanos - after.balanceNanos).toBe(BigInt(prompt * 100 + 7 * 400));
});

test("disconnecting after [DONE] changes nothing: that answer is complete and paid", async () => {
  const body = chatBody({ deltas: 3 }, { stream: true });
  const response = await postChat(server, account.key, body);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.endsWith("data: [DONE]\n\n")) text += decoder.decode((await reader?.read())?.value);
  await reader?.cancel();
  const generation = await readGeneration(response.headers.get("x-generation-id") ?? "");
  expect(generation).toMatchObject({ cancelled: false, outcome: "completed", state: "settled" });
});
