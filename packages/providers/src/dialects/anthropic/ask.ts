// The body sent to Anthropic: the caller's own, edited where it is ours and byte for byte the same
// elsewhere, or a chat completions request written as messages.
import { editJsonObject, messagesLanguage } from "@turnpike/wire";
import type { DialectRequest } from "../../provider.ts";
import { fitOwnRequest } from "./fit-own-request.ts";
import type { MessagesCall } from "./message-stream.ts";
import { writeRequest } from "./write-request.ts";

const version = { "anthropic-version": "2023-06-01" };

/** Members for gateways, which Anthropic refuses. */
const gatewayFields = ["provider", "models", "route", "usage", "max_cost"];

/** The request for one call. Pure: the same call gives the same bytes. */
export function ask(call: MessagesCall): DialectRequest {
  const { request, maxTokens, upstreamModel } = call;
  const isOwn = request.language === messagesLanguage;
  const set: Record<string, string> = {
    ...(isOwn && fitOwnRequest(call)),
    model: JSON.stringify(upstreamModel),
  };
  if (maxTokens !== undefined) set.max_tokens = String(maxTokens);
  return {
    path: "/messages",
    accept: request.stream ? "text/event-stream" : "application/json",
    headers: isOwn ? { ...version, ...request.passedHeaders } : version,
    body: isOwn
      ? editJsonObject(request.raw, request.members, { set, remove: gatewayFields })
      : JSON.stringify(writeRequest(call)),
  };
}
