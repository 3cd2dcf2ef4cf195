// Where Anthropic's models are asked, and what surrounds a request there. Its own API takes model and version of
// the API in body and header; clouds want the model in the address and the version in the body.
// https://docs.claude.com/en/api/claude-on-vertex-ai
import type { JsonObject } from "@turnpike/base";
import { vertexPath } from "../vertex-model.ts";
import type { MessagesCall } from "./message-stream.ts";

export type Envelope = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the body to set, and those to leave out. */
  readonly set: JsonObject;
  readonly remove: readonly string[];
};

/** `headers` are those of Anthropic's own API: the version, and the betas the caller may use. */
export function envelopeOf(
  call: MessagesCall,
  headers: Readonly<Record<string, string>>,
): Envelope {
  const { provider, upstreamModel } = call;
  if (provider.cloud === "vertex") return envelopeForVertex(call, headers["anthropic-beta"]);
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
    // Betas of the caller's own in the body would be ones that nobody has allowed.
    remove: ["model", "anthropic_beta"],
  };
}
