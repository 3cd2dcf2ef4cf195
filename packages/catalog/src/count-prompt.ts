// How many tokens a prompt is, by counting. Takes longer than `boundPrompt` and gives several times
// less: it decides only where the bound does not fit the money, or where no usage was reported. Accounts take
// turns at counting: `account` is the caller's.

import { Fault } from "@turnpike/base";
import type { ChatRequest, EmbeddingsRequest } from "@turnpike/wire";
import { boundAudio, boundOverhead, boundPrompt, readsPages } from "./bound-prompt.ts";
import { countText, type Encoding } from "./count-text.ts";
import type { EmbeddingsModel, Model, ModelRequest } from "./model.ts";

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
export async function countPrompt(asked: ModelRequest, account = ""): Promise<number> {
  const bound = boundPrompt(asked);
  const { tokenizer } = asked.model;
  if (tokenizer === "bytes") return bound;
  const counting = { encoding: tokenizer, limit: bound, account };
  if (asked.operation === "embeddings") {
    const { texts, inputCount, tokenCounts } = asked.request;
    if (texts.length === 0) return bound;
    const tokens = await countText(texts.join("\n"), counting);
    return Math.min(Math.ceil((tokens * 11) / 10) + inputCount + sum(tokenCounts), bound);
  }
  const { model, request } = asked;
  if (request.fileCount > 0 || readsPages(request)) return bound;
  const tokens = await countText(request.promptText(), counting);
  const overhead = boundOverhead(model, request) + countToolCallIds(request) * tokensPerToolCallId;
  return Math.min(Math.ceil((tokens * 11) / 10) + overhead, bound);
}

/** Ids are no part of `promptText`; some templates show them to the model anyway. */
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

/**
 * What the prompt most likely was, for the bill of an answer that ended without usage. Its text is counted no
 * further than `limit` tokens.
 */
export async function estimatePromptTokens(
  asked: ModelRequest,
  account = "",
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  const counting = { encoding: encodingOf(asked.model), account, limit };
  if (asked.operation === "embeddings") {
    const { texts, tokenCounts } = asked.request;
    return sum(tokenCounts) + (await countText(texts.join("\n"), counting));
  }
  const { request } = asked;
  return (
    (await countText(request.promptText(), counting)) +
    request.messageCount * tokensPerMessage +
    request.imageCount * tokensPerImage +
    request.fileCount * tokensPerFile +
    boundAudio(asked) +
    tokensOfAnswerOpening
  );
}

function sum(counts: readonly number[]): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/**
 * Throws `context_length_exceeded` where the text alone is longer than the model's context. A hold
 * reserves no more than the context, so a longer prompt would be read at the operator's expense.
 * Counts only texts that have more bytes than the context has tokens.
 */
export async function refuseOverlongPrompt(asked: ModelRequest, account = ""): Promise<void> {
  if (asked.operation === "embeddings") {
    return refuseOverlongInput(asked.model, asked.request, account);
  }
  const { model, request } = asked;
  if (request.textBytes <= model.contextTokens) return;
  if (await fitsContext(model, request.promptText(), account)) return;
  throw new Fault(
    "context_length_exceeded",
    `This model's maximum context length is ${model.contextTokens} tokens. However, your messages are longer than that. Please reduce their length.`,
    { param: "messages" },
  );
}

async function refuseOverlongInput(
  model: EmbeddingsModel,
  { texts, tokenCounts }: EmbeddingsRequest,
  account: string,
): Promise<void> {
  let overlong = tokenCounts.findIndex((count) => count > model.contextTokens);
  for (let index = 0; index < texts.length && overlong === -1; index += 1) {
    const text = texts[index] ?? "";
    // No text has more UTF-8 bytes than three times its UTF-16 units.
    if (text.length * 3 <= model.contextTokens) continue;
    if (Buffer.byteLength(text) <= model.contextTokens) continue;
    if (!(await fitsContext(model, text, account))) overlong = index;
  }
  if (overlong === -1) return;
  throw new Fault(
    "context_length_exceeded",
    `This model's maximum context length is ${model.contextTokens} tokens. However, the input at index ${overlong} is longer than that. Please reduce its length or split it.`,
    { param: "input" },
  );
}

async function fitsContext(model: Model, text: string, account: string): Promise<boolean> {
  const limit = model.contextTokens + 1;
  const tokens = await countText(text, { encoding: encodingOf(model), limit, account });
  return tokens <= model.contextTokens;
}
