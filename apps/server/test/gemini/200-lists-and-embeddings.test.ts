// The lists of models and the vectors of Gemini's API.
import { describe, expect, test } from "bun:test";
import {
  asObject,
  at,
  readJson,
  readLastCharge,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
} from "../harness/index.ts";
import { postGemini } from "./ask-gemini.fixture.ts";

const { server, account } = await useServer(startTestServer());
const post = postGemini(server, account);
const get = (path: string, headers: Record<string, string> = { "x-goog-api-key": account.key }) =>
  fetch(`${server.url}${path}`, { headers });

describe("models", () => {
  const cheap = {
    name: `models/${testModels.cheap}`,
    displayName: testModels.cheap,
    inputTokenLimit: 128_000,
    outputTokenLimit: 16_384,
    supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  };

  test.each(["/v1beta/models", "/v1/models", "/v1/v1beta/models"])(
    "%s lists them in pages, and one of them alone",
    async (path) => {
      const names: unknown[] = [];
      let token = "";
      do {
        const page = await readJson(await get(`${path}?pageSize=3&pageToken=${token}`));
        const models = page.models;
        if (!Array.isArray(models)) throw new Error("no models");
        expect(models.length).toBeLessThanOrEqual(3);
        names.push(...models.map(({ name }) => name));
        token = String(page.nextPageToken ?? "");
      } while (token !== "");
      expect(names).toContain(cheap.name);
      expect(names).toContain(`models/${testModels.embeddings}`);
      expect(new Set(names).size).toBe(names.length);
      for (const id of [testModels.cheap, `models/${testModels.cheap}`]) {
        expect(await readJson(await get(`${path}/${id}`))).toMatchObject(cheap);
      }
    },
  );

  test("without Google's header /v1/models is OpenAI's list", async () => {
    const bearer = { authorization: `Bearer ${account.key}` };
    expect((await readJson(await get("/v1/models", bearer))).object).toBe("list");
    const byKey = await get(`/v1beta/models?key=${account.key}`, {});
    expect(Array.isArray((await readJson(byKey)).models)).toBe(true);
  });
});

describe("embeddings", () => {
  const path = `/v1beta/models/${testModels.embeddings}`;
  const textOf = (text: string) => ({ parts: [{ text }] });

  test("a batch has a vector for each content, in their order, and is billed", async () => {
    const requests = ["one", "two"].map((text) => ({
      model: `models/${testModels.embeddings}`,
      content: textOf(text),
      outputDimensionality: 64,
    }));
    const answer = await post(`${path}:batchEmbedContents`, { requests });
    const body = await readJson(answer);
    const { embeddings } = body;
    if (!Array.isArray(embeddings)) throw new Error("no embeddings");
    expect(embeddings.map(({ values }) => values.length)).toEqual([64, 64]);
    expect(embeddings[0]).not.toEqual(embeddings[1]);
    expect(at(body, "usageMetadata.cost")).toBe(usdNumber(await readLastCharge(server, account)));
    expect(server.upstream.requests.at(-1)?.parsed).toMatchObject({
      input: ["one", "two"],
      dimensions: 64,
    });
  });

  test("one content has one vector, by either spelling of its fields", async () => {
    const asked = {
      content: textOf("one"),
      task_type: "RETRIEVAL_QUERY",
      output_dimensionality: 64,
    };
    const answer = await post(`/v1/models/${testModels.embeddings}:embedContent`, asked);
    const vector = asObject((await readJson(answer)).embedding).values;
    expect(Array.isArray(vector) && vector.length).toBe(64);
    expect(answer.headers.get("x-turnpike-ignored")).toBe("taskType");
    expect(asObject(server.upstream.requests.at(-1)?.parsed)).not.toHaveProperty("task_type");
  });

  test.each<[string, object, string]>([
    ["embedContent", {}, "content"],
    ["embedContent", { content: { parts: [{ text: "" }] } }, "content"],
    [
      "embedContent",
      { content: { parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] } },
      "content.parts[0]",
    ],
    ["embedContent", { content: textOf("a"), outputDimensionality: 9_999 }, "outputDimensionality"],
    ["batchEmbedContents", { requests: [] }, "requests"],
    [
      "batchEmbedContents",
      { requests: [{ content: textOf("a") }, { content: textOf("b"), taskType: "CLUSTERING" }] },
      "requests[1].taskType",
    ],
    ["batchEmbedContents", { requests: [{ content: textOf("") }] }, "requests[0].content"],
  ])("%s of %j is refused by the caller's own name", async (method, body, field) => {
    const answer = await post(`${path}:${method}`, body);
    expect(answer.status).toBe(400);
    const { error } = await readJson(answer);
    expect(at(error, "status")).toBe("INVALID_ARGUMENT");
    expect(at(error, "details.1.fieldViolations.0.field")).toBe(field);
  });
});
