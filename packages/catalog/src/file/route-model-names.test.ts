// Names of models that become part of an address cannot lead to another one: they are refused when the catalog
// is read, with what to write.
import { describe, expect, test } from "bun:test";
import { mistakesOfProvider } from "./read-provider.fixture.ts";

const azure = `id: azure, baseUrl: "https://r.openai.azure.com", apiKey: k`;
const entries: Readonly<Record<string, string>> = {
  "azure by deployments": `{ ${azure}, apiVersion: 2024-10-21 }`,
  "azure by its v1 API": `{ ${azure} }`,
  google: "{ id: google, apiKey: k }",
  vertex: "{ id: vertex, location: global, serviceAccount: os.environ/NONE }",
  bedrock: "{ id: bedrock, region: us-east-1, apiKey: k }",
};

const mistakesOf = (kind: string, model: string) =>
  mistakesOfProvider(entries[kind] ?? "", {}, { model });

describe.each(Object.keys(entries))("%s", (kind) => {
  test.each([
    ".",
    "..",
    "../x",
    "a/../b",
    "a/./b",
    "/a",
    "a/",
    "a//b",
    "%2e%2e",
    "a%2fb",
    "a?b",
    "a#b",
    "a b",
    "a:b",
    "a\\\\b",
    "anthropic.x/../y",
    "x/../anthropic.y",
    "google/..",
    "...",
  ])("refuses %s", (model) => {
    expect(mistakesOf(kind, model)).toEqual([
      expect.stringMatching(/^models\[0\]\.routes\[0\]\.model: .*\b(?:must be|write) /),
    ]);
  });
});

test.each([
  ["azure by deployments", "gpt-5.4_mini"],
  ["azure by its v1 API", "DeepSeek-R1"],
  ["google", "gemini-2.5-flash"],
  ["google", "models/gemini-2.5-flash"],
  ["google", "tunedModels/mine-123"],
  ["vertex", "claude-sonnet-4-5@20250929"],
  ["vertex", "endpoints/123"],
  ["bedrock", "global.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["bedrock", "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-v2:1"],
])("%s accepts %s", (kind, model) => {
  expect(mistakesOf(kind, model)).toEqual([]);
});

test("a deployment with a slash is refused with what a deployment is called", () => {
  expect(mistakesOf("azure by its v1 API", "openai/gpt-4o")).toEqual([
    "models[0].routes[0].model: must be the name of a deployment, which has letters, digits, - _ and ., and is not . or .. alone",
  ]);
});
