// The address and envelope of a request to Anthropic's models. Its own API takes model and version of
// the API in body and header; clouds expect the model in the address and the version in the body.
// https://docs.claude.com/en/api/claude-on-vertex-ai and .../claude-on-amazon-bedrock
import type { JsonObject } from "@turnpike/base";
import { vertexPath } from "../vertex-model.ts";
import type { MessagesCall } from "./message-stream.ts";

export type Envelope = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the body to set, and those to omit. */
  readonly set: JsonObject;
  readonly remove: readonly string[];
};

/** `headers` are those of Anthropic's own API: the version, and the betas the caller may use. */
export function envelopeOf(
  call: MessagesCall,
  headers: Readonly<Record<string, string>>,
): Envelope {
  const { provider, upstreamModel } = call;
  const { "anthropic-beta": betas } = headers;
  if (provider.cloud === "vertex") return envelopeForVertex(call, betas);
  if (provider.cloud === "bedrock") return envelopeForBedrock(call, betas);
  return { path: "/messages", headers, set: { model: upstreamModel }, remove: [] };
}

function envelopeForVertex(
  { request, upstreamModel }: MessagesCall,
  betas: string | undefined,
): Envelope {
  const method = request.stream ? "streamRawPredict" : "rawPredict";
  return {
    path: `${vertexPath(upstreamModel)}:${method}`,
    headers: betas === undefined ? {} : { "anthropic-beta": betas },
    set: { anthropic_version: "vertex-2023-10-16" },
    // In the body a caller could enable betas that are not allow-listed.
    remove: ["model", "anthropic_beta"],
  };
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
function envelopeForBedrock(
  { request, upstreamModel }: MessagesCall,
  betas: string | undefined,
): Envelope {
  const method = request.stream ? "invoke-with-response-stream" : "invoke";
  return {
    path: `/model/${encodeURIComponent(upstreamModel)}/${method}`,
    headers: request.stream ? { accept: "application/vnd.amazon.eventstream" } : {},
    set: {
      anthropic_version: "bedrock-2023-05-31",
      ...(betas !== undefined && { anthropic_beta: betas.split(",").map((beta) => beta.trim()) }),
    },
    remove: ["model", "stream", ...(betas === undefined ? ["anthropic_beta"] : [])],
  };
}
