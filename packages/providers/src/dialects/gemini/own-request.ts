// The body of a caller of Gemini's own language: its own text, edited where necessary and byte for byte the same elsewhere.
import { isObject, type JsonObject } from "@turnpike/base";
import {
  editJsonObject,
  findMembers,
  gatewayFieldNames,
  geminiLanguage,
  isDocumentedField,
  isPreference,
  memberText,
  namesIn,
} from "@turnpike/wire";
import type { DialectRequest } from "../../provider.ts";
import { stopsToSend } from "../cut-at-stops.ts";
import { nullMembers } from "../null-members.ts";
import { type GeminiCall, takesStop } from "./generation-config.ts";
import { fitOwnContents } from "./own-contents.ts";

export function isOwn({ request }: Pick<GeminiCall, "request">): boolean {
  return request.language === geminiLanguage;
}

/** What its address says, and what is read here. */
const notSent = [...gatewayFieldNames, "model", "stream", "serviceTier"];

export function writeOwn(call: GeminiCall): Pick<DialectRequest, "body" | "ignored"> {
  const { request, provider } = call;
  const { raw, members, asked = {} } = request;
  const preferences = Object.keys(asked).filter(
    (name) => isPreference(name) && !isDocumentedField(geminiLanguage, name),
  );
  const remove = [...notSent, ...preferences, ...nullMembers(asked)];
  // Vertex AI groups its bills by them; the Gemini API refuses them.
  if (provider.cloud !== "vertex") remove.push("labels");
  const set: Record<string, string> = {};
  const contents = fitOwnContents(call, memberText(raw, members, "contents") ?? "[]");
  if (contents !== undefined) set.contents = contents;
  const { config, ignored } = fitConfig(call);
  if (config !== undefined) set.generationConfig = config;
  return {
    body: editJsonObject(raw, members, { set, remove }),
    ignored: [...preferences, ...ignored],
  };
}

const names = namesIn("gemini");
const configPrefix = "generationConfig.";

type Config = {
  /** To send in place of the caller's; undefined leaves it as it is. */
  readonly config: string | undefined;
  /** Under their names in a chat completion. */
  readonly ignored: readonly string[];
};

/** With the limit that is reserved, and without preferences that the model would refuse. */
function fitConfig({ request, maxTokens, omittedFields }: GeminiCall): Config {
  const { raw, members, asked, parsed } = request;
  const own: JsonObject = isObject(asked?.generationConfig) ? asked.generationConfig : {};
  const ignored: string[] = [];
  const omitted = new Set<string>();
  for (const name of omittedFields) {
    const [field = ""] = names.get(name)?.slice(configPrefix.length).split(".") ?? [];
    if ((own[field] ?? null) === null) continue;
    omitted.add(field);
    if ((parsed[name] ?? null) !== null) ignored.push(name);
  }
  const values: Record<string, string> = {};
  if (maxTokens !== undefined) values.maxOutputTokens = String(maxTokens);
  const stops = stopsToSend(parsed, takesStop);
  const sent = Array.isArray(own.stopSequences) ? own.stopSequences.length : 0;
  if (stops !== undefined && stops.length !== sent) values.stopSequences = JSON.stringify(stops);
  if (omitted.size === 0 && Object.keys(values).length === 0) return { config: undefined, ignored };
  const given = memberText(raw, members, "generationConfig");
  const text = given?.startsWith("{") === true ? given : "{}";
  return { config: editEither(text, values, omitted), ignored };
}

/** Each member is named as the caller named it: both spellings are Google's. */
function editEither(
  text: string,
  values: Readonly<Record<string, string>>,
  omitted: ReadonlySet<string>,
): string {
  const members = findMembers(text);
  const given = new Set(members.map(({ key }) => key));
  const set: Record<string, string> = {};
  for (const name in values) {
    const snake = snakeOf(name);
    set[given.has(snake) ? snake : name] = values[name] ?? "";
  }
  const remove = [...omitted].flatMap((name) => [name, snakeOf(name)]);
  return editJsonObject(text, members, { set, remove });
}

function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
