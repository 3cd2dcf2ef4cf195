// Normalizes an upstream's whole answer to exactly OpenAI's: ids are ours, required nullables are
// explicit, empty lists are absent, and usage is removed for billing.

import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { type AnswerContent, answerHead, type ChatRequest, type TokenUsage } from "@turnpike/wire";
import type { Provider, UnreadAnswer, WholeAnswer } from "../../provider.ts";
import { isErrorBody } from "../../refusals/parse-error-body.ts";
import { brokenOff, refusedInside, unreadable } from "../../refusals/refuse.ts";
import { acceptUnread } from "../accept-body.ts";
import { textOfDeltas, writtenChatText } from "../written-text.ts";
import { type ChatCall, isTranslated } from "./build-request.ts";
import { AudioCounter } from "./count-audio.ts";
import { countImages } from "./count-images.ts";
import { estimateTokens } from "./count-tokens.ts";
import { translateFinishReason } from "./finish-reason.ts";
import {
  answerKeys,
  argumentsText,
  copyUnknown,
  newCallId,
  parseAnswer,
  parseContent,
  parseMessage,
  writeReasoning,
} from "./parse-content.ts";
import { parseDeltas } from "./parse-deltas.ts";
import { parseUsage, withSearches, withServiceTier } from "./parse-usage.ts";
import { renameCalls } from "./rename-calls.ts";

const choiceKeys = new Set([
  "index",
  "message",
  "logprobs",
  "finish_reason",
  "native_finish_reason",
  "error",
  "usage",
  "delta",
  "text",
  "__proto__",
]);
const messageKeys = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "reasoning_content",
  "reasoning",
  "error",
  "__proto__",
]);

/** The audio and the images that were delivered. */
type Tally = {
  transcriptBytes: number;
  audioTokens: number;
  images: number;
  readonly request: ChatRequest;
};

function parseToolCall(call: JsonObject): JsonObject {
  const { index: _, ...rest } = call;
  const id = parseText(call.id) ?? newCallId();
  if (isObject(call.custom)) return { ...rest, id, type: "custom" };
  const called = isObject(call.function) ? call.function : {};
  const name = parseText(called.name) ?? "";
  const spelled = argumentsText(called.arguments);
  return { ...rest, id, type: "function", function: { ...called, name, arguments: spelled } };
}

function addToolCalls(message: JsonObject, given: readonly unknown[]): void {
  const calls = given.filter(isObject);
  if (calls.length > 0) message.tool_calls = calls.map(parseToolCall);
}

function normalizeMessage(source: JsonObject, counter: Tally): JsonObject {
  const { content, reasoning } = parseContent(source);
  const refusal = parseText(source.refusal) ?? null;
  const message: JsonObject = { role: "assistant", content, refusal };
  if (isObject(source.audio)) {
    const { transcript, tokens } = new AudioCounter(counter.request).add(source.audio);
    counter.transcriptBytes += Buffer.byteLength(transcript);
    counter.audioTokens += tokens;
  }
  counter.images += countImages(source);
  writeReasoning(message, reasoning);
  if (Array.isArray(source.tool_calls)) addToolCalls(message, source.tool_calls);
  if (isObject(source.function_call)) {
    const spelled = argumentsText(source.function_call.arguments);
    message.function_call = { ...source.function_call, arguments: spelled };
  }
  copyUnknown(message, source, messageKeys);
  return message;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

type ReadChoice = { readonly choice: JsonObject; readonly reason: string; readonly native: string };

function parseChoice(
  source: unknown,
  position: number,
  counter: Tally,
  provider: Provider,
  headers: Headers,
): ReadChoice {
  if (!isObject(source)) throw unreadable();
  if (source.error) throw refusedInside(source, provider, headers);
  const said = parseMessage(source) ?? source.delta;
  if (!isObject(said)) throw unreadable();
  const message = normalizeMessage(said, counter);
  const finish = parseText(source.finish_reason) ?? "stop";
  const native = parseText(source.native_finish_reason) ?? finish;
  const called = message.tool_calls ? "tools" : message.function_call ? "function" : "nothing";
  const reason = translateFinishReason(finish, called);
  if (reason === "failure") throw brokenOff();
  const choice: JsonObject = {
    index: isCount(source.index) ? source.index : position,
    message,
    logprobs: source.logprobs ?? null,
    finish_reason: reason,
  };
  if (native !== reason) choice.native_finish_reason = native;
  copyUnknown(choice, source, choiceKeys);
  return { choice, reason, native };
}

/** What the bill needs of an answer whose client has left. Throws the Fault of an error. */
export function parseUnread(
  call: ChatCall,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  return acceptUnread(members, call, headers, (body) => parseBilled(body, call));
}

function parseBilled(body: JsonObject, { request, provider }: ChatCall): TokenUsage | undefined {
  const usage = withServiceTier(
    parseUsage(body.usage, provider.quirks),
    request,
    body.service_tier,
  );
  return withSearches(usage, request, countAnswers(body, request));
}

/** For an answer that was not fully read because its client had disconnected: the choices asked for. */
function countAnswers({ choices }: JsonObject, { choices: asked }: ChatRequest): number {
  return Array.isArray(choices) ? Math.min(choices.length, asked) : asked;
}

/** Of the text that the caller is sent. */
function countBytes(content: AnswerContent, choices: readonly JsonObject[]): number {
  if (content.kind === "deltas") return Buffer.byteLength(textOfDeltas(content.deltas));
  let bytes = 0;
  for (const { message } of choices) {
    if (isObject(message)) bytes += Buffer.byteLength(writtenChatText(message));
  }
  return bytes;
}

const namedTexts = ["system_fingerprint", "service_tier"] as const;

/** Normalizes the body of a 200; throws a Fault if it is an error or not a chat completion. */
export function parseWhole(call: ChatCall, text: string, headers: Headers): WholeAnswer {
  const source = parseAnswer(text);
  if (!source) throw unreadable();
  if (isErrorBody(source)) throw refusedInside(source, call.provider, headers);
  if (!Array.isArray(source.choices)) throw unreadable();
  const counter: Tally = { transcriptBytes: 0, audioTokens: 0, images: 0, request: call.request };
  const choices: JsonObject[] = [];
  let first: ReadChoice | undefined;
  for (let index = 0; index < source.choices.length; index += 1) {
    const read = parseChoice(source.choices[index], index, counter, call.provider, headers);
    first ??= read;
    const { choice } = read;
    if (isObject(choice.message)) choice.message = renameCalls(choice.message, call);
    choices.push(choice);
  }
  if (first === undefined) throw unreadable();

  const body = answerHead(call.identity, "chat.completion");
  body.choices = choices;
  for (const key of namedTexts) {
    const value = parseText(source[key]);
    if (value !== undefined) body[key] = value;
  }
  copyUnknown(body, source, answerKeys);
  const content: AnswerContent = isTranslated(call)
    ? { kind: "deltas", deltas: choices.flatMap(parseDeltas) }
    : { kind: "body", body };
  return {
    kind: "whole",
    upstreamId: parseText(source.id),
    content,
    usage: parseBilled(source, call),
    finish: { reason: first.reason, native: first.native },
    deliveredTokens:
      estimateTokens(counter.transcriptBytes + countBytes(content, choices)) + counter.audioTokens,
    ...(counter.audioTokens > 0 && { deliveredAudioTokens: counter.audioTokens }),
    ...(counter.images > 0 && { deliveredImages: counter.images }),
  };
}
