// Reads a request of Google's Interactions API: checked, refused where it needs what is not there, and translated by way of
// generateContent into a chat completion. What it continues stands in its input already.
import { isObject, type JsonObject } from "@turnpike/base";
import { describeChatRequest } from "../chat/parse-chat-request.ts";
import { missing } from "../checks/body-fault.ts";
import { isGiven } from "../checks/check-value.ts";
import {
  assertNoRefusedField,
  checkFields,
  lookalikesOf,
  refusalsOf,
  ruleOf,
  rulesOf,
} from "../fields/check-fields.ts";
import { isPreference, ownFieldsOf, rewrittenFieldsOf } from "../fields/known-fields.ts";
import { callerParam as geminiParam } from "../gemini/caller-param.ts";
import { type GeminiRequest, modelOf } from "../gemini/parse-gemini-request.ts";
import { type Translation, translateRequest } from "../gemini/translate-request.ts";
import { agentBounds, findMembers, memberText } from "../json/edit-json-object.ts";
import { withExactMembers } from "../json/exact-numbers.ts";
import { assertNoLookalikes, assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { interactionsLanguage } from "../protocol/languages.ts";
import type { Memory } from "../protocol/memory.ts";
import { ownParam } from "./own-param.ts";
import { imageConfigOf, translateSettings, unknownSettings } from "./translate-settings.ts";
import { translateSteps } from "./translate-steps.ts";

/** Answered in the parts of generateContent, which become steps. */
export type InteractionsRequest = GeminiRequest & {
  /** Undefined: nothing is kept or continued. */
  readonly memory?: Memory;
};

const fieldLike = lookalikesOf("interactions");
const rules = rulesOf("interactions");
const refusals = refusalsOf("interactions");
const checkModel = ruleOf("interactions", "model");
const checkInput = ruleOf("interactions", "input");
const own = ownFieldsOf("interactions");
const rewritten = rewrittenFieldsOf("interactions");

/** Members with inputs of tools and schemas, whose numbers are not interpreted here. */
const passedOn = ["input", "tools", "response_format"];

/** Source: `CreateModelInteraction` of @google/genai. Throws Fault. */
export function parseInteractionsRequest(raw: string): InteractionsRequest {
  const { members, parsed, structureBytes } = parseJsonBody(raw, agentBounds);
  assertNoRefusedField(refusals, parsed);
  if (!isGiven(parsed.model)) throw missing("model");
  checkModel(parsed.model, "model");
  if (!isGiven(parsed.input)) throw missing("input");
  checkInput(parsed.input, "input");
  checkFields(rules, parsed);
  assertNoLookalikes(members, fieldLike);
  assertStorableText(raw, parsed);
  const { places, asked, translation } = translate(withExactMembers(raw, parsed, passedOn));
  const { pivot, notes } = translation;
  const text = JSON.stringify(pivot);
  // Names and values once more, and a translation with a text of its own.
  const parsedBytes = 3 * structureBytes + text.length;
  const chat = describeChatRequest(text, findMembers(text), pivot, parsedBytes);
  const nameOf = (param: string) => ownParam(param, places);
  return {
    ...chat,
    language: interactionsLanguage,
    raw,
    members,
    promptStart: () => memberText(raw, members, "input") ?? "",
    firstImage: notes.firstImage === undefined ? undefined : nameOf(notes.firstImage),
    untranslatable: notes.untranslatable.map(({ param, problem }) => {
      return { param: nameOf(param), problem };
    }),
    asked: parsed,
    toolNames: notes.toolNames,
    showsThoughts: showsThoughts(parsed),
    callerParam: (param) => nameOf(geminiParam(param, asked, pivot, notes)),
  };
}

type Translated = {
  /** Where parts of `asked` are in the caller's own body. */
  readonly places: ReadonlyMap<string, string>;
  /** The same request of generateContent. */
  readonly asked: JsonObject;
  readonly translation: Translation;
};

function translate(body: JsonObject): Translated {
  const { contents, places } = translateSteps(body.input);
  const asked: JsonObject = { contents, ...translateSettings(body) };
  const unknown: string[] = [];
  for (const key in body) {
    if (rewritten.has(key) || key === "model" || !isGiven(body[key])) continue;
    if (own.has(key) || isPreference(key)) asked[key] = body[key];
    else unknown.push(key);
  }
  if (typeof body.system_instruction === "string") {
    asked.systemInstruction = { parts: [{ text: body.system_instruction }] };
  }
  if (Array.isArray(body.tools) && body.tools.length > 0) {
    asked.tools = [{ functionDeclarations: body.tools.filter(isObject).map(declarationOf) }];
  }
  if (isGiven(body.service_tier)) asked.serviceTier = body.service_tier;
  const target = { model: modelOf(String(body.model)), stream: body.stream === true };
  const translation = translateRequest(asked, target);
  const imageConfig = imageConfigOf(body);
  if (imageConfig !== undefined) translation.pivot.image_config = imageConfig;
  for (const name of [
    ...unknownSettings(body).map((each) => `generation_config.${each}`),
    ...unknown,
  ]) {
    translation.notes.refuse(name, "no provider has a counterpart for it");
  }
  return { places, asked, translation };
}

function declarationOf({ name, description, parameters }: JsonObject): JsonObject {
  const declaration: JsonObject = { name };
  if (isGiven(description)) declaration.description = description;
  if (isGiven(parameters)) declaration.parametersJsonSchema = parameters;
  return declaration;
}

function showsThoughts({ generation_config: config }: JsonObject): boolean {
  return isObject(config) && config.thinking_summaries === "auto";
}
