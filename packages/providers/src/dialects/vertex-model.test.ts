// How a route names a model of Vertex AI.
import { expect, test } from "bun:test";
import { parseVertexModel } from "./vertex-model.ts";

test.each([
  ["gemini-2.5-flash", "google", "/publishers/google/models/gemini-2.5-flash"],
  ["google/text-unicorn", "google", "/publishers/google/models/text-unicorn"],
  ["endpoints/1234567", "google", "/endpoints/1234567"],
  [
    "claude-opus-4-1@20250805",
    "anthropic",
    "/publishers/anthropic/models/claude-opus-4-1@20250805",
  ],
  ["anthropic/new-name", "anthropic", "/publishers/anthropic/models/new-name"],
] as const)("%s uses the dialect of %s, at %s", (model, dialect, path) => {
  expect(parseVertexModel(model)).toEqual({ dialect, path });
});

test.each([
  "llama-4",
  "meta/llama-4",
  "publishers/google/models/x",
  "gemini-2.5 flash",
  "../x",
  "google/..",
  "anthropic/.",
  "endpoints/..",
  "google/%2e%2e",
  "google/x:predict",
  "google/",
  "",
])("%s is not a model that it serves", (model) => expect(parseVertexModel(model)).toBeUndefined());
