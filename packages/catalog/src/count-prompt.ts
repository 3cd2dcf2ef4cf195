// How many tokens is a prompt, by counting? Dearer to find out than `boundPrompt`, and several times
// lower: it decides only where the bound does not fit the money, or where nobody reported usage.

import { Fault } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import { boundOverhead, boundPrompt } from "./bound-prompt.ts";
import { countText } from "./count-text.ts";
import type { Model } from "./model.ts";

/** OpenAI's template around one message, and the opening of the answer. */
const tokensPerMessage = 4;
const tokensOfAnswerOpening = 3;
/** A 1024 × 1024 image in high detail at OpenAI. */
const tokensPerImage = 765;
/** Two pages of a PDF: what a file unpacks to, only its reader knows. */
const tokensPerFile = 2_000;

/**
 * Tokens to hold for the prompt: counted, plus 10 % for tokenisers that differ from ours, plus the
 * fixed amounts. Never more than `boundPrompt`.
 */
export async function countPrompt(model: Model, chat: ChatRequest): Promise<number> {
  const bound = boundPrompt(model, chat);
  if (chat.fileCount > 0) return bound;
  const tokens = await countText(chat.promptText(), bound);
  return Math.min(Math.ceil((tokens * 11) / 10) + boundOverhead(model, chat), bound);
}

/** What the prompt most likely was, for the bill of an answer that ended without usage. */
export async function estimatePromptTokens(chat: ChatRequest): Promise<number> {
  return (
    (await countText(chat.promptText())) +
    chat.messageCount * tokensPerMessage +
    chat.imageCount * tokensPerImage +
    chat.fileCount * tokensPerFile +
    tokensOfAnswerOpening
  );
}

/**
 * Throws `context_length_exceeded` where the text alone is longer than the model's context. A hold
 * reserves no more than the context, so a longer prompt would be read at the operator's expense.
 * Counts only texts that have more bytes than the context has tokens.
 */
export async function refuseOverlongPrompt(model: Model, chat: ChatRequest): Promise<void> {
  if (chat.textBytes <= model.contextTokens) return;
  const tokens = await countText(chat.promptText(), model.contextTokens + 1);
  if (tokens <= model.contextTokens) return;
  throw new Fault(
    "context_length_exceeded",
    `This model's maximum context length is ${model.contextTokens} tokens. However, your messages are longer than that. Please reduce their length.`,
    { param: "messages" },
  );
}
