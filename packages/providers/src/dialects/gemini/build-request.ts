// A request for generateContent: that of a caller of the same language, or a chat completions request. Nothing is dropped silently: what cannot be
// expressed is refused by name before anything is held or called, and preferences are named as ignored.
import type { Fault, JsonObject } from "@turnpike/base";
import { type ChatRequest, chatLanguage, exactPivot } from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import { findIgnored } from "../../ignored-preferences.ts";
import type { DialectRequest, GoogleProvider, Target } from "../../provider.ts";
import { faultOf, rememberTranslation } from "../../remember-translation.ts";
import { fitPivot } from "../fit-calls.ts";
import { findLostField, losesField } from "../lost-fields.ts";
import { askForJson } from "../plain-json.ts";
import { toolNamesOf } from "../tool-names.ts";
import { vertexPath } from "../vertex-model.ts";
import { asksInWords, type GeminiCall, generationConfigOf, seedOf } from "./generation-config.ts";
import { isOwn, writeOwn } from "./own-request.ts";
import { generationOf } from "./thinking-config.ts";
import { translateContents } from "./translate-contents.ts";
import { translateTools } from "./translate-tools.ts";
import { withoutCallIds } from "./without-call-ids.ts";

/** The request for one call. Pure: the same call gives the same bytes. */
export function buildRequest(call: GeminiCall): DialectRequest {
  const { body, ignored } = isOwn(call) ? writeOwn(call) : write(call);
  const path = modelPathOf(call);
  return call.request.stream
    ? { path: `${path}:streamGenerateContent?alt=sse`, accept: "text/event-stream", body, ignored }
    : { path: `${path}:generateContent`, accept: "application/json", body, ignored };
}

function write(call: GeminiCall): Pick<DialectRequest, "body" | "ignored"> {
  const ignored = findIgnored(call.request.parsed, call, isLost);
  return { body: JSON.stringify(translate(call)), ignored };
}

function isLost(name: string, { request, omittedFields }: GeminiCall): boolean {
  // A chat completion is cut to its first call, if Gemini makes several.
  if (name === "parallel_tool_calls") return request.language !== chatLanguage;
  if (name === "seed") return seedOf(request.parsed) === undefined;
  if (name === "include_reasoning" && omittedFields.includes("reasoning")) return true;
  return losesField("gemini", name) || omittedFields.includes(name);
}

/** The Fault that names what Gemini does not support, apart from differences between its models. */
export function whyUntranslatable(
  target: Target<GoogleProvider>,
  request: ChatRequest,
): Fault | undefined {
  return faultOf(() => translateConversation(target, request));
}

/** The method follows a colon; tuned models have their own path. */
export function modelPathOf({ provider, upstreamModel }: Target<GoogleProvider>): string {
  if (provider.cloud === "vertex") return vertexPath(upstreamModel);
  return upstreamModel.includes("/") ? `/${upstreamModel}` : `/models/${upstreamModel}`;
}

type Translated = { readonly pivot: JsonObject; readonly conversation: JsonObject };

/**
 * The part that takes time in proportion to the request, translated once for all its uses. Throws the
 * Fault of the first field that cannot be carried.
 */
const translateConversation = rememberTranslation(
  ({ provider, upstreamModel }: Target<GoogleProvider>, request: ChatRequest): Translated => {
    const lost = findLostField("gemini", request.parsed);
    if (lost !== undefined) throw lost;
    // What depends on the limit and on the model's capabilities is cheap, and is built for each call.
    generationConfigOf(request.parsed, "", undefined);
    const { toolNames, callIds } = dialectRules.gemini;
    const names = toolNamesOf(request, toolNames.is);
    const pivot = fitPivot(exactPivot(request), names, callIds.is);
    const instruction = asksInWords(pivot, upstreamModel)
      ? askForJson(pivot.response_format, true)
      : undefined;
    const { systemInstruction, contents } = translateContents(
      pivot.messages,
      generationOf(upstreamModel),
      instruction,
    );
    const conversation = {
      contents: provider.cloud === "vertex" ? withoutCallIds(contents) : contents,
      ...(systemInstruction !== undefined && { systemInstruction }),
      ...translateTools(pivot),
    };
    return { pivot, conversation };
  },
);

function translate(call: GeminiCall): JsonObject {
  const { request, upstreamModel, maxTokens, omittedFields } = call;
  const { pivot, conversation } = translateConversation(call, request);
  const asked = { ...pivot };
  for (const name of omittedFields) delete asked[name];
  // A model that does not reason refuses requests for its thoughts.
  if (omittedFields.includes("reasoning")) delete asked.include_reasoning;
  const config = generationConfigOf(asked, upstreamModel, maxTokens ?? request.maxTokens);
  return {
    ...conversation,
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}
