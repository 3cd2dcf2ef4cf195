// What exactly is sent upstream? The caller's own body, spliced where the gateway or the upstream's
// dialect demands it and byte for byte the same elsewhere; none of the caller's headers.

import { editJsonObject, memberText, scanJsonObject } from "@turnpike/wire";
import { isObject } from "../../json-object.ts";
import type { Provider, UpstreamCall } from "../../provider.ts";
import { shortenCallIds } from "./shorten-call-ids.ts";

export type UpstreamRequest = {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
};

/** Fields that let an upstream choose another model or price: that choice is the gateway's. */
const routingFields = ["models", "route", "max_cost"];
/** Other fields meant for gateways: some upstreams reject them, and one that obeyed them would be
 *  steered past the price we pinned. */
const controlFields = ["provider", "transforms", "plugins", "usage"];

type Edits = { readonly set: Record<string, string>; readonly remove: string[] };

/** The output limit in the one spelling the upstream understands. */
function spellLimit(call: UpstreamCall, edits: Edits): void {
  const spelling = call.provider.quirks.tokenLimit;
  const other = spelling === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  const limit = call.maxTokens ?? call.chat.maxTokens;
  edits.remove.push(other);
  if (limit === undefined || call.chat.parsed[spelling] === limit) return;
  edits.set[spelling] = String(limit);
}

/** Usage is always asked for, because it is billed; padding is not, unless the caller wants it. */
function askForUsage(call: UpstreamCall, edits: Edits): void {
  const { quirks } = call.provider;
  const { raw, members, parsed } = call.chat;
  if (quirks.streamUsage === "always") {
    edits.remove.push("stream_options");
    return;
  }
  const options = isObject(parsed.stream_options) ? parsed.stream_options : {};
  const set: Record<string, string> = { include_usage: "true" };
  if (quirks.streamPadding === "by_default" && typeof options.include_obfuscation !== "boolean") {
    set.include_obfuscation = "false";
  }
  const sent = isObject(parsed.stream_options) ? memberText(raw, members, "stream_options") : "{}";
  const text = sent ?? "{}";
  edits.set.stream_options = editJsonObject(text, scanJsonObject(text), { set });
}

function translateWords(call: UpstreamCall, edits: Edits): void {
  const { quirks } = call.provider;
  const { raw, members, parsed } = call.chat;
  if (parsed.tool_choice === "required" && quirks.mustCallTool !== "required") {
    edits.set.tool_choice = JSON.stringify(quirks.mustCallTool);
  }
  const messages = memberText(raw, members, "messages");
  if (quirks.toolCallIds === "nine_alphanumerics" && messages !== undefined) {
    edits.set.messages = shortenCallIds(messages);
  }
  if (quirks.seed === "seed" || parsed.seed === undefined) return;
  const seed = memberText(raw, members, "seed");
  if (seed !== undefined && parsed[quirks.seed] === undefined) edits.set[quirks.seed] = seed;
  edits.remove.push("seed");
}

/** The request for one call. Pure: the same call gives the same bytes. */
export function ask(call: UpstreamCall): UpstreamRequest {
  const { chat, provider } = call;
  const edits: Edits = {
    set: { model: JSON.stringify(call.upstreamModel) },
    remove: [...routingFields],
  };
  if (provider.quirks.controlFields !== "ignores") edits.remove.push(...controlFields);
  spellLimit(call, edits);
  translateWords(call, edits);
  if (chat.stream) askForUsage(call, edits);

  const { url, streamHeaders, wholeHeaders } = endpointOf(provider);
  const headers = chat.stream ? streamHeaders : wholeHeaders;
  return { url, headers, body: editJsonObject(chat.raw, chat.members, edits) };
}

type Endpoint = {
  readonly url: string;
  readonly streamHeaders: Headers;
  readonly wholeHeaders: Headers;
};

/** What is the same for every call of a provider; a reload of the catalogue makes new providers. */
const endpoints = new WeakMap<Provider, Endpoint>();

function endpointOf(provider: Provider): Endpoint {
  let endpoint = endpoints.get(provider);
  if (endpoint === undefined) {
    endpoint = {
      url: `${provider.baseUrl.replace(/\/{1,64}$/, "")}/chat/completions`,
      streamHeaders: headersFor(provider, "text/event-stream"),
      wholeHeaders: headersFor(provider, "application/json"),
    };
    endpoints.set(provider, endpoint);
  }
  return endpoint;
}

function headersFor({ apiKey }: Provider, accept: string): Headers {
  const headers = new Headers({
    "content-type": "application/json",
    accept,
    "accept-encoding": "identity",
    "user-agent": "Turnpike/0.1",
  });
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  return headers;
}
