// The caller's own names for members of the request of generateContent that an interaction was translated to: refusals after
// the translation would otherwise name members that the caller never wrote.

/** By what they are there. */
const names: ReadonlyMap<string, string> = new Map([
  ["contents", "input"],
  ["systemInstruction", "system_instruction"],
  ["toolConfig", "generation_config.tool_choice"],
  ["serviceTier", "service_tier"],
  ["generationConfig.temperature", "generation_config.temperature"],
  ["generationConfig.topP", "generation_config.top_p"],
  ["generationConfig.seed", "generation_config.seed"],
  ["generationConfig.maxOutputTokens", "generation_config.max_output_tokens"],
  ["generationConfig.stopSequences", "generation_config.stop_sequences"],
  ["generationConfig.thinkingConfig", "generation_config.thinking_level"],
  ["generationConfig.thinkingConfig.includeThoughts", "generation_config.thinking_summaries"],
  ["generationConfig.responseMimeType", "response_format"],
  ["generationConfig.responseSchema", "response_format"],
  ["generationConfig.responseJsonSchema", "response_format"],
  ["generationConfig.responseModalities", "response_format"],
  ["image_config", "generation_config.image_config"],
]);

const declaration = /^tools\[0\]\.functionDeclarations(\[\d+\].*)$/;
const lastMember = /(?:\.\w+|\[\d+\])$/;

/** `places` are those of contents and parts. Members inside of these have other names. */
export function ownParam(param: string, places: ReadonlyMap<string, string>): string {
  const [, declared] = declaration.exec(param) ?? [];
  if (declared !== undefined) return `tools${declared}`;
  let path = param;
  while (path !== "") {
    const own = places.get(path) ?? names.get(path);
    if (own !== undefined) return own;
    const outer = path.replace(lastMember, "");
    if (outer === path) break;
    path = outer;
  }
  return param;
}
