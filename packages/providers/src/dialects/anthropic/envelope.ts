// The address and envelope of a request to Anthropic's models. Its own API takes model and version of
// the API in body and header; clouds expect the model in the address and the version in the body.
// https://docs.claude.com/en/api/claude-on-vertex-ai and .../claude-on-amazon-bedrock
import type { JsonObject } from "@turnpike/base";
import { vertexPath } from "../vertex-model.ts";
import { betaOfField, betasFor } from "./cloud-betas.ts";
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
  return { path: "/messages", headers, set: { model: upstreamModel }, remove: cloudFields };
}

/** Of clouds only, in place of the headers of those names: callers choose betas from an allow-list. */
const cloudFields = ["anthropic_beta", "anthropic_version"];

/** Of Anthropic's own API only: how it is to queue a call, and where. All that gets here is its default. */
const ownFields = ["service_tier", "speed", "inference_geo"];

/** Members that a cloud refuses, with these betas. In the body a caller could enable others. */
function removedFor(betas: readonly string[]): string[] {
  const unasked = Object.entries(betaOfField).filter(([, beta]) => !betas.includes(beta));
  return [...ownFields, ...unasked.map(([field]) => field), "model"];
}

function envelopeForVertex(call: MessagesCall, asked: string | undefined): Envelope {
  const method = call.request.stream ? "streamRawPredict" : "rawPredict";
  const betas = betasFor(call, "vertex", asked);
  return {
    path: `${vertexPath(call.upstreamModel)}:${method}`,
    headers: betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") },
    set: { anthropic_version: "vertex-2023-10-16" },
    remove: [...removedFor(betas), "anthropic_beta"],
  };
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
function envelopeForBedrock(call: MessagesCall, asked: string | undefined): Envelope {
  const { request, upstreamModel } = call;
  const method = request.stream ? "invoke-with-response-stream" : "invoke";
  const betas = betasFor(call, "bedrock", asked);
  return {
    path: `/model/${encodeURIComponent(upstreamModel)}/${method}`,
    headers: request.stream ? { accept: "application/vnd.amazon.eventstream" } : {},
    set: {
      anthropic_version: "bedrock-2023-05-31",
      ...(betas.length > 0 && { anthropic_beta: betas }),
    },
    remove: [...removedFor(betas), "stream", ...(betas.length === 0 ? ["anthropic_beta"] : [])],
  };
}
