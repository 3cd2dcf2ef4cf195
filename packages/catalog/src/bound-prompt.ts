// How many tokens can a prompt be at most? A byte-level tokeniser never makes more tokens than the
// text has UTF-8 bytes; what the upstream adds (template, roles, images, tools) has fixed amounts.

import type { ChatRequest } from "@turnpike/wire";
import type { Model } from "./model.ts";

/** Role, separators and the name of a message in any chat template. */
const tokensPerMessage = 16;
/** What a template writes around one tool definition, and once before the first of them. */
const tokensPerTool = 16;
const toolsPreambleTokens = 640;

/**
 * An upper bound without counting: cheap, and several times too high for ordinary prose. A file may
 * unpack to more text than it has bytes, so a request with files may fill the context.
 */
export function boundPrompt(model: Model, chat: ChatRequest): number {
  if (chat.fileCount > 0) return model.contextTokens;
  return Math.min(chat.textBytes + boundOverhead(model, chat), model.contextTokens);
}

/** What the prompt costs beyond its text. */
export function boundOverhead(model: Model, chat: ChatRequest): number {
  const tools = countTools(chat);
  return (
    model.templateTokens +
    chat.messageCount * tokensPerMessage +
    chat.imageCount * model.imageTokens +
    (tools === 0 ? 0 : toolsPreambleTokens + tools * tokensPerTool)
  );
}

function countTools(chat: ChatRequest): number {
  return lengthOf(chat.parsed.tools) + lengthOf(chat.parsed.functions);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
