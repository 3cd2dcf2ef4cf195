// Well-known paths of other APIs that are not served: each refusal says what to do, whatever the method and the base
// path, and none is mistaken for a wrong base URL.
import { afterAll, expect, test } from "bun:test";
import {
  asObject,
  at,
  expectFault,
  openAccount,
  readJson,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
const { key } = await openAccount(server);
afterAll(() => server.close());

const unknown = { status: 404, code: "unknown_url" };
const ask = (path: string, method: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method, headers });

const generate = "google/gemini-2.5-flash:generateContent";
/** In the format of OpenAI's API, or of Google's where that is asked. */
async function expectUnknown(answer: Response) {
  const text = await answer.text();
  const error = asObject(at(JSON.parse(text), "error"));
  if (error.status === undefined) return expectFault(new Response(text, answer), unknown);
  expect(error).toMatchObject({ code: 404, status: "NOT_FOUND" });
  return error;
}

test.each<[string, string, string]>([
  ["POST", "/upload/v1beta/files", "send files as 'inlineData'"],
  ["POST", "/upload/v1/files", "send files as 'inlineData'"],
  ["GET", "/v1beta/files/abc", "send files as 'inlineData'"],
  ["POST", "/v1/cachedContents", "caches and batches are not stored"],
  ["POST", "/v1beta/openai/chat/completions", "Set the base URL to"],
  ["POST", "/v2/chat", "Cohere's API is not served here"],
  ["POST", "/v1/chat", "Cohere's API is not served here"],
  ["POST", "/v2/embed", "POST /v1/embeddings"],
  ["GET", "/v1/chat/completions/chatcmpl-1", "Chat completions are not stored here"],
  ["POST", "/v1/fim/completions", "Send the prefix as 'prompt' to POST /v1/completions"],
  ["POST", "/v1/agents/completions", "does not offer agents"],
  ["POST", "/v1/ocr", "does not offer OCR"],
  ["POST", "/v1/vector_stores", "does not offer vector stores"],
  ["GET", "/v1/organization/usage/completions", "/v1/management has its own"],
  ["POST", "/v1/engines/davinci/completions", "in the body of POST /v1/completions"],
  ["POST", "/v1/complete", "Send POST /v1/messages"],
  ["POST", "/v1/v1/uploads", "does not offer uploads"],
  ["POST", "/api/v1/v1/images/variations", "POST /v1/images/edits changes one"],
  ["POST", "/images/variations", "does not offer variations of images"],
  ["GET", "/v1/audio/voices", "does not offer voices of one's own"],
  ["POST", "/api/chat", "Ollama's API is not served here"],
  ["GET", "/api/tags", "Ollama's API is not served here"],
  ["POST", "/api/embed", "Ollama's API is not served here"],
  ["POST", "/openai/deployments/gpt/chat/completions?api-version=1", "name the model in the body"],
  ["POST", "/model/anthropic.claude/invoke", "Bedrock's API is not served here"],
  ["POST", "/api/v1/credits/coinbase", "Credits are bought in the console"],
  ["POST", `/v1/projects/p/locations/us/publishers/${generate}`, "Vertex AI's paths"],
  ["POST", "/v1beta1/projects/p/locations/us/publishers/google/models/g:predict", "Vertex AI's"],
  [
    "POST",
    "/v1/projects/p/locations/us/publishers/anthropic/models/c:rawPredict",
    "Vertex AI's API is not served here",
  ],
  ["GET", "/v1/projects/proj_1/users", "OpenAI's administration"],
  ["POST", "/v1/v1beta/openai/chat/completions", "Set the base URL to"],
  ["POST", "/v1/api/chat", "Ollama's API is not served here"],
  ["POST", "/fim/completions", "Send the prefix as 'prompt' to POST /v1/completions"],
  ["POST", "/v1/fine_tuning/jobs", "does not offer fine tuning"],
  ["GET", "/v1/dashboard/billing/subscription", "GET /v1/credits shows the balance"],
  ["POST", "/dashboard/billing/usage", "GET /v1/credits shows the balance"],
  ["POST", "/completion", "llama.cpp's own API is not served here"],
  ["POST", "/key/info", "GET /v1/key shows the API key"],
  ["POST", "/v1/language-model", "Set the base URL of the AI SDK's gateway to"],
  ["GET", "/v2/ai/config", "Set the base URL of the AI SDK's gateway to"],
  ["GET", "/v1/report", "GET /v1/management/usage shows what was used"],
])("%s %s says what to do", async (method, path, advice) => {
  for (const headers of [{ authorization: `Bearer ${key}` }, { "x-goog-api-key": key }]) {
    const error = await expectUnknown(await ask(path, method, headers));
    expect(error.message).toStartWith(`Unknown request URL: ${method} ${path.split("?")[0]}. `);
    expect(error.message).toContain(advice);
    expect(error.message).not.toContain("undefined");
  }
});

test("a client of Anthropic's API is told in its format", async () => {
  const answer = await ask("/v1/complete", "POST", { "anthropic-version": "2023-06-01" });
  const body = await readJson(answer);
  expect([answer.status, body.type]).toEqual([404, "error"]);
  expect(String(at(body, "error.message"))).toContain("Send POST /v1/messages");
});

test("a foreign API names this server's base URL, so that it can be pasted", async () => {
  const error = await expectFault(await ask("/v2/chat", "POST"), unknown);
  expect(error.message).toContain(`set its base URL to ${server.baseUrl} and`);
});

test.each<[string, string]>([
  ["GET", "/v1/chat/completions"],
  ["POST", "/v1/models"],
  ["DELETE", "/v1/models/test/cheap"],
  ["GET", "/v1/embeddings"],
])("%s %s, which is served, is told the right method", async (method, path) => {
  const headers = { authorization: `Bearer ${key}` };
  await expectFault(await ask(path, method, headers), {
    status: 405,
    code: "method_not_supported",
  });
});
