// The paths of a provider with OpenAI's API: OpenAI's own, or as Azure addresses
// them, by the deployment and a dated version of the API.
// https://learn.microsoft.com/azure/ai-services/openai/reference
import type { AzureAddress, OpenaiProvider } from "../../provider.ts";

export type OpenaiPath =
  | "/chat/completions"
  | "/embeddings"
  | "/responses"
  | "/images"
  | "/images/generations"
  | "/images/edits"
  | "/audio/speech"
  | "/audio/transcriptions"
  | "/audio/translations"
  | "/rerank"
  | "/moderations";

type Addressed = { readonly provider: OpenaiProvider; readonly upstreamModel: string };

/** What to append to the base URL for OpenAI's `path`. */
export function pathOf(
  { provider: { azure }, upstreamModel }: Addressed,
  path: OpenaiPath,
): string {
  return azure === undefined ? path : azurePath(azure, path, upstreamModel);
}

function azurePath({ form, apiVersion }: AzureAddress, path: OpenaiPath, upstreamModel: string) {
  const query = apiVersion === undefined ? "" : `?api-version=${apiVersion}`;
  // Responses name their deployment only in the body.
  if (form === "v1" || path === "/responses") return path + query;
  return `/deployments/${encodeURIComponent(upstreamModel)}${path}${query}`;
}
