// Gemini's generateContent over HTTP: whole, streamed in both framings, counted and billed like any other call.
import { describe, expect, test } from "bun:test";
import {
  at,
  countCalls,
  readJson,
  readLastCharge,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
} from "../harness/index.ts";
import { asking, postGemini } from "./ask-gemini.fixture.ts";

const { server, account } = await useServer(startTestServer());
const model = testModels.cheap;

const post = postGemini(server, account);
const lastCharge = () => readLastCharge(server, account);

describe("a whole answer", () => {
  test("has its candidate, its usage and its cost", async () => {
    const answer = await post(`/v1beta/models/${model}:generateContent`, asking({ deltas: 3 }));
    expect(answer.headers.get("content-type")).toBe("application/json");
    const body = await readJson(answer);
    const prompt = Number(at(body, "usageMetadata.promptTokenCount"));
    expect(body).toEqual({
      candidates: [
        {
          content: { parts: [{ text: " tok tok tok" }], role: "model" },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: 3,
        totalTokenCount: prompt + 3,
        promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
        cost: usdNumber(await lastCharge()),
      },
      modelVersion: model,
      responseId: answer.headers.get("x-generation-id"),
      createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test.each(["/v1beta", "/v1", "/v1/v1", "/v1/v1beta", "/v1alpha", "/v1beta/models/models"])(
    "is served under %s",
    async (base) => {
      const path = base.endsWith("/models") ? base : `${base}/models`;
      const answer = await post(`${path}/${model}:generateContent`, asking({}));
      expect([answer.status, at(await readJson(answer), "modelVersion")]).toEqual([200, model]);
    },
  );

  test("the method follows the last colon, and an escaped id is the same model", async () => {
    for (const id of [`${model}:floor`, encodeURIComponent(`${model}:floor`)]) {
      const answer = await post(`/v1beta/models/${id}:generateContent`, asking({}));
      expect([answer.status, at(await readJson(answer), "modelVersion")]).toEqual([200, model]);
    }
  });

  test("the key may be in the address or a bearer token", async () => {
    const path = `/v1beta/models/${model}:generateContent`;
    expect((await post(`${path}?key=${account.key}`, asking({}), {})).status).toBe(200);
    const bearer = { authorization: `Bearer ${account.key}` };
    expect((await post(path, asking({}), bearer)).status).toBe(200);
    expect((await post(`${path}?key=sk-wrong`, asking({}), {})).status).toBe(401);
  });
});

describe("a stream", () => {
  const path = `/v1beta/models/${model}:streamGenerateContent`;

  test("consists of lines of data and blank lines alone, and ends with its usage", async () => {
    const answer = await post(`${path}?alt=sse`, asking({ deltas: 3 }));
    expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
    const text = await answer.text();
    expect(text).toMatch(/^(?:data: \{.*\}\n\n)+$/);
    const events = text
      .trim()
      .split("\n\n")
      .map((line) => JSON.parse(line.slice("data: ".length)));
    const texts = events.map((event) => at(event, "candidates.0.content.parts.0.text"));
    expect(texts.join("")).toBe(" tok tok tok");
    expect(events.map((event) => event.usageMetadata !== undefined)).toEqual(
      events.map((_, index) => index === events.length - 1),
    );
    expect(events.at(-1)).toMatchObject({
      candidates: [{ finishReason: "STOP" }],
      usageMetadata: { candidatesTokenCount: 3, cost: usdNumber(await lastCharge()) },
    });
  });

  test("is one JSON array without alt=sse", async () => {
    const answer = await post(path, asking({ deltas: 2 }));
    expect(answer.headers.get("content-type")).toBe("application/json");
    const list: unknown = await answer.json();
    if (!Array.isArray(list)) throw new Error("no array");
    expect(list.length).toBeGreaterThan(1);
    expect(list.at(-1)).toMatchObject({ usageMetadata: { candidatesTokenCount: 2 } });
  });
});

test("tokens are counted for nothing, of contents or of a whole request", async () => {
  const counted = await countCalls(server, account, async () => {
    const path = `/v1beta/models/${model}:countTokens`;
    const { contents } = asking({});
    const short = Number(at(await readJson(await post(path, { contents })), "totalTokens"));
    const inner = {
      model,
      contents,
      systemInstruction: { parts: [{ text: "One more sentence." }] },
    };
    const long = await readJson(await post(path, { generateContentRequest: inner }));
    expect(short).toBeGreaterThan(5);
    expect(Number(at(long, "totalTokens"))).toBeGreaterThan(short + 2);
  });
  expect([counted.calls, counted.charges]).toEqual([0, []]);
});
