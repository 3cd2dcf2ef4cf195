// The chat completions protocol: OpenAI's request, answer and stream. What an upstream of the same
// language sent is framed unchanged; typed deltas of any other are written as chunks.
import { chatIdOf, type Fault, type JsonObject } from "@turnpike/base";
import { openaiErrors } from "../errors/error-format.ts";
import { errorEvent } from "../errors/fault-answer.ts";
import { openrouterErrorChunk } from "../errors/openrouter-errors.ts";
import { answerHead } from "../protocol/answer-head.ts";
import { chatContent } from "../protocol/chat-content.ts";
import { chatLanguage } from "../protocol/languages.ts";
import type { AnswerContent, AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { Protocol, StreamWriter } from "../protocol/protocol.ts";
import {
  expectsUsage,
  isOpenRouterClient,
  type RequestHeaders,
} from "../protocol/request-headers.ts";
import { sseData, sseDone, sseKeepAlive } from "../protocol/sse.ts";
import { type ChatRequest, parseChatRequest } from "./parse-chat-request.ts";
import { ReasoningDetails, reasoningOfCall, reasoningText } from "./present-reasoning.ts";
import { asFunctionCall, presentFunctionCall, presentToolCall } from "./present-tool-call.ts";
import { usageBody, usageChunk } from "./present-usage.ts";
import { presentImage, wholeBody } from "./write-whole.ts";

export const chatProtocol: Protocol<ChatRequest> = {
  operation: "chat",
  language: chatLanguage,
  errors: openaiErrors,
  parse: parseChatRequest,
  shapeFor: chatShapeFor,
  answerId: chatIdOf,
  writeWhole,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    isResumable: true,
    open: (request, identity) => new ChatStreamWriter(request, identity),
  },
};

function chatShapeFor(headers: RequestHeaders): string {
  if (isOpenRouterClient(headers)) return "openrouter";
  return expectsUsage(headers) ? "usage" : "";
}

/** The same for callers of OpenRouter's base path: every stream ends with its usage, and answers name their provider. */
export function asOpenRouter(protocol: Protocol<ChatRequest>): Protocol<ChatRequest> {
  return {
    ...protocol,
    parse: (text, headers) => ({
      ...protocol.parse(text, headers),
      includeUsage: true,
      showsProvider: true,
    }),
    shapeFor: (headers) => protocol.shapeFor?.(headers) || "usage",
  };
}

function writeWhole(
  answer: AnswerContent,
  identity: AnswerIdentity,
  bill: Bill | undefined,
  { callsFunctions, isForOpenRouter }: ChatRequest,
): string {
  const content = chatContent(answer);
  const body =
    content.kind === "body"
      ? content.body
      : wholeBody(content.deltas, identity, { callsFunctions: callsFunctions === true });
  if (isForOpenRouter === true) body.system_fingerprint ??= null;
  if (bill !== undefined) body.usage = usageBody(bill.usage, bill.costNanos);
  return JSON.stringify(body);
}

/** Whether chunks before the last one say that there is no usage yet, as at OpenAI. */
export function showsNoUsageYet({ includeUsage, isForOpenRouter }: ChatRequest): boolean {
  return includeUsage && isForOpenRouter !== true;
}

type TextFrame = { readonly head: string; readonly tail: string };

const emptyContent = '"content":""';

class ChatStreamWriter implements StreamWriter {
  readonly #request: ChatRequest;
  readonly #identity: AnswerIdentity;
  /** Per choice whose role was already sent. */
  readonly #details = new Map<number, ReasoningDetails>();
  /** What is around the text of a choice in its chunks, except in the first. */
  readonly #frames = new Map<number, TextFrame>();

  constructor(request: ChatRequest, identity: AnswerIdentity) {
    this.#request = request;
    this.#identity = identity;
  }

  writeOwn(json: string): string {
    return sseData(json);
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    let text = "";
    for (const delta of deltas) {
      if (delta.kind === "text" && this.#details.has(delta.choice)) {
        const { head, tail } = this.#frameOf(delta.choice);
        text += head + JSON.stringify(delta.text) + tail;
        continue;
      }
      const event = this.#request.callsFunctions === true ? asFunctionCall(delta) : delta;
      if (event !== undefined) text += sseData(JSON.stringify(this.#chunk(event)));
    }
    return text;
  }

  writeEnd(bill: Bill | undefined): string {
    if (!this.#request.includeUsage || bill === undefined) return sseDone;
    return sseData(usageChunk(this.#identity, bill)) + sseDone;
  }

  writeFault(fault: Fault): string {
    if (this.#request.isForOpenRouter !== true) return errorEvent(fault);
    return sseData(JSON.stringify(openrouterErrorChunk(fault, this.#identity)));
  }

  /** Nearly all of a stream are chunks with some text, which differ in nothing else. */
  #frameOf(choice: number): TextFrame {
    let frame = this.#frames.get(choice);
    if (frame === undefined) {
      const empty = sseData(JSON.stringify(this.#chunk({ kind: "text", choice, text: "" })));
      const textAt = empty.lastIndexOf(emptyContent) + emptyContent.length - 2;
      frame = { head: empty.slice(0, textAt), tail: empty.slice(textAt + 2) };
      this.#frames.set(choice, frame);
    }
    return frame;
  }

  #chunk(event: DeltaEvent): JsonObject {
    const started = this.#details.get(event.choice);
    const details = started ?? new ReasoningDetails();
    if (started === undefined) this.#details.set(event.choice, details);
    const content = event.kind === "tool_call" ? null : "";
    const delta: JsonObject = started === undefined ? { role: "assistant", content } : {};
    if (event.kind === "tool_call" && this.#request.callsFunctions === true) {
      delta.function_call = presentFunctionCall(event);
    } else addToDelta(delta, event, details);
    const choice = {
      index: event.choice,
      delta,
      logprobs: event.kind === "logprobs" ? event.logprobs : null,
      finish_reason: event.kind === "finish" ? event.reason : null,
    };
    const chunk = answerHead(this.#identity, "chat.completion.chunk");
    chunk.choices = [choice];
    if (showsNoUsageYet(this.#request)) chunk.usage = null;
    return chunk;
  }
}

function addToDelta(delta: JsonObject, event: DeltaEvent, details: ReasoningDetails): void {
  switch (event.kind) {
    case "text":
      delta.content = event.text;
      break;
    case "reasoning":
      Object.assign(delta, reasoningText(event.text));
      delta.reasoning_details = [details.next(event)];
      break;
    case "reasoning_encrypted":
      delta.reasoning_details = [details.next(event)];
      break;
    case "refusal":
      delta.refusal = event.text;
      break;
    case "tool_call": {
      delta.tool_calls = [{ index: event.index, ...presentToolCall(event) }];
      const signed = reasoningOfCall(event);
      if (signed !== undefined) delta.reasoning_details = [details.next(signed)];
      break;
    }
    case "audio":
      delta.audio = event.audio;
      break;
    case "image":
      delta.images = [presentImage(event.url, 0)];
      break;
    case "logprobs":
    case "finish":
      break;
  }
}
