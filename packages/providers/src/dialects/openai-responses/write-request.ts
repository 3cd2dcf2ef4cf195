// A chat completions request as one for a response. Nothing is dropped silently: what cannot be
// expressed is refused by name before anything is held or called, and preferences are named as ignored.
import { isObject, type JsonObject } from "@turnpike/base";
import { type ChatRequest, exactPivot, reasoningParameters, renamedFor } from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import { findIgnored } from "../../ignored-preferences.ts";
import type { DialectRequest, OpenaiProvider, Target } from "../../provider.ts";
import { rememberTranslation } from "../../remember-translation.ts";
import { fitPivot } from "../fit-calls.ts";
import { fitIdentifiers } from "../fit-identifier.ts";
import { copyFields, findLostField, losesField } from "../lost-fields.ts";
import type { ChatCall } from "../openai/build-request.ts";
import { effortFor } from "../openai/effort-for.ts";
import { pathOf } from "../openai/openai-path.ts";
import { fitStrictness } from "../openai/strict-schema.ts";
import { hintsFor } from "../openai/translate-request.ts";
import { parseReasoning } from "../requested-reasoning.ts";
import { toolNamesOf } from "../tool-names.ts";
import { encryptedReasoning } from "./build-responses-request.ts";
import { withoutRefusedCiphertext } from "./retry-without-ciphertext.ts";
import { writeInput } from "./write-input.ts";
import { writeTools } from "./write-tools.ts";

const renamed = renamedFor("responses");

/** The request for one call. It depends on the call, and on what the provider has refused before. */
export function buildTranslatedRequest(call: ChatCall): DialectRequest {
  const { request, provider, upstreamModel, maxTokens, omittedFields } = call;
  const { parsed, stream } = request;
  const { text, ...conversation } = translateConversation(call, request);
  const limit = maxTokens ?? request.maxTokens;
  const body: JsonObject = {
    model: upstreamModel,
    ...conversation,
    input: withoutRefusedCiphertext(provider, conversation.input),
    // Nothing is stored for a caller who could not ask for it again.
    store: false,
  };
  if (limit !== undefined) body.max_output_tokens = limit;
  if (stream) body.stream = true;
  if (stream && provider.quirks.streamPadding === "by_default") {
    body.stream_options = { include_obfuscation: false };
  }
  Object.assign(
    body,
    copyFields(parsed, renamed, (name) => !omittedFields.includes(name)),
  );
  const { verbosity, ...hints } = hintsFor(parsed, provider.quirks);
  const verbose = typeof verbosity === "string" ? { verbosity } : {};
  Object.assign(body, hints);
  Object.assign(body, fitIdentifiers(body));
  if (isObject(text) || verbosity !== undefined)
    body.text = { ...(isObject(text) && text), ...verbose };
  const include: string[] = [];
  if (parsed.logprobs === true) {
    include.push("message.output_text.logprobs");
    if (typeof parsed.top_logprobs === "number") body.top_logprobs = parsed.top_logprobs;
  }
  if (!omittedFields.includes("reasoning")) {
    // Models without reasoning refuse the option.
    include.push(encryptedReasoning);
    const reasoning = writeReasoning(parsed, upstreamModel);
    if (reasoning !== undefined) body.reasoning = reasoning;
  }
  if (include.length > 0) body.include = include;
  return {
    path: pathOf(call, "/responses"),
    accept: stream ? "text/event-stream" : "application/json",
    body: JSON.stringify(body),
    ignored: findIgnored(parsed, body, isLost),
  };
}

function isLost(name: string, body: JsonObject): boolean {
  if (losesField("responses", name)) return true;
  if (reasoningParameters.includes(name)) return body.reasoning === undefined;
  if (name === "verbosity") return !isObject(body.text) || body.text.verbosity === undefined;
  return name !== "parallel_tool_calls" && !(name in body);
}

/**
 * The part that takes time in proportion to the request, translated once for all attempts at this
 * provider. Throws the Fault of the first field that cannot be carried.
 */
export const translateConversation = rememberTranslation(
  ({ provider }: Target<OpenaiProvider>, request: ChatRequest): JsonObject => {
    const asked = fitStrictness(request, exactPivot(request));
    const lost = findLostField("responses", asked);
    if (lost !== undefined) throw lost;
    const names = toolNamesOf(request, provider.quirks.toolNames);
    const pivot = fitPivot(asked, names, dialectRules.responses.callIds.is);
    return {
      input: writeInput(pivot.messages, provider),
      ...writeTools(pivot, provider.quirks),
      ...writeFormat(pivot.response_format),
    };
  },
);

/** As the `text` of a response. */
function writeFormat(format: unknown): JsonObject {
  if (!isObject(format) || format.type === "text") return {};
  const { type, json_schema: asked } = format;
  if (!isObject(asked)) return { text: { format: { type } } };
  const { name, description, schema, strict } = asked;
  return { text: { format: { type, name, description, schema: schema ?? {}, strict } } };
}

/** A caller who asks a model to reason gets a summary of it, unless it asks otherwise. */
function writeReasoning(parsed: JsonObject, upstreamModel: string): JsonObject | undefined {
  const asked = parseReasoning(parsed);
  if (asked === undefined) return undefined;
  const effort = effortFor(parsed, upstreamModel);
  const isShown = asked.enabled === true && !asked.isHidden;
  if (effort === undefined && asked.enabled !== true) return undefined;
  return { ...(effort !== undefined && { effort }), ...(isShown && { summary: "auto" }) };
}
