// How Vertex AI names models: by their publisher, which decides the dialect, or by an endpoint of the
// project, which serves a tuned Gemini.
// https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest

import { isPathSegment } from "./path-segment.ts";

export type VertexModel = {
  readonly dialect: "google" | "anthropic";
  /** The path after the location, without the method. */
  readonly path: string;
};

const publishers = ["google", "anthropic"] as const;

/**
 * `gemini-2.5-flash`, `claude-sonnet-4-5@20250929`, the same after their publisher (`google/...`), or
 * `endpoints/123`. Undefined for anything else.
 */
export function parseVertexModel(upstreamModel: string): VertexModel | undefined {
  const [, place = "", name = ""] = /^(?:([a-z]+)\/)?([^/]+)$/.exec(upstreamModel) ?? [];
  if (!isPathSegment(name)) return undefined;
  if (place === "endpoints") return { dialect: "google", path: `/endpoints/${name}` };
  const publisher = place === "" ? publisherOf(name) : publishers.find((one) => one === place);
  if (publisher === undefined) return undefined;
  return { dialect: publisher, path: `/publishers/${publisher}/models/${name}` };
}

function publisherOf(name: string): VertexModel["dialect"] | undefined {
  if (name.startsWith("claude-")) return "anthropic";
  return name.startsWith("gemini-") ? "google" : undefined;
}

/** For a model that the catalog has accepted. */
export function vertexPath(upstreamModel: string): string {
  const model = parseVertexModel(upstreamModel);
  if (model === undefined) throw new Error(`${upstreamModel} is not a model of Vertex AI`);
  return model.path;
}
