// What the catalog asks of a route: in which dialect its provider is called, and whether that dialect
// has the operation of the model.
import type { Operation } from "@turnpike/terms";
import type { ProviderKind } from "../known-providers.ts";
import type { Provider } from "../provider.ts";
import { isClaudeOnBedrock } from "./anthropic/bedrock-model.ts";
import { dialects } from "./dialect-of.ts";
import { isPathSegment } from "./path-segment.ts";
import { parseVertexModel } from "./vertex-model.ts";

/** The dialect of a model, or, for one that providers of the kind do not serve, what to write. */
type DialectKind =
  | { readonly kind: Provider["kind"] }
  | { readonly kind: "unknown"; readonly advice: string };

/** The dialect that providers of a kind use for the model that a route names. */
export function dialectKindOf(kind: ProviderKind, upstreamModel: string): DialectKind {
  switch (kind) {
    case "azure": {
      if (isPathSegment(upstreamModel)) return { kind: "openai-compatible" };
      const characters = "letters, digits, - _ and ., and is not . or .. alone";
      return {
        kind: "unknown",
        advice: `must be the name of a deployment, which has ${characters}`,
      };
    }
    case "google": {
      if (upstreamModel.split("/").every(isPathSegment)) return { kind };
      const names = "a model like gemini-2.5-flash, or its resource name like tunedModels/ID";
      return { kind: "unknown", advice: `must be ${names}, without . or .. as a part of it` };
    }
    case "vertex": {
      const model = parseVertexModel(upstreamModel);
      if (model !== undefined) return { kind: model.dialect };
      const names = "gemini-..., claude-..., google/MODEL, anthropic/MODEL or endpoints/ID";
      return { kind: "unknown", advice: `is not served from Vertex AI: write ${names}` };
    }
    case "bedrock": {
      if (isClaudeOnBedrock(upstreamModel)) return { kind: "anthropic" };
      const names = "anthropic.claude-..., us.anthropic.claude-... or the ARN of its profile";
      return { kind: "unknown", advice: `only Claude is served from Bedrock: write ${names}` };
    }
    default:
      return { kind };
  }
}

/**
 * Whether a provider can be asked for an operation in the dialect `kind`; the catalog refuses routes that
 * cannot.
 */
export function servesOperation(
  kind: Provider["kind"],
  operation: Operation,
  providerKind: ProviderKind,
): boolean {
  // Vertex AI has Gemini's embeddings under another method.
  const lacks = providerKind === "vertex" && kind === "google" && operation === "embeddings";
  return !lacks && dialects[kind][operation] !== undefined;
}
