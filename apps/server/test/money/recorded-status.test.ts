// The recorded status of a call that an upstream failed is the one that its client saw, in every protocol:
// Logs and metrics are based on it.
import { expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  answerWith,
  type JsonObject,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { awaitRequest } from "./read-requests.ts";

const { server, account } = await useServer(startTestServer());

const messages = [{ role: "user", content: "hello" }];
const protocols: readonly (readonly [string, JsonObject])[] = [
  ["/chat/completions", { model: testModels.cheap, messages }],
  ["/completions", { model: testModels.cheap, prompt: "hello" }],
  ["/messages", { model: testModels.cheap, messages, max_tokens: 50 }],
  ["/responses", { model: testModels.cheap, input: "hello" }],
  ["/embeddings", { model: testModels.embeddings, input: "hello" }],
];
const tooLong = { message: "Too long.", code: "context_length_exceeded" };
const filtered = { message: "Not this.", code: "content_filter" };
const failures: readonly (readonly [string, Script])[] = [
  ["a prompt that is too long", { status: 400, error: tooLong }],
  ["a prompt that is filtered", { status: 400, error: filtered }],
  ["a request that is refused", { status: 422, error: "Not like this." }],
  ["a rate limit", { status: 429 }],
  ["an overload", { status: 529 }],
  ["a failure", { status: 500 }],
];

for (const [path, body] of protocols) {
  test.each(failures)(
    `${path}: %s is recorded with the status of the answer`,
    async (how, script) => {
      for (const stream of path === "/embeddings" ? [false] : [false, true]) {
        answerWith(server, script);
        const name = `${path} ${how} ${stream}`;
        const response = await fetch(`${server.baseUrl}${path}`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            authorization: `Bearer ${account.key}`,
            "user-agent": name,
          },
          body: JSON.stringify(stream ? { ...body, stream } : body),
        });
        await response.text();
        const row = await awaitRequest(server, name);
        expect([name, row.status]).toEqual([name, response.status]);
        expect(row).toMatchObject({ outcome: "upstream_failed", chargedNanos: 0n });
        expect(response.status).toBeGreaterThanOrEqual(400);
      }
    },
  );
}
