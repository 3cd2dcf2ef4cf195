// A path that no route serves: the format of `/v1` everywhere, and for a client with a wrong base URL, what
// it should be.
import { afterAll, expect, test } from "bun:test";
import { expectFault, openAccount, startTestServer } from "../harness/index.ts";

const server = await startTestServer();
const { key } = await openAccount(server);
afterAll(() => server.close());

const unknown = { status: 404, code: "unknown_url" };
const ask = (path: string, method = "POST") =>
  fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${key}` } });

test.each([
  "/chat/completions",
  "/models",
  "/models/test/cheap",
  "/credits",
  "/key",
  "/generation",
  "/images/generations",
  "/audio/speech",
  "/audio/transcriptions",
  "/moderations",
  "/rerank",
])("%s without /v1 says what the base URL should be", async (path) => {
  for (const method of ["POST", "GET"]) {
    const error = await expectFault(await ask(path, method), unknown);
    expect(error.message).toStartWith(`Unknown request URL: ${method} ${path}.`);
    expect(error.message).toContain(`Set the base URL to ${server.baseUrl}.`);
  }
});

test.each([
  "/v1/v1/v1/chat/completions",
  "/openai/v1/responses",
  "/v1/chat/completions/chat/completions",
  "/v1//embeddings",
  "/openai/v1/audio/transcriptions",
  "/cohere/v2/rerank",
  "/v2/models",
])("%s says what the base URL of an OpenAI client should be", async (path) => {
  const { message } = await expectFault(await ask(path), unknown);
  expect(message).toBe(`Unknown request URL: POST ${path}. Set the base URL to ${server.baseUrl}.`);
});

test("behind TLS the base URL begins with https, so that no key is sent without it", async () => {
  const environment = { PUBLIC_URL: "https://turnpike.example" };
  const behindTls = await startTestServer({ site: server, environment });
  const headers = { host: "turnpike.example" };
  const answer = await fetch(`${behindTls.url}/chat/completions`, { method: "POST", headers });
  const { message } = await expectFault(answer, unknown);
  expect(message).toEndWith("Set the base URL to https://turnpike.example/v1.");
  await behindTls.close();
});

test.each(["/v1/v1/v1/messages", "/anthropic/v1/models", "/anthropic/v1/messages/count_tokens"])(
  "%s says what the base URL of an Anthropic client should be, which adds /v1 itself",
  async (path) => {
    const headers = { "x-api-key": key, "anthropic-version": "2023-06-01" };
    const answer = await fetch(`${server.url}${path}`, { method: "POST", headers });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: {
        type: "not_found_error",
        message: `Unknown request URL: POST ${path}. Set the base URL to ${server.url}.`,
      },
    });
  },
);

test.each([
  "/v1/chat/completion",
  "/v1",
  "/v1/",
  "/v1/v1/v1/chat/completions",
  "/v1/engines",
  "/v2/chat/completions",
  "/V1/chat/completions",
  "/v1//chat/completions",
  `/v1/${"a".repeat(5_000)}`,
  "/v1/%ff%fe",
])("%s is unknown, in the same format", async (path) => {
  const error = await expectFault(await ask(path, "GET"), unknown);
  expect(String(error.message).length).toBeLessThan(400);
});

test.each([
  ["/v1/videos", "videos"],
  ["/v1/fine_tuning/jobs", "fine tuning"],
])("%s is refused, naming what is offered instead", async (path, name) => {
  const error = await expectFault(await ask(path), unknown);
  expect(error.message).toBe(
    `Unknown request URL: POST ${path}. This gateway does not offer ${name}. It offers chat completions, responses, messages, completions, embeddings, images, audio, reranking and moderations; GET /v1/models lists the models.`,
  );
});

test.each<[string, Record<string, string>]>([
  ["/v1/messages/nothing", {}],
  ["/v1/files", { "anthropic-version": "2023-06-01" }],
  ["/v1/skills", { "anthropic-version": "2023-06-01" }],
])("a client of Anthropic's API is refused %s in its format", async (path, headers) => {
  const answer = await fetch(`${server.url}${path}`, { headers: { "x-api-key": key, ...headers } });
  expect(answer.status).toBe(404);
  const body: unknown = await answer.json();
  expect(body).toMatchObject({
    type: "error",
    error: { type: "not_found_error" },
    request_id: answer.headers.get("request-id"),
  });
});

test("a key in the path is never logged or repeated elsewhere in the answer", async () => {
  const error = await expectFault(await ask("/v1/nothing?key=secret", "GET"), unknown);
  expect(error.message).not.toContain("secret");
});
