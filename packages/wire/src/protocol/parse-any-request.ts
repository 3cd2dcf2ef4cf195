// Reads a request without knowing for which endpoint it is: its language is told by members that no other
// language has.
import { Fault, isObject, type JsonObject } from "@turnpike/base";
import type { Operation } from "@turnpike/terms";
import { chatProtocol } from "../chat/chat-protocol.ts";
import { completionsProtocol } from "../completions/completions-protocol.ts";
import { embeddingsProtocol } from "../embeddings/embeddings-protocol.ts";
import { parseGeminiRequest } from "../gemini/parse-gemini-request.ts";
import { imagesProtocol } from "../images/images-protocol.ts";
import { parseInteractionsRequest } from "../interactions/parse-interactions-request.ts";
import { agentBounds } from "../json/edit-json-object.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { messagesProtocol } from "../messages/messages-protocol.ts";
import { moderationProtocol } from "../moderations/moderation-protocol.ts";
import { rerankProtocol } from "../rerank/rerank-protocol.ts";
import { responsesProtocol } from "../responses/responses-protocol.ts";
import { speechProtocol } from "../speech/speech-protocol.ts";
import { parseTranscriptionEstimate } from "../transcriptions/parse-transcription-estimate.ts";
import type { ParsedRequest } from "./pivot.ts";
import type { RequestHeaders } from "./request-headers.ts";

type Parse = (text: string, headers: RequestHeaders) => ParsedRequest;

/**
 * `operationOf` says what a model is for: embeddings and responses may both have a text as `input`. Throws what
 * it throws, and the Fault of the protocol's own parser.
 */
export function parseAnyRequest(
  text: string,
  headers: RequestHeaders,
  operationOf: (model: string) => Operation,
): ParsedRequest {
  // The widest bounds; the protocol's own parser applies its own.
  const { parsed } = parseJsonBody(text, agentBounds);
  return parserOf(parsed, headers, operationOf)(text, headers);
}

function parserOf(
  body: JsonObject,
  headers: RequestHeaders,
  operationOf: (model: string) => Operation,
): Parse {
  const own = parserOfModel(body, operationOf);
  if (own !== undefined) return own;
  if (isGiven(body.messages)) {
    const isAnthropic = headers.get("anthropic-version") !== null || isMessagesBody(body);
    return isAnthropic ? messagesProtocol.parse : chatProtocol.parse;
  }
  if (isInteraction(body)) return parseInteractionsRequest;
  if (isGiven(body.input)) return responsesProtocol.parse;
  if (isGiven(body.contents)) return (raw) => parseGeminiRequest(raw);
  if (isGiven(body.prompt)) return completionsProtocol.parse;
  throw new Fault(
    "missing_required_parameter",
    "Missing required parameter: 'messages'. Send the body of a request to /v1/chat/completions or /v1/messages (`messages`), /v1/responses or /v1/embeddings (`input`), of generateContent (`contents`, with the `model` in the body), of /v1beta/interactions (`input`, with its `generation_config` or steps), or /v1/completions (`prompt`).",
    { param: "messages" },
  );
}

/** Of the operations that have one endpoint; a chat may be asked for in several languages. */
const parserOfOperation: Readonly<Partial<Record<Operation, Parse>>> = {
  embeddings: embeddingsProtocol.parse,
  image: imagesProtocol.parse,
  speech: speechProtocol.parse,
  transcription: parseTranscriptionEstimate,
  rerank: rerankProtocol.parse,
  moderation: moderationProtocol.parse,
};

/** Without messages: what has them is a chat, whatever its model is for. */
function parserOfModel(
  { model, messages }: JsonObject,
  operationOf: (model: string) => Operation,
): Parse | undefined {
  if (typeof model !== "string" || isGiven(messages)) return undefined;
  return parserOfOperation[operationOf(model)];
}

/** Blocks, tools and choices of Anthropic's API; chat completions refuse or do not have them. */
const blockTypes: readonly unknown[] = [
  "image",
  "document",
  "search_result",
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
];
/** Contents and steps of the Interactions API. */
const inputTypes: readonly unknown[] = [
  "text",
  "image",
  "audio",
  "video",
  "document",
  "user_input",
  "model_output",
  "thought",
  "function_result",
];
const choiceTypes: readonly unknown[] = ["auto", "any", "tool", "none"];

function isMessagesBody({ system, stop_sequences, tool_choice, tools, messages }: JsonObject) {
  if (isGiven(system) || isGiven(stop_sequences)) return true;
  if (isObject(tool_choice) && choiceTypes.includes(tool_choice.type)) return true;
  // The name of a chat completion's tool is a member of its `function`.
  if (has(tools, (tool) => isGiven(tool.name))) return true;
  return has(messages, ({ content }) => has(content, ({ type }) => blockTypes.includes(type)));
}

/** What no other language has. A text alone is priced in the same way as a response. */
function isInteraction({ input, system_instruction, generation_config }: JsonObject): boolean {
  if (isGiven(system_instruction) || isGiven(generation_config)) return true;
  return has(Array.isArray(input) ? input : [input], ({ type }) => inputTypes.includes(type));
}

function has(list: unknown, test: (entry: JsonObject) => boolean): boolean {
  return Array.isArray(list) && list.some((entry: unknown) => isObject(entry) && test(entry));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
