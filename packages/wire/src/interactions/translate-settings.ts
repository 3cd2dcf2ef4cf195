// The settings of an interaction as those of generateContent, under whose names they are translated for every provider.
import { isObject, type JsonObject, parseText } from "@turnpike/base";

/** What has the same meaning there. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["temperature", "temperature"],
  ["top_p", "topP"],
  ["seed", "seed"],
  ["max_output_tokens", "maxOutputTokens"],
  ["stop_sequences", "stopSequences"],
]);

const shownSettings = new Set([
  ...renamed.keys(),
  "thinking_level",
  "thinking_summaries",
  "tool_choice",
  "image_config",
]);

/** Names of settings that no counterpart is known of. */
export function unknownSettings({ generation_config: config }: JsonObject): readonly string[] {
  if (!isObject(config)) return [];
  return Object.keys(config).filter(
    (name) => !shownSettings.has(name) && (config[name] ?? null) !== null,
  );
}

/** `generationConfig` and `toolConfig`. */
export function translateSettings(body: JsonObject): JsonObject {
  const config = isObject(body.generation_config) ? body.generation_config : {};
  const generationConfig: JsonObject = {};
  for (const [name, googles] of renamed) {
    if ((config[name] ?? null) !== null) generationConfig[googles] = config[name];
  }
  const thinkingLevel = parseText(config.thinking_level)?.toUpperCase();
  generationConfig.thinkingConfig = {
    ...(thinkingLevel !== undefined && { thinkingLevel }),
    includeThoughts: config.thinking_summaries === "auto",
  };
  Object.assign(generationConfig, formatOf(body));
  const functionCallingConfig = choiceOf(config.tool_choice);
  return {
    generationConfig,
    ...(functionCallingConfig !== undefined && { toolConfig: { functionCallingConfig } }),
  };
}

function choiceOf(choice: unknown): JsonObject | undefined {
  if (typeof choice === "string") return { mode: choice.toUpperCase() };
  const allowed = isObject(choice) ? choice.allowed_tools : undefined;
  if (!isObject(allowed)) return undefined;
  const mode = parseText(allowed.mode)?.toUpperCase() ?? "AUTO";
  return { mode, allowedFunctionNames: allowed.tools ?? [] };
}

/** How images are to look, which a chat completion says in a member of its own. */
export function imageConfigOf({
  generation_config: config,
  response_format: format,
}: JsonObject): JsonObject | undefined {
  const image = formatsOf(format).find(({ type }) => type === "image") ?? {};
  const general = isObject(config) && isObject(config.image_config) ? config.image_config : {};
  const { aspect_ratio = general.aspect_ratio, image_size = general.image_size } = image;
  if ((aspect_ratio ?? image_size ?? null) === null) return undefined;
  return {
    ...((aspect_ratio ?? null) !== null && { aspect_ratio }),
    ...((image_size ?? null) !== null && { image_size }),
  };
}

/** Source: `ResponseFormat`, and the members that it has replaced. */
function formatOf(body: JsonObject): JsonObject {
  const { response_modalities: modalities, response_mime_type: mimeType } = body;
  const formats = formatsOf(body.response_format);
  const kinds = formats.map(({ type }) => (type === "image" ? "image" : "text"));
  const written = formats.find(({ type }) => type !== "image");
  return {
    responseModalities: [...new Set(kinds.length > 0 ? kinds : listOf(modalities))],
    ...textFormatOf(written, parseText(mimeType)),
  };
}

/** An object that is no format of a text is a schema. */
function textFormatOf(format: JsonObject | undefined, mimeType: string | undefined): JsonObject {
  const isFormat = format?.type === "text";
  const schema = isFormat ? format.schema : format;
  const type = (isFormat ? parseText(format.mime_type) : undefined) ?? mimeType;
  if (!isObject(schema)) return type === "application/json" ? { responseMimeType: type } : {};
  return { responseMimeType: "application/json", responseJsonSchema: schema };
}

function formatsOf(format: unknown): readonly JsonObject[] {
  return (Array.isArray(format) ? format : [format]).filter(isObject);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
