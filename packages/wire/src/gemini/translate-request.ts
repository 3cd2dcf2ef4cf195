// A request of Gemini's API as the equivalent chat completions request. Every field is translated, known to be harmless
// (docs/request-fields.md lists those), or noted as one that only Gemini supports.
import { isObject, type JsonObject } from "@turnpike/base";
import { isPreference, ownFieldsOf, rewrittenFieldsOf } from "../fields/known-fields.ts";
import { TranslationNotes } from "../messages/translate-blocks.ts";
import { jsonSchemaOf } from "./google-schema.ts";
import { translateContents, translateInstruction } from "./translate-contents.ts";
import { translateTools } from "./translate-tools.ts";

export type Translation = { readonly pivot: JsonObject; readonly notes: TranslationNotes };

const own = ownFieldsOf("gemini");
const rewritten = rewrittenFieldsOf("gemini");

/** Of a checked request with canonical names. Throws Fault where calls and results do not match. */
export function translateRequest(
  body: JsonObject,
  target: { readonly model: string; readonly stream: boolean },
): Translation {
  const notes = new TranslationNotes();
  const pivot: JsonObject = { model: target.model };
  const unknown: string[] = [];
  for (const key in body) {
    if (rewritten.has(key) || key === "model" || (body[key] ?? null) === null) continue;
    if (own.has(key) || isPreference(key)) pivot[key] = body[key];
    else unknown.push(key);
  }
  pivot.stream = target.stream;
  const instruction = translateInstruction(body.systemInstruction, notes);
  pivot.messages = [...instruction, ...translateContents(body.contents, notes)];
  translateTools(body, pivot, notes);
  if (isObject(body.generationConfig)) translateConfig(body.generationConfig, pivot, notes);
  const { serviceTier: tier } = body;
  if (tier === "flex" || tier === "priority") pivot.service_tier = tier;
  // Last: the first note is the refusal that the caller reads, and parts of fields say more.
  for (const key of unknown) notes.refuse(key, "only Gemini supports this field");
  return { pivot, notes };
}

/** What differs from a chat completion in nothing but its name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["temperature", "temperature"],
  ["topP", "top_p"],
  ["topK", "top_k"],
  ["candidateCount", "n"],
  ["maxOutputTokens", "max_tokens"],
  ["stopSequences", "stop"],
  ["presencePenalty", "presence_penalty"],
  ["frequencyPenalty", "frequency_penalty"],
  ["seed", "seed"],
]);

/** What `translateConfig` and the functions that it calls read besides. */
const read: ReadonlySet<string> = new Set([
  ...renamed.keys(),
  "responseMimeType",
  "responseSchema",
  "responseJsonSchema",
  "responseModalities",
  "responseLogprobs",
  "logprobs",
  "thinkingConfig",
]);

/** Values with which a field asks for what happens anyway. */
const unspecified = /_UNSPECIFIED$/;

function translateConfig(config: JsonObject, pivot: JsonObject, notes: TranslationNotes): void {
  for (const [name, chatName] of renamed) {
    const value = config[name] ?? null;
    if (value !== null) pivot[chatName] = value;
  }
  if (Array.isArray(pivot.stop) && pivot.stop.length === 0) delete pivot.stop;
  if (config.responseLogprobs === true) {
    pivot.logprobs = true;
    if (typeof config.logprobs === "number") pivot.top_logprobs = config.logprobs;
  }
  translateFormat(config, pivot, notes);
  translateModalities(config, pivot);
  if (isObject(config.thinkingConfig)) translateThinking(config.thinkingConfig, pivot);
  for (const [name, value] of Object.entries(config)) {
    if (read.has(name) || !asksForSomething(value)) continue;
    notes.refuse(`generationConfig.${name}`, "only Gemini supports it");
  }
}

function asksForSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  if (isObject(value)) return Object.keys(value).length > 0;
  return typeof value !== "string" || !unspecified.test(value);
}

function translateFormat(config: JsonObject, pivot: JsonObject, notes: TranslationNotes): void {
  if (config.responseMimeType === "text/x.enum") {
    notes.refuse(
      "generationConfig.responseMimeType",
      "only Gemini answers with one word of a list",
    );
  }
  if (config.responseMimeType !== "application/json") return;
  const { responseJsonSchema, responseSchema } = config;
  const schema = isObject(responseJsonSchema)
    ? responseJsonSchema
    : isObject(responseSchema)
      ? jsonSchemaOf(responseSchema)
      : undefined;
  pivot.response_format =
    schema === undefined
      ? { type: "json_object" }
      : { type: "json_schema", json_schema: { name: "output", schema } };
}

function translateModalities({ responseModalities: asked }: JsonObject, pivot: JsonObject): void {
  if (!Array.isArray(asked) || asked.length === 0) return;
  const kinds = asked.map((kind) => String(kind).toLowerCase());
  if (kinds.some((kind) => kind !== "text" && kind !== "modality_unspecified")) {
    pivot.modalities = kinds;
  }
}

/** OpenRouter's `reasoning` is the only way to ask for an amount of thinking in chat completions. */
function translateThinking(config: JsonObject, pivot: JsonObject): void {
  const { includeThoughts, thinkingBudget: budget, thinkingLevel: level } = config;
  if (typeof level === "string" && !unspecified.test(level)) {
    pivot.reasoning = { effort: level.toLowerCase() };
  } else if (typeof budget === "number") {
    if (budget > 0) pivot.reasoning = { max_tokens: budget };
    else pivot.reasoning = { enabled: budget !== 0 };
  } else if (includeThoughts === true) pivot.include_reasoning = true;
}
