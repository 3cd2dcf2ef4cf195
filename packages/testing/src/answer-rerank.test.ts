import { afterAll, expect, test } from "bun:test";
import { post, postJson } from "./call-upstream.fixture.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());

const documents = ["cats sleep", "Dogs bark at cats", "fish"];
const asked = { model: "sandbox-rerank", query: "dogs and cats", documents };

test("documents are sorted by the part of the query's words they have", async () => {
  const { answer } = await postJson(upstream, "/v1/rerank", { ...asked, top_n: 2 });
  expect(answer).toMatchObject({
    results: [
      { index: 1, relevance_score: 0.6667 },
      { index: 0, relevance_score: 0.3333 },
    ],
    meta: { billed_units: { search_units: 1 } },
  });
  expect(answer.usage).toBeUndefined();
});

test("a model ending in -tokens bills tokens, the query with each document", async () => {
  const body = { ...asked, model: "sandbox-rerank-tokens", return_documents: true };
  const { answer } = await postJson(upstream, "/v1/rerank", body);
  expect(answer.usage).toEqual({ total_tokens: 3 * 4 + 3 + 5 + 1 });
  expect(answer.meta).toBeUndefined();
  expect(answer.results).toContainEqual({
    index: 2,
    relevance_score: 0,
    document: { text: "fish" },
  });
});

test("101 documents are two search units, and long ones count several times", async () => {
  const many = { ...asked, documents: Array.from({ length: 101 }, () => "a") };
  const { answer } = await postJson(upstream, "/v1/rerank", many);
  expect(answer.meta).toMatchObject({ billed_units: { search_units: 2 } });
  const long = { ...asked, documents: Array.from({ length: 51 }, () => "a".repeat(2_001)) };
  const again = await postJson(upstream, "/v1/rerank", long);
  expect(again.answer.meta).toMatchObject({ billed_units: { search_units: 2 } });
});

test("Cohere's path takes texts only, and answers its shape", async () => {
  const { answer } = await postJson(upstream, "/v2/rerank", asked);
  expect(answer).toMatchObject({ id: "rerank-1", meta: { api_version: { version: "2" } } });
  const objects = { ...asked, documents: [{ text: "a" }] };
  expect((await postJson(upstream, "/v1/rerank", objects)).status).toBe(200);
  expect((await postJson(upstream, "/v2/rerank", objects)).status).toBe(400);
});

test("usage is reported as scripted", async () => {
  const query = `x #script ${JSON.stringify({ usage: "missing" })}`;
  const { answer } = await postJson(upstream, "/v1/rerank", { ...asked, query });
  expect(answer.meta).toEqual({ api_version: { version: "1" } });
});

test("refusals, waits and breaks are scripted as for a chat", async () => {
  const script = (fields: object) => ({ ...asked, query: `x #script ${JSON.stringify(fields)}` });
  const busy = await postJson(upstream, "/v1/rerank", script({ status: 429 }));
  expect([busy.status, busy.error.code]).toEqual([429, "rate_limit_exceeded"]);
  const cut = await post(upstream, "/v1/rerank", script({ cutAfterBytes: 10, tag: "cut" }));
  await expect(cut.text()).rejects.toThrow();
  expect(upstream.delivered("cut").bytes).toBe(10);
  const request = await upstream.waitFor(({ tag }) => tag === "cut");
  expect(await request.ended).toBe("cut");
  expect(request.chat.model).toBe("sandbox-rerank");
});

test.each([
  [{}, "missing_required_parameter", "model"],
  [{ model: "m", query: "q" }, "missing_required_parameter", "documents"],
  [{ ...asked, documents: [] }, "empty_array", "documents"],
  [{ ...asked, documents: [1] }, "invalid_type", "documents[0]"],
  [{ ...asked, top_n: 0 }, "integer_below_min_value", "top_n"],
  [{ ...asked, provider: {} }, "unknown_parameter", "provider"],
])("%j is refused", async (body, code, param) => {
  const { status, error } = await postJson(upstream, "/v1/rerank", body);
  expect([status, error.code, error.param]).toEqual([400, code, param]);
});
