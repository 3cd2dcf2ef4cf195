// The most tokens a prompt can have. A byte-level tokenizer never produces more tokens than the
// text has UTF-8 bytes; what the upstream adds (template, roles, images, tools) has fixed amounts.

import type { ChatRequest } from "@turnpike/wire";
import {
  type ChatModel,
  defaultAudioTokensPerSecond,
  defaultImageTokens,
  type ModelRequest,
} from "./model.ts";
import { boundTextTokens } from "./operations/bound-search-units.ts";

/** Role, separators and the name of a message in any chat template. */
const tokensPerMessage = 16;
/** What a template writes around one tool definition, and once before the first of them. */
const tokensPerTool = 16;
const toolsPreambleTokens = 640;

/** Beginning and end of a text, for models that mark them. */
const tokensPerInput = 4;

/**
 * An upper bound without counting: cheap, and several times too high for ordinary prose. A file may
 * unpack to more text than it has bytes, so a request with files may fill the context.
 */
export function boundPrompt(modelRequest: ModelRequest): number {
  if (modelRequest.operation !== "chat") return boundInputs(modelRequest);
  const { model, request } = modelRequest;
  if (request.fileCount > 0 || readsPages(request)) return model.contextTokens;
  return Math.min(request.textBytes + boundOverhead(model, request), model.contextTokens);
}

/** Some providers bill search results as prompt tokens, because the model reads them. */
export function readsPages({ extras }: ChatRequest): boolean {
  return extras !== undefined && extras.searches > 0;
}

/** The most tokens that the audio of a prompt can have. */
export function boundAudio({ operation, model, request }: ModelRequest): number {
  if (operation !== "chat" || request.extras === undefined) return 0;
  const { audioTokensPerSecond = defaultAudioTokensPerSecond } = model;
  const tokens = Math.ceil(request.extras.audioSeconds * audioTokensPerSecond);
  return Math.min(tokens, model.contextTokens);
}

/** The most prompt tokens a call can be billed for. */
export function promptMax(modelRequest: ModelRequest): number {
  const { contextTokens } = modelRequest.model;
  return modelRequest.operation === "chat"
    ? contextTokens
    : contextTokens * modelRequest.request.inputCount + boundMedia(modelRequest);
}

/** Each input is processed separately, so together they may be longer than the context. */
function boundInputs(asked: OperationCall): number {
  const { inputCount, tokenCounts } = asked.request;
  let tokens = boundTextTokens(asked.model, asked.request) + inputCount * tokensPerInput;
  if (asked.operation === "transcription") tokens += instructionTokens;
  for (const count of tokenCounts) tokens += count;
  return Math.min(tokens, asked.model.contextTokens * inputCount) + boundMedia(asked);
}

/** What a model of chats is told, in words, to do with an audio file. */
const instructionTokens = 256;

/** Every operation but chat. */
type OperationCall = Exclude<ModelRequest, { operation: "chat" }>;

/** The most prompt tokens of what is no text: images to edit, and audio to write down. */
export function boundMedia(asked: OperationCall): number {
  if (asked.operation === "image") {
    const { references, mask } = asked.request;
    return (references.length + (mask === undefined ? 0 : 1)) * asked.model.imageTokens;
  }
  if (asked.operation === "transcription") {
    return Math.ceil((asked.request.holdMs * asked.model.audioTokensPerSecond) / 1_000);
  }
  if (asked.operation === "embeddings") {
    return asked.request.imageCount * (asked.model.imageTokens ?? defaultImageTokens);
  }
  if (asked.operation === "moderation") return asked.request.imageCount * defaultImageTokens;
  return 0;
}

/** The part of them that is images. */
export function boundImages(asked: ModelRequest): number {
  const { operation } = asked;
  return operation === "image" || operation === "embeddings" ? boundMedia(asked) : 0;
}

/** What a chat prompt costs beyond its text. */
export function boundOverhead(model: ChatModel, chat: ChatRequest): number {
  const tools = lengthOf(chat.parsed.tools) + lengthOf(chat.parsed.functions);
  return (
    model.templateTokens +
    chat.messageCount * tokensPerMessage +
    chat.imageCount * model.imageTokens +
    boundAudio({ operation: "chat", model, request: chat }) +
    (tools === 0 ? 0 : toolsPreambleTokens + tools * tokensPerTool)
  );
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
