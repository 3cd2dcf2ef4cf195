// A whole completion: the answer of wire-format §2, billed to the nano-dollar.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  chatBody,
  expectCleanBooks,
  openAccount,
  postChat,
  readJson,
  readMoney,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

test("a whole answer has its choices, and its price to the nano-dollar", async () => {
  const account = await openAccount(server);
  const before = await readMoney(server, account.id);
  const response = await postChat(server, account.key, chatBody({ deltas: 3, tag: "whole" }));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = await readJson(response);
  expect(at(body, "choices.0.message.content")).toBe(" tok tok tok");
  const promptTokens = Number(at(body, "usage.prompt_tokens"));
  const costNanos = BigInt(promptTokens) * 100n + 3n * 400n;
  expect(at(body, "usage.cost")).toBe(Number(costNanos) / 1e9);
  const after = await readMoney(server, account.id);
  expect(before.balanceNanos - after.balanceNanos).toBe(costNanos);
});
