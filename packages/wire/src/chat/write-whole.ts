// A whole chat completion from typed deltas, put together per choice.
import type { JsonObject } from "@turnpike/base";
import { answerHead } from "../protocol/answer-head.ts";
import type { AnswerIdentity, DeltaEvent, FinishReason, ToolCall } from "../protocol/pivot.ts";
import { reasoningOfCall, reasoningText, WholeReasoning } from "./present-reasoning.ts";
import { asFunctionCall, presentFunctionCall, presentToolCall } from "./present-tool-call.ts";

type WholeChoice = {
  text: string | null;
  refusal: string | null;
  reasoning: string;
  readonly details: WholeReasoning;
  audio: JsonObject | undefined;
  readonly images: JsonObject[];
  logprobs: JsonObject | null;
  finish: FinishReason;
  readonly calls: Map<number, ToolCall>;
};

/** The body of a whole answer without its usage; `callsFunctions` shows its call as `function_call`. */
export function wholeBody(
  deltas: readonly DeltaEvent[],
  identity: AnswerIdentity,
  { callsFunctions }: { readonly callsFunctions: boolean },
): JsonObject {
  const choices = new Map<number, WholeChoice>();
  for (const delta of deltas) {
    const event = callsFunctions ? asFunctionCall(delta) : delta;
    if (event === undefined) continue;
    const choice = choices.get(event.choice) ?? newChoice();
    choices.set(event.choice, choice);
    addToChoice(choice, event);
  }
  const ordered = [...choices].sort(([a], [b]) => a - b);
  return {
    ...answerHead(identity, "chat.completion"),
    choices: ordered.map(([index, choice]) => presentChoice(index, choice, callsFunctions)),
  };
}

function newChoice(): WholeChoice {
  return {
    text: null,
    refusal: null,
    reasoning: "",
    details: new WholeReasoning(),
    audio: undefined,
    images: [],
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
      choice.details.add(event);
      break;
    case "reasoning_encrypted":
      choice.details.add(event);
      break;
    case "refusal":
      choice.refusal = (choice.refusal ?? "") + event.text;
      break;
    case "tool_call": {
      const begun = choice.calls.get(event.index);
      choice.calls.set(event.index, begun === undefined ? event : joinCall(begun, event));
      const signed = reasoningOfCall(event);
      if (signed !== undefined) choice.details.add(signed);
      break;
    }
    case "audio":
      choice.audio = { ...choice.audio, ...event.audio };
      break;
    case "image":
      choice.images.push(presentImage(event.url, choice.images.length));
      break;
    case "logprobs":
      choice.logprobs = event.logprobs;
      break;
    case "finish":
      choice.finish = event.reason;
      break;
  }
}

/** Source: OpenRouter's guide to image generation. */
export function presentImage(url: string, index: number): JsonObject {
  return { type: "image_url", index, image_url: { url } };
}

function joinCall(begun: ToolCall, next: ToolCall): ToolCall {
  const { id = begun.id, name = begun.name, extra = begun.extra } = next;
  const joined = { ...begun, id, name, arguments: begun.arguments + next.arguments };
  return extra === undefined ? joined : { ...joined, extra };
}

function presentChoice(index: number, choice: WholeChoice, callsFunctions: boolean): JsonObject {
  const message: JsonObject = {
    role: "assistant",
    content: choice.text,
    refusal: choice.refusal,
    ...reasoningText(choice.reasoning),
  };
  if (choice.details.isWorthKeeping) message.reasoning_details = choice.details.list;
  if (choice.audio !== undefined) message.audio = choice.audio;
  if (choice.images.length > 0) message.images = choice.images;
  const calls = Array.from(choice.calls.values(), (call) => ({
    ...call,
    id: call.id ?? "",
    name: call.name ?? "",
  }));
  const [first] = calls;
  if (first !== undefined && callsFunctions) message.function_call = presentFunctionCall(first);
  else if (first !== undefined) message.tool_calls = calls.map(presentToolCall);
  return { index, message, logprobs: choice.logprobs, finish_reason: choice.finish };
}
