// The chat completions protocol: OpenAI's request, answer and stream. What an upstream of the same
// language sent is framed as it is; typed deltas of any other are written as chunks.
import { chatIdOf, type Fault, type JsonObject } from "@turnpike/base";
import { errorEvent } from "../fault-answer.ts";
import type { AnswerContent, AnswerStamp, Bill, DeltaEvent, FinishReason } from "../pivot.ts";
import type { Protocol, StreamWriter } from "../protocol.ts";
import { sseData, sseDone, sseKeepAlive } from "../sse.ts";
import { type ChatRequest, chatLanguage, parseChatRequest } from "./parse-chat-request.ts";
import { usageBody, usageChunk } from "./present-usage.ts";

export const chatProtocol: Protocol<ChatRequest> = {
  operation: "chat",
  language: chatLanguage,
  parse: parseChatRequest,
  answerId: chatIdOf,
  writeWhole,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    open: (request, stamp) => new ChatStreamWriter(request, stamp),
  },
};

function writeWhole(content: AnswerContent, stamp: AnswerStamp, bill: Bill | undefined): string {
  const body = content.kind === "body" ? content.body : wholeBody(content.deltas, stamp);
  if (bill !== undefined) body.usage = usageBody(bill.usage, bill.costNanos);
  return JSON.stringify(body);
}

class ChatStreamWriter implements StreamWriter {
  readonly #request: ChatRequest;
  readonly #stamp: AnswerStamp;
  /** Choices whose role was already sent. */
  readonly #started = new Set<number>();

  constructor(request: ChatRequest, stamp: AnswerStamp) {
    this.#request = request;
    this.#stamp = stamp;
  }

  writeOwn(json: string): string {
    return sseData(json);
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    let text = "";
    for (const event of deltas) text += sseData(JSON.stringify(this.#chunk(event)));
    return text;
  }

  writeEnd(bill: Bill | undefined): string {
    if (!this.#request.includeUsage || bill === undefined) return sseDone;
    return sseData(usageChunk(this.#stamp, bill)) + sseDone;
  }

  writeFault(fault: Fault): string {
    return errorEvent(fault);
  }

  #chunk(event: DeltaEvent): JsonObject {
    const delta: JsonObject = this.#started.has(event.choice)
      ? {}
      : { role: "assistant", content: event.kind === "tool_call" ? null : "" };
    this.#started.add(event.choice);
    addToDelta(delta, event);
    const choice = {
      index: event.choice,
      delta,
      logprobs: event.kind === "logprobs" ? event.logprobs : null,
      finish_reason: event.kind === "finish" ? event.reason : null,
    };
    const { id, created, model } = this.#stamp;
    const chunk: JsonObject = {
      id,
      object: "chat.completion.chunk",
      created,
      model,
      choices: [choice],
    };
    if (this.#request.includeUsage) chunk.usage = null;
    return chunk;
  }
}

function addToDelta(delta: JsonObject, event: DeltaEvent): void {
  switch (event.kind) {
    case "text":
      delta.content = event.text;
      break;
    case "reasoning":
      Object.assign(delta, reasoningFields(event.text, event.signature));
      break;
    case "refusal":
      delta.refusal = event.text;
      break;
    case "tool_call":
      delta.tool_calls = [toolCallDelta(event)];
      break;
    case "audio":
      delta.audio = event.audio;
      break;
    case "logprobs":
    case "finish":
      break;
  }
}

/** Both names that clients read; the signature where OpenRouter puts it. */
function reasoningFields(text: string, signature: string | undefined): JsonObject {
  const fields: JsonObject = {};
  if (text !== "") {
    fields.reasoning_content = text;
    fields.reasoning = text;
  }
  if (signature !== undefined) {
    fields.reasoning_details = [{ type: "reasoning.text", text, signature, index: 0 }];
  }
  return fields;
}

type ToolCall = Extract<DeltaEvent, { kind: "tool_call" }>;

function toolCallDelta({ index, id, name, arguments: spelled }: ToolCall): JsonObject {
  const called = name === undefined ? { arguments: spelled } : { name, arguments: spelled };
  return id === undefined
    ? { index, function: called }
    : { index, id, type: "function", function: called };
}

type WholeChoice = {
  text: string | null;
  refusal: string | null;
  reasoning: string;
  signature: string | undefined;
  audio: JsonObject | undefined;
  logprobs: JsonObject | null;
  finish: FinishReason;
  readonly calls: Map<number, { id: string; name: string; arguments: string }>;
};

function wholeBody(deltas: readonly DeltaEvent[], stamp: AnswerStamp): JsonObject {
  const choices = new Map<number, WholeChoice>();
  for (const event of deltas) {
    const choice = choices.get(event.choice) ?? newChoice();
    choices.set(event.choice, choice);
    addToChoice(choice, event);
  }
  const { id, created, model } = stamp;
  const ordered = [...choices].sort(([a], [b]) => a - b);
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: ordered.map(([index, choice]) => presentChoice(index, choice)),
  };
}

function newChoice(): WholeChoice {
  return {
    text: null,
    refusal: null,
    reasoning: "",
    signature: undefined,
    audio: undefined,
    logprobs: null,
    finish: "stop",
    calls: new Map(),
  };
}

function addToChoice(choice: WholeChoice, event: DeltaEvent): void {
  switch (event.kind) {
    case "text":
      choice.text = (choice.text ?? "") + event.text;
      break;
    case "reasoning":
      choice.reasoning += event.text;
      choice.signature = event.signature ?? choice.signature;
      break;
    case "refusal":
      choice.refusal = (choice.refusal ?? "") + event.text;
      break;
    case "tool_call": {
      const call = choice.calls.get(event.index) ?? { id: "", name: "", arguments: "" };
      call.id = event.id ?? call.id;
      call.name = event.name ?? call.name;
      call.arguments += event.arguments;
      choice.calls.set(event.index, call);
      break;
    }
    case "audio":
      choice.audio = { ...choice.audio, ...event.audio };
      break;
    case "logprobs":
      choice.logprobs = event.logprobs;
      break;
    case "finish":
      choice.finish = event.reason;
      break;
  }
}

function presentChoice(index: number, choice: WholeChoice): JsonObject {
  const message: JsonObject = {
    role: "assistant",
    content: choice.text,
    refusal: choice.refusal,
    ...reasoningFields(choice.reasoning, choice.signature),
  };
  if (choice.audio !== undefined) message.audio = choice.audio;
  if (choice.calls.size > 0) {
    message.tool_calls = Array.from(choice.calls.values(), ({ id, ...called }) => ({
      id,
      type: "function",
      function: called,
    }));
  }
  return { index, message, logprobs: choice.logprobs, finish_reason: choice.finish };
}
