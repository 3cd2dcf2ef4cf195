// Every refusal of Gemini's API has the format of Google's APIs, in whichever stage of a call it happens.
import { describe, expect, test } from "bun:test";
import {
  at,
  openAccount,
  readJson,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { asking, postGemini } from "./ask-gemini.fixture.ts";

const { server, account } = await useServer(startTestServer());
const post = postGemini(server, account);
const path = `/v1beta/models/${testModels.cheap}:generateContent`;

type Refusal = { readonly status: number; readonly name: string; readonly reason: string };

async function expectRefusal(answer: Response, { status, name, reason }: Refusal) {
  expect(answer.headers.get("content-type")).toBe("application/json");
  const { error } = await readJson(answer);
  expect([answer.status, at(error, "code"), at(error, "status")]).toEqual([status, status, name]);
  expect(at(error, "details.0")).toMatchObject({
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason,
    domain: "turnpike",
  });
  return error;
}

const hello = { contents: [{ parts: [{ text: "Hello" }] }] };

describe("a request is refused", () => {
  const invalid = { status: 400, name: "INVALID_ARGUMENT" };
  const nowhere = { status: 404, name: "NOT_FOUND", reason: "UNKNOWN_URL" };
  test.each<[string, () => Promise<Response>, Refusal]>([
    [
      "without a key",
      () => post(path, hello, {}),
      { status: 401, name: "UNAUTHENTICATED", reason: "MISSING_API_KEY" },
    ],
    [
      "with an unknown key",
      () => post(path, hello, { "x-goog-api-key": "sk-wrong" }),
      { status: 401, name: "UNAUTHENTICATED", reason: "API_KEY_INVALID" },
    ],
    ["that is not JSON", () => post(path, "{"), { ...invalid, reason: "INVALID_JSON" }],
    [
      "without contents",
      () => post(path, {}),
      { ...invalid, reason: "MISSING_REQUIRED_PARAMETER" },
    ],
    [
      "for an unknown model",
      () => post("/v1beta/models/none:generateContent", hello),
      { status: 404, name: "NOT_FOUND", reason: "MODEL_NOT_FOUND" },
    ],
    ["for another method", () => post("/v1beta/models/imagen:predict", {}), nowhere],
    ["for a method under /v1", () => post("/v1/models/m:predictLongRunning", {}), nowhere],
    ["without a method", () => post("/v1beta/models/gpt", {}), nowhere],
    ["for files", () => post("/upload/v1beta/files", {}), nowhere],
    ["for caches", () => post("/v1beta/cachedContents", {}), nowhere],
    ["for caches under /v1", () => post("/v1/cachedContents", {}), nowhere],
    [
      "with a method of HTTP that the path has not",
      () => fetch(`${server.url}/v1beta/models`, { method: "DELETE" }),
      { status: 405, name: "UNIMPLEMENTED", reason: "METHOD_NOT_SUPPORTED" },
    ],
    [
      "for its size",
      () => post(path, JSON.stringify({ contents: [{ parts: [{ text: "a".repeat(21 << 20) }] }] })),
      { ...invalid, status: 413, reason: "REQUEST_TOO_LARGE" },
    ],
  ])("%s", async (_, ask, refusal) => {
    await expectRefusal(await ask(), refusal);
  });
});

test("an empty wallet is a 402 that clients do not retry", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const answer = await postGemini(server, poor)(path, asking({}));
  const refusal = { status: 402, name: "RESOURCE_EXHAUSTED", reason: "QUOTA_EXHAUSTED" };
  const error = await expectRefusal(answer, refusal);
  expect(JSON.stringify(error)).not.toContain("RetryInfo");
});

test("an upstream that is asked too often is a 429 with the time to wait", async () => {
  const answer = await post(path, asking({ status: 429, headers: { "retry-after": "7" } }));
  const refusal = { status: 429, name: "RESOURCE_EXHAUSTED", reason: "RATE_LIMIT_EXCEEDED" };
  const error = await expectRefusal(answer, refusal);
  expect(at(error, "details.1")).toMatchObject({
    "@type": "type.googleapis.com/google.rpc.RetryInfo",
    retryDelay: expect.stringMatching(/^\d+(?:\.\d+)?s$/),
  });
});

test.each([
  ["?alt=sse", (text: string) => text.slice(text.lastIndexOf("data: ") + 6)],
  ["", (text: string) => JSON.stringify(JSON.parse(text).at(-1))],
])("a stream with %p that breaks off ends with the error", async (query, last) => {
  const streamed = path.replace(":generate", ":streamGenerate") + query;
  const answer = await post(streamed, asking({ deltas: 3, cutAfterDeltas: 2 }));
  expect(answer.status).toBe(200);
  const { error } = JSON.parse(last(await answer.text()));
  expect([error.code, error.status]).toEqual([502, "UNAVAILABLE"]);
});

test("what Gemini alone has is refused by its caller's own name for it", async () => {
  const cases: [object, string][] = [
    [{ tools: [{ codeExecution: {} }] }, "tools[0].codeExecution"],
    [{ tools: [{ googleSearch: {} }] }, "tools[0].googleSearch"],
    [{ tools: [{ url_context: {} }] }, "tools[0].urlContext"],
    [{ cachedContent: "cachedContents/abc" }, "cachedContent"],
    [{ generationConfig: { imageConfig: { aspectRatio: "1:1" } } }, "generationConfig.imageConfig"],
    [
      { generationConfig: { responseModalities: ["IMAGE"] } },
      "generationConfig.responseModalities",
    ],
    [{ generationConfig: { max_output_tokens: 0 } }, "generationConfig.maxOutputTokens"],
    [{ generationConfig: { topP: 1, top_p: 1 } }, "generationConfig.topP"],
    [{ serviceTier: "flex" }, "serviceTier"],
    [
      { contents: [{ parts: [{ fileData: { fileUri: "gs://bucket/a.pdf" } }] }] },
      "contents[0].parts[0].fileData.fileUri",
    ],
    [
      { contents: [{ parts: [{ functionResponse: { name: "f", response: {} } }] }] },
      "contents[0].parts[0].functionResponse",
    ],
    [
      { contents: [{ role: "model", parts: [{ functionCall: { name: "f" } }] }] },
      "contents[0].parts[0].functionCall",
    ],
    [
      { contents: [{ parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] }] },
      "contents[0].parts[0]",
    ],
  ];
  for (const [fields, field] of cases) {
    const answer = await post(path, { ...hello, ...fields });
    const { error } = await readJson(answer);
    expect([field, answer.status]).toEqual([field, 400]);
    expect(at(error, "details.1.fieldViolations.0.field")).toBe(field);
    if (!field.endsWith("]")) expect(String(at(error, "message"))).toContain(field);
  }
});
