import { afterAll, expect, test } from "bun:test";
import { flaggedWord } from "./answer-moderations.ts";
import { post, postJson } from "./call-upstream.fixture.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());

async function moderate(input: unknown) {
  const { status, answer, error } = await postJson(upstream, "/v1/moderations", { input });
  const given: readonly unknown[] = Array.isArray(answer.results) ? answer.results : [];
  return { status, answer, error, results: given.map(fieldsOf) };
}

test("each text has a result, and the one with the flagged word is flagged", async () => {
  const { answer, results } = await moderate(["fine", `So ${flaggedWord.toUpperCase()}!`]);
  expect(answer.model).toBe("omni-moderation-latest");
  expect(results.map(({ flagged }) => flagged)).toEqual([false, true]);
  expect(results.map(({ categories }) => Object.keys(fieldsOf(categories)).length)).toEqual([
    13, 13,
  ]);
  expect(fieldsOf(results[1]?.categories)).toMatchObject({ violence: true, hate: false });
  expect(fieldsOf(results[1]?.category_scores).violence).toBe(0.9);
  expect((await moderate("fine")).results).toHaveLength(1);
});

test("the parts of one message have one result, and images apply to some categories", async () => {
  const { results } = await moderate([
    { type: "text", text: "fine" },
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
  ]);
  expect(results).toHaveLength(1);
  expect(results[0]?.category_applied_input_types).toMatchObject({
    violence: ["text", "image"],
    hate: ["text"],
  });
});

test.each([
  [undefined, "missing_required_parameter"],
  [[], "empty_array"],
  [7, "invalid_type"],
  [["a", 7], "invalid_value"],
  [[{ type: "text" }], "invalid_value"],
])("%j is refused", async (input, code) => {
  const { status, error } = await moderate(input);
  expect([status, error.code]).toEqual([400, code]);
});

test("what is not sent as JSON is refused, and so is a field that is not known", async () => {
  const form = new FormData();
  form.set("input", "a");
  expect((await post(upstream, "/v1/moderations", form)).status).toBe(415);
  const { error } = await postJson(upstream, "/v1/moderations", { input: "a", user: "b" });
  expect(error.code).toBe("unknown_parameter");
});
