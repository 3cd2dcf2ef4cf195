// What the scripted upstream needs to know about a generateContent request. Like the real service, and
// unlike OpenAI-compatible ones, it refuses every unknown field and every call whose signature is missing.
import { type ChatBody, fieldsOf } from "./parse-chat-body.ts";
import { ScriptError } from "./parse-script.ts";

type Fields = Readonly<Record<string, unknown>>;

const itemsOf = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : []);

const known = {
  body: [
    "contents",
    "systemInstruction",
    "tools",
    "toolConfig",
    "generationConfig",
    "safetySettings",
    "cachedContent",
  ],
  generationConfig: [
    "maxOutputTokens",
    "temperature",
    "topP",
    "topK",
    "stopSequences",
    "candidateCount",
    "seed",
    "presencePenalty",
    "frequencyPenalty",
    "responseMimeType",
    "responseJsonSchema",
    "responseSchema",
    "mediaResolution",
    "thinkingConfig",
    "responseLogprobs",
    "logprobs",
    "responseModalities",
  ],
  thinkingConfig: ["includeThoughts", "thinkingBudget", "thinkingLevel"],
  content: ["role", "parts"],
  part: [
    "text",
    "thought",
    "thoughtSignature",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
  ],
  functionCall: ["id", "name", "args"],
  functionResponse: ["id", "name", "response", "parts"],
  inlineData: ["mimeType", "data"],
  fileData: ["mimeType", "fileUri"],
  tool: ["functionDeclarations", "googleSearch"],
  functionDeclaration: ["name", "description", "parametersJsonSchema", "parameters"],
} as const;

function assertKnown(fields: Fields, place: keyof typeof known): void {
  const names: readonly string[] = known[place];
  const unknown = Object.keys(fields).find((name) => !names.includes(camelOf(name)));
  if (unknown === undefined) return;
  throw new ScriptError(`Invalid JSON payload received. Unknown name "${unknown}" in ${place}.`);
}

/** The service takes each name in the words of protocol buffers as well. */
function camelOf(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function parseGeminiBody(parsed: unknown, path: string): ChatBody {
  const body = fieldsOf(parsed);
  const config = fieldsOf(body.generationConfig);
  assertKnown(body, "body");
  assertKnown(config, "generationConfig");
  const thinking = fieldsOf(config.thinkingConfig);
  assertKnown(thinking, "thinkingConfig");
  const contents = itemsOf(body.contents);
  for (const content of contents) checkContent(content);
  if (contents.length === 0) throw new ScriptError("contents is not specified");
  const tools = itemsOf(body.tools).flatMap(parseTool);
  const lastUser = contents.findLast(({ role, parts }) => role === "user" && textOf(parts) !== "");
  const [, model, method] = /\/models\/([^/:]+):(\w+)/.exec(path) ?? [];
  if (method === "streamGenerateContent" && !path.includes("alt=sse")) {
    throw new ScriptError("this upstream streams only with alt=sse");
  }
  return {
    model: model ?? "",
    stream: method === "streamGenerateContent",
    includeUsage: true,
    choices: typeof config.candidateCount === "number" ? config.candidateCount : 1,
    maxTokens: typeof config.maxOutputTokens === "number" ? config.maxOutputTokens : undefined,
    lastUserText: textOf(lastUser?.parts),
    toolResult: resultOf(contents.at(-1)),
    tools,
    asksThinking: thinking.includeThoughts === true,
    promptTokens: countPrompt(body, contents),
  };
}

function checkContent(content: Fields): void {
  assertKnown(content, "content");
  const parts = itemsOf(content.parts);
  if (parts.length === 0) throw new ScriptError("contents.parts must not be empty.");
  for (const part of parts) {
    assertKnown(part, "part");
    assertKnown(fieldsOf(part.functionCall), "functionCall");
    assertKnown(fieldsOf(part.functionResponse), "functionResponse");
    assertKnown(fieldsOf(part.inlineData), "inlineData");
    assertKnown(fieldsOf(part.fileData), "fileData");
  }
  const firstCall = parts.find(({ functionCall }) => functionCall !== undefined);
  if (firstCall !== undefined && typeof firstCall.thoughtSignature !== "string") {
    throw new ScriptError("Function call is missing a thought_signature in functionCall parts.");
  }
}

function parseTool(tool: Fields) {
  assertKnown(tool, "tool");
  return itemsOf(tool.functionDeclarations).map((declaration) => {
    assertKnown(declaration, "functionDeclaration");
    const { name, parametersJsonSchema, parameters = parametersJsonSchema } = declaration;
    return { name: String(name), parameters };
  });
}

function textOf(parts: unknown): string {
  return itemsOf(parts)
    .filter(({ thought }) => thought !== true)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

/** The text of a tool's answer, when that is the last turn. */
function resultOf(content: Fields | undefined): string | undefined {
  const results = itemsOf(content?.parts).filter((part) => part.functionResponse !== undefined);
  if (results.length === 0) return undefined;
  return results
    .map((part) => {
      const { output, error } = fieldsOf(fieldsOf(part.functionResponse).response);
      return String(output ?? error ?? "");
    })
    .join("");
}

const tokensPerContent = 4;
const tokensPerMedium = 258;

/** A quarter of the text's bytes, rounded up, and a constant for each turn and image. */
function countPrompt(body: Fields, contents: readonly Fields[]): number {
  let tokens = quarterOfBytes(textOf(fieldsOf(body.systemInstruction).parts));
  for (const { parts } of contents) {
    tokens += tokensPerContent + quarterOfBytes(textOf(parts));
    for (const part of itemsOf(parts)) {
      const called = part.functionCall ?? part.functionResponse;
      if (called !== undefined) tokens += quarterOfBytes(JSON.stringify(called));
      if (part.inlineData ?? part.fileData) tokens += tokensPerMedium;
    }
  }
  if (body.tools) tokens += quarterOfBytes(JSON.stringify(body.tools));
  return tokens;
}

function quarterOfBytes(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
