// How many tokens is a prompt, by counting? Takes longer than `boundPrompt` and gives several times
// less: it decides only where the bound does not fit the money, or where nobody reported usage.

import { Fault } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import { boundOverhead, boundPrompt } from "./bound-prompt.ts";
import { countText, type Encoding } from "./count-text.ts";
import type { Model } from "./model.ts";

/** OpenAI's template around one message, and the opening of the answer. */
const tokensPerMessage = 4;
const tokensOfAnswerOpening = 3;
/** The longest id that `promptText` leaves out, and the name and brackets around it. */
const tokensPerToolCallId = 80;
/** A 1024 × 1024 image in high detail at OpenAI. */
const tokensPerImage = 765;
/** Two pages of a PDF: what a file unpacks to, only its reader knows. */
const tokensPerFile = 2_000;

/**
 * Tokens to hold for the prompt, an upper bound like `boundPrompt` and never above it: counted with
 * the model's own tokeniser, plus 10 % for what counting in slices may miss, plus the fixed
 * amounts. Where the tokeniser is not known there is nothing to count with, and the bound stands:
 * languages differ by a factor of seven between tokenisers.
 */
export async function countPrompt(model: Model, chat: ChatRequest): Promise<number> {
  const bound = boundPrompt(model, chat);
  if (chat.fileCount > 0 || model.tokenizer === "bytes") return bound;
  const tokens = await countText(chat.promptText(), { encoding: model.tokenizer, limit: bound });
  const overhead = boundOverhead(model, chat) + countToolCallIds(chat) * tokensPerToolCallId;
  return Math.min(Math.ceil((tokens * 11) / 10) + overhead, bound);
}

/** Ids are no part of `promptText`; some templates show them to the model all the same. */
function countToolCallIds(chat: ChatRequest): number {
  const { messages } = chat.parsed;
  if (!Array.isArray(messages)) return 0;
  let ids = 0;
  for (const message of messages) {
    const {
      tool_calls: calls,
      tool_call_id: id,
    }: { tool_calls?: unknown; tool_call_id?: unknown } = message;
    ids += (Array.isArray(calls) ? calls.length : 0) + (id === undefined ? 0 : 1);
  }
  return ids;
}

/** With which tokeniser to estimate: the one of most models where the model's own is not known. */
function encodingOf({ tokenizer }: Model): Encoding {
  return tokenizer === "bytes" ? "o200k_base" : tokenizer;
}

/** What the prompt most likely was, for the bill of an answer that ended without usage. */
export async function estimatePromptTokens(model: Model, chat: ChatRequest): Promise<number> {
  return (
    (await countText(chat.promptText(), { encoding: encodingOf(model) })) +
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
  const tokens = await countText(chat.promptText(), {
    encoding: encodingOf(model),
    limit: model.contextTokens + 1,
  });
  if (tokens <= model.contextTokens) return;
  throw new Fault(
    "context_length_exceeded",
    `This model's maximum context length is ${model.contextTokens} tokens. However, your messages are longer than that. Please reduce their length.`,
    { param: "messages" },
  );
}
