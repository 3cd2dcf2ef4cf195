// Clients written for OpenRouter, known by their headers, get what OpenRouter adds to the answers of OpenAI's API:
// the usage of every stream, and, for its own SDKs, numeric codes of errors.
import { expect, test } from "bun:test";
import {
  at,
  parseEvents,
  readJson,
  scripted,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const sdk = { "user-agent": "speakeasy-sdk/typescript 1.3.19 2.914.0 1.0.0 @openrouter/sdk" };

const post = (script: object, headers: Readonly<Record<string, string>>, fields: object = {}) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ model: testModels.cheap, messages: [scripted(script)], ...fields }),
  });

test.each<[string, Readonly<Record<string, string>>]>([
  ["a title", { "x-title": "Ferry" }],
  ["OpenRouter's title", { "x-openrouter-title": "Ferry" }],
  ["a referer", { "http-referer": "https://ferry.example" }],
  ["the user agent of OpenRouter's SDK", sdk],
])("a stream for a client that sends %s ends with its usage", async (_, headers) => {
  const stream = { stream: true };
  const named = await (await post({ deltas: 2 }, headers, stream)).text();
  expect(at(parseEvents(named).events.at(-1), "usage.completion_tokens")).toBe(2);
  expect(await (await post({ deltas: 2 }, {}, stream)).text()).not.toContain('"usage"');
});

test("an error in a stream for OpenRouter's SDK has a status as its code, and ends its choice", async () => {
  const answer = await post({ deltas: 5, errorAfterDeltas: 2 }, sdk, { stream: true });
  const last = parseEvents(await answer.text()).events.at(-1);
  expect(at(last, "error.code")).toBe(502);
  expect(at(last, "choices.0.finish_reason")).toBe("error");
});

test("a refusal for OpenRouter's SDK has its status as code, and the kind of error", async () => {
  const refused = await post({}, sdk, { model: "test/none" });
  expect(refused.status).toBe(404);
  const body = await readJson(refused);
  expect(at(body, "error.code")).toBe(404);
  expect(at(body, "error.metadata.error_type")).toBe("not_found");
  expect(at(await readJson(await post({}, {}, { model: "test/none" })), "error.code")).toBe(
    "model_not_found",
  );
});

test("a whole completion for OpenRouter's SDK has a system fingerprint, if only null", async () => {
  expect(await readJson(await post({ deltas: 1 }, sdk))).toHaveProperty("system_fingerprint", null);
});
