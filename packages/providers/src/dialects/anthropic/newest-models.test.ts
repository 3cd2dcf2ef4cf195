// Chat completions over Claude's newest models, which refuse what earlier ones are told about thinking and
// sampling.
import { expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { chatCall } from "./sample-messages-call.fixture.ts";

const written = (upstreamModel: string, fields: object) =>
  JSON.parse(buildRequest({ ...chatCall(fields), upstreamModel }).body);

test.each([
  "claude-fable-5",
  "claude-fable-5-1",
  "claude-mythos-5",
  "claude-opus-5-5",
  "claude-sonnet-5-5",
  "anthropic.claude-mythos-preview-v1:0",
])("%s, which always thinks, is not told to stop but to think little", (upstreamModel) => {
  for (const fields of [{ reasoning_effort: "none" }, { reasoning: { enabled: false } }]) {
    const { thinking, output_config } = written(upstreamModel, fields);
    expect([thinking, output_config]).toEqual([undefined, { effort: "low" }]);
  }
  const { thinking } = written(upstreamModel, { reasoning_effort: "high" });
  expect(thinking).toEqual({ type: "adaptive" });
});

const sampling = { temperature: 0.5, top_k: 5 };

test.each([
  "claude-opus-4-7",
  "us.anthropic.claude-opus-4-8-v1:0",
  "claude-sonnet-5",
  "claude-opus-5-5",
  "claude-fable-5",
  "claude-mythos-preview",
])("%s is not told how to sample", (upstreamModel) => {
  const body = written(upstreamModel, { ...sampling, top_p: 0.9 });
  expect([body.temperature, body.top_p, body.top_k]).toEqual([undefined, undefined, undefined]);
});

test.each([
  "claude-sonnet-4-6",
  "claude-haiku-4-5-20251001",
  "claude-sonnet-4-20250514",
  "claude-3-7-sonnet-20250219",
  "anthropic.claude-opus-4-1-20250805-v1:0",
])("%s is told how to sample", (upstreamModel) => {
  expect(written(upstreamModel, sampling)).toMatchObject(sampling);
});
