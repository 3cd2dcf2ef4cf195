// How many tokens a prompt has, by counting. Takes longer than `boundPrompt` and returns several times
// less: it is used only if the bound does not fit the money, or if no usage was reported.

import type { ChatRequest, InputSize } from "@turnpike/wire";
import { boundAudio, boundMedia, boundOverhead, boundPrompt, readsPages } from "./bound-prompt.ts";
import { type CountCaller, type CountOptions, countText, encodingOf } from "./count-text.ts";
import type { ModelRequest } from "./model.ts";

/** OpenAI's template around one message, and the opening of the answer. */
const tokensPerMessage = 4;
const tokensOfAnswerOpening = 3;
/** The longest id that `promptText` leaves out, and the name and brackets around it. */
const tokensPerToolCallId = 80;
/** A 1024 × 1024 image in high detail at OpenAI. */
const tokensPerImage = 765;
/** Two pages of a PDF: only its reader knows how much a file unpacks to. */
const tokensPerFile = 2_000;

/**
 * Tokens to hold for the prompt, an upper bound like `boundPrompt` and never above it: counted with
 * the model's own tokenizer, plus 10 % for what counting in slices may miss, plus the fixed
 * amounts. If the tokenizer is not known there is nothing to count with, and the bound applies:
 * languages differ by a factor of seven between tokenizers.
 * Texts are counted no further than `limit` tokens.
 */
export async function countPrompt(
  modelRequest: ModelRequest,
  caller: CountCaller,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  const bound = boundPrompt(modelRequest);
  const { tokenizer } = modelRequest.model;
  if (tokenizer === "bytes") return bound;
  const counting = { ...caller, encoding: tokenizer, limit: Math.min(limit, bound) };
  if (modelRequest.operation !== "chat") {
    const { texts, inputCount, tokenCounts } = modelRequest.request;
    if (texts.length === 0) return bound;
    const tokens = await countTexts(modelRequest.request, counting);
    const counted = Math.ceil((tokens * 11) / 10) + inputCount + sum(tokenCounts);
    return Math.min(counted + boundMedia(modelRequest), bound);
  }
  const { model, request } = modelRequest;
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

/**
 * What the prompt most likely was, for the bill of an answer that ended without usage. Its text is counted no
 * further than `limit` tokens.
 */
export function estimatePromptTokens(
  modelRequest: ModelRequest,
  caller: CountCaller,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  return sumPrompt(modelRequest, { ...caller, encoding: encodingOf(modelRequest.model), limit });
}

/**
 * What the prompt was at most, for the bill of an answer that its client cut: by the model's own tokenizer, or
 * if that is not known by what any makes of its script. Never more than `boundPrompt`.
 */
export async function boundCutPrompt(
  modelRequest: ModelRequest,
  caller: CountCaller,
): Promise<number> {
  const isBound = modelRequest.model.tokenizer === "bytes";
  const counting = { ...caller, encoding: encodingOf(modelRequest.model), isBound };
  return Math.min(await sumPrompt(modelRequest, counting), boundPrompt(modelRequest));
}

async function sumPrompt(modelRequest: ModelRequest, counting: CountOptions): Promise<number> {
  if (modelRequest.operation !== "chat") {
    const { request } = modelRequest;
    const media = boundMedia(modelRequest);
    return sum(request.tokenCounts) + media + (await countTexts(request, counting));
  }
  return (await countText(modelRequest.request.promptText(), counting)) + besideText(modelRequest);
}

/** All texts, as often as each is read. */
async function countTexts(request: InputSize, counting: CountOptions): Promise<number> {
  const { texts, repeatedText, inputCount } = request;
  const tokens = await countText(texts.join("\n"), counting);
  if (repeatedText === undefined) return tokens;
  return tokens + inputCount * (await countText(repeatedText, counting));
}

/** What a chat has besides text, and the template around it. */
function besideText(modelRequest: ModelRequest): number {
  if (modelRequest.operation !== "chat") return 0;
  const { request } = modelRequest;
  return (
    request.messageCount * tokensPerMessage +
    request.imageCount * tokensPerImage +
    request.fileCount * tokensPerFile +
    boundAudio(modelRequest) +
    tokensOfAnswerOpening
  );
}

/** English prose and code have about as many. */
const bytesPerToken = 4;
/** Of a longer text the beginning is counted, and the rest is taken to be like it. */
const sampleChars = 65_536;

/** About how many tokens a prompt has, by its bytes alone: takes no time. For display, never for money. */
export function guessPromptTokens(modelRequest: ModelRequest): number {
  const guess =
    Math.ceil(modelRequest.request.textBytes / bytesPerToken) + besideText(modelRequest);
  return Math.min(guess, modelRequest.model.contextTokens);
}

/** The same by the model's tokenizer, in a time that does not grow with the prompt. */
export async function countPromptSample(
  modelRequest: ModelRequest,
  caller: CountCaller,
): Promise<number> {
  if (modelRequest.operation !== "chat") return guessPromptTokens(modelRequest);
  const text = modelRequest.request.promptText();
  const sample = text.slice(0, sampleChars);
  const counted = await countText(sample, { ...caller, encoding: encodingOf(modelRequest.model) });
  const tokens = text === sample ? counted : Math.ceil((counted * text.length) / sample.length);
  return Math.min(tokens + besideText(modelRequest), modelRequest.model.contextTokens);
}

function sum(counts: readonly number[]): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
