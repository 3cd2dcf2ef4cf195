// The body sent upstream: the caller's own, edited where the gateway or the quirks of the upstream
// require it and byte for byte the same elsewhere.

import { isObject, type JsonObject } from "@turnpike/base";
import {
  type ChatRequest,
  chatLanguage,
  editJsonObject,
  findMembers,
  gatewayFieldNames,
  memberText,
  sharedGatewayFieldNames,
} from "@turnpike/wire";
import { findIgnored, findUnsent } from "../../ignored-preferences.ts";
import type { DialectRequest, OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { stopsToSend } from "../cut-at-stops.ts";
import { toolNamesOf } from "../tool-names.ts";
import { effortFor } from "./effort-for.ts";
import { fitOwnConversation } from "./fit-conversation.ts";
import { fitMessages, fitTools } from "./fit-messages.ts";
import { fitOwnOffers } from "./fit-tools.ts";
import { fitTranslated, takesStop } from "./fit-translated.ts";
import { pathOf } from "./openai-path.ts";
import type { OpenaiQuirks } from "./quirks.ts";
import { fitStrictness } from "./strict-schema.ts";
import { translateRequest } from "./translate-request.ts";

export type ChatCall = UpstreamCall<ChatRequest, OpenaiProvider>;

/** Whether the caller uses another language than this dialect. */
export function isTranslated(call: ChatCall): boolean {
  return call.request.language !== chatLanguage;
}

/**
 * Fields that must not be sent to an upstream with these quirks. Those for this gateway are sent to none: one that obeyed
 * them would choose another model or price. The others for gateways are sent only to one that ignores what it does not
 * know: some upstreams reject them, and one that obeyed them would be steered past the price we pinned.
 */
export function forbiddenFields({ controlFields: treatment }: OpenaiQuirks): readonly string[] {
  if (treatment === "ignores") {
    return gatewayFieldNames.filter((name) => !sharedGatewayFieldNames.includes(name));
  }
  // A mark on the whole request. What obeys the other fields uses it for its providers' caches.
  return treatment === "rejects" ? [...gatewayFieldNames, "cache_control"] : gatewayFieldNames;
}

/** By quirks; a reload of the catalog creates new ones. */
const forbiddenBy = new WeakMap<OpenaiQuirks, readonly string[]>();

function forbiddenOf(quirks: OpenaiQuirks): readonly string[] {
  let forbidden = forbiddenBy.get(quirks);
  if (forbidden === undefined) {
    forbidden = forbiddenFields(quirks);
    forbiddenBy.set(quirks, forbidden);
  }
  return forbidden;
}

type Edits = { readonly set: Record<string, string>; readonly remove: string[] };

/** A field that a request does not have need not be removed. */
function removeField({ remove }: Edits, { request }: ChatCall, name: string): void {
  if (request.parsed[name] !== undefined) remove.push(name);
}

/** The output limit in the one spelling that the upstream accepts. */
function spellLimit(call: ChatCall, edits: Edits): void {
  const spelling = call.provider.quirks.tokenLimit;
  const other = spelling === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  const limit = call.maxTokens ?? call.request.maxTokens;
  removeField(edits, call, other);
  if (limit === undefined || call.request.parsed[spelling] === limit) return;
  edits.set[spelling] = String(limit);
}

/** Usage is always requested, because it is billed; padding is not, unless the caller asks for it. */
function askForUsage(call: ChatCall, edits: Edits): void {
  const { quirks } = call.provider;
  const { raw, members, parsed } = call.request;
  if (quirks.streamUsage === "always") {
    removeField(edits, call, "stream_options");
    return;
  }
  const options = isObject(parsed.stream_options) ? parsed.stream_options : {};
  const set: Record<string, string> = { include_usage: "true" };
  if (quirks.streamPadding === "by_default" && typeof options.include_obfuscation !== "boolean") {
    set.include_obfuscation = "false";
  }
  const sent = isObject(parsed.stream_options) ? memberText(raw, members, "stream_options") : "{}";
  const text = sent ?? "{}";
  edits.set.stream_options = editJsonObject(text, findMembers(text), { set });
}

function translateWords(call: ChatCall, edits: Edits): void {
  const { quirks } = call.provider;
  const { raw, members, parsed } = call.request;
  if (parsed.tool_choice === "required" && quirks.mustCallTool !== "required") {
    edits.set.tool_choice = JSON.stringify(quirks.mustCallTool);
  }
  fitLists(call, edits);
  if (quirks.seed === "seed" || (parsed.seed ?? null) === null) return;
  const seed = memberText(raw, members, "seed");
  if (seed !== undefined && parsed[quirks.seed] === undefined) edits.set[quirks.seed] = seed;
  edits.remove.push("seed");
}

/** The others are looked for in the answer; empty ones ask for nothing, and not every service takes them. */
function boundStops(call: ChatCall, edits: Edits): void {
  const { stop } = call.request.parsed;
  const sent = stopsToSend({ stop }, takesStop);
  if (sent === undefined) removeField(edits, call, "stop");
  else if (Array.isArray(stop) && sent.length < stop.length) edits.set.stop = JSON.stringify(sent);
}

/** Messages and tools. A translation has been fitted already, but for what not every service takes. */
function fitLists(call: ChatCall, edits: Edits): void {
  const { quirks } = call.provider;
  const { raw, members, parsed } = call.request;
  const names = toolNamesOf(call.request, isTranslated(call) ? "any" : quirks.toolNames);
  const messages = memberText(raw, members, "messages");
  if (messages !== undefined) {
    const known = fitMessages(messages, parsed.messages, quirks);
    const sent = isTranslated(call)
      ? known
      : fitOwnConversation(known, parsed.messages, quirks, names);
    if (sent !== messages) edits.set.messages = sent;
  }
  const tools = memberText(raw, members, "tools");
  if (tools === undefined) return;
  const fitted = fitTools(tools, quirks);
  if (fitted !== tools) edits.set.tools = fitted;
  if (!isTranslated(call)) Object.assign(edits.set, fitOwnOffers(fitted, parsed, quirks, names));
}

/**
 * OpenRouter's `reasoning` in OpenAI's word. It is sent beside it where fields that are not known are
 * ignored: such a service may be a gateway that knows it.
 */
function spellReasoning(call: ChatCall, edits: Edits): void {
  const { provider, request, upstreamModel, omittedFields } = call;
  const { controlFields, includeReasoning } = provider.quirks;
  const { parsed } = request;
  if (controlFields === "obeys") {
    joinEffort(call, edits);
    return;
  }
  if (controlFields === "rejects" || saysOnlyEffort(parsed)) removeField(edits, call, "reasoning");
  if (controlFields === "rejects" && includeReasoning === "unknown") {
    removeField(edits, call, "include_reasoning");
  }
  if (!isObject(parsed.reasoning)) return;
  const effort = effortFor(parsed, upstreamModel);
  if (effort === parsed.reasoning_effort || omittedFields.includes("reasoning_effort")) return;
  if (effort === undefined) edits.remove.push("reasoning_effort");
  else edits.set.reasoning_effort = JSON.stringify(effort);
}

/** OpenRouter refuses both fields together. */
function joinEffort(call: ChatCall, edits: Edits): void {
  const { reasoning, reasoning_effort: effort } = call.request.parsed;
  if (!isObject(reasoning) || (effort ?? null) === null) return;
  edits.remove.push("reasoning_effort");
  const saysHowMuch = ["effort", "max_tokens"].some((name) => (reasoning[name] ?? null) !== null);
  if (saysHowMuch || reasoning.enabled === false) return;
  edits.set.reasoning = JSON.stringify({ ...reasoning, effort });
}

/** Whether both fields say the same, and `reasoning` no more than that. */
function saysOnlyEffort({ reasoning, reasoning_effort: effort }: JsonObject): boolean {
  if (!isObject(reasoning) || (effort ?? null) === null) return false;
  const neutral: JsonObject = { effort, exclude: false, enabled: true };
  return Object.entries(reasoning).every(
    ([name, value]) => value === null || (name in neutral && neutral[name] === value),
  );
}

/** The request for one call. Pure: the same call gives the same bytes. */
export function buildRequest(untranslated: ChatCall): DialectRequest {
  const call = translate(untranslated);
  const { request, provider } = call;
  const edits: Edits = {
    set: { model: JSON.stringify(call.upstreamModel) },
    remove: [],
  };
  for (const name of forbiddenOf(provider.quirks)) removeField(edits, call, name);
  for (const name of omittedOf(call)) removeField(edits, call, name);
  spellLimit(call, edits);
  translateWords(call, edits);
  boundStops(call, edits);
  spellReasoning(call, edits);
  if (request.stream) askForUsage(call, edits);
  for (const name in request.parsed) {
    if (request.parsed[name] === null && edits.set[name] === undefined) edits.remove.push(name);
  }
  return {
    path: pathOf(call, "/chat/completions"),
    accept: request.stream ? "text/event-stream" : "application/json",
    body: editJsonObject(request.raw, request.members, edits),
    ignored: findIgnored(untranslated.request.parsed, { call, edits }, isLost),
  };
}

/** OpenAI itself refuses what is not its own. What others know of it is not known here, so they are sent it. */
export function hasOnlyOpenais({ customTools, controlFields }: OpenaiQuirks): boolean {
  return customTools === "native" && controlFields === "rejects";
}

function omittedOf(call: ChatCall): readonly string[] {
  const language = hasOnlyOpenais(call.provider.quirks) ? chatLanguage : undefined;
  const unsent = findUnsent(call.request.parsed, call, language);
  return isTranslated(call) ? [...call.omittedFields, ...unsent] : unsent;
}

type Written = { readonly call: ChatCall; readonly edits: Edits };

/** Whether a preference of the caller is not sent, in its own word or in another. */
function isLost(name: string, written: Written): boolean {
  if (isSent(name, written)) return false;
  if (name === "reasoning") return !isSent("reasoning_effort", written);
  if (name === "reasoning_effort") return !isSent("reasoning", written);
  return name !== "seed" || !isSent(written.call.provider.quirks.seed, written);
}

function isSent(word: string, { call, edits }: Written): boolean {
  return word in edits.set || (word in call.request.parsed && !edits.remove.includes(word));
}

/** A request of another language is written as the chat completions request it was parsed to. */
function translate(call: ChatCall): ChatCall {
  if (!isTranslated(call)) return call;
  const { quirks } = call.provider;
  const parsed = translateRequest(
    fitTranslated(fitStrictness(call.request, call.request.parsed), quirks, call.upstreamModel),
    quirks,
    toolNamesOf(call.request, quirks.toolNames),
  );
  const raw = JSON.stringify(parsed);
  return { ...call, request: { ...call.request, parsed, raw, members: findMembers(raw) } };
}
