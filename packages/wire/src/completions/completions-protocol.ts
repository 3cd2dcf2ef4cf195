// OpenAI's older completions protocol: one text per choice, in an answer or in chunks of the same shape.
import { completionIdOf, type Fault, type JsonObject } from "@turnpike/base";
import type { ChatRequest } from "../chat/parse-chat-request.ts";
import { usageBody } from "../chat/present-usage.ts";
import { openaiErrors } from "../errors/error-format.ts";
import { errorEvent } from "../errors/fault-answer.ts";
import { answerHead } from "../protocol/answer-head.ts";
import { chatContent } from "../protocol/chat-content.ts";
import { completionsLanguage } from "../protocol/languages.ts";
import type { AnswerContent, AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { Protocol, StreamWriter } from "../protocol/protocol.ts";
import { sseData, sseDone, sseKeepAlive } from "../protocol/sse.ts";
import { parseCompletionsRequest } from "./parse-completions-request.ts";

export const completionsProtocol: Protocol<ChatRequest> = {
  operation: "chat",
  language: completionsLanguage,
  errors: openaiErrors,
  parse: parseCompletionsRequest,
  answerId: completionIdOf,
  writeWhole,
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    isResumable: true,
    open: ({ includeUsage }, identity) => new CompletionsWriter(includeUsage, identity),
  },
};

/** Source: OpenAI's `CreateCompletionResponse`; `reasoning` as at OpenRouter. */
type Choice = {
  text: string;
  reasoning?: string;
  readonly index: number;
  readonly logprobs: null;
  finish_reason: string | null;
};

function newChoice(index: number): Choice {
  return { text: "", index, logprobs: null, finish_reason: null };
}

/** A refusal is also text of the model; the other kinds cannot be part of a text. */
function addTo(choice: Choice, event: DeltaEvent): void {
  if (event.kind === "text" || event.kind === "refusal") choice.text += event.text;
  else if (event.kind === "reasoning") choice.reasoning = (choice.reasoning ?? "") + event.text;
  else if (event.kind === "finish") choice.finish_reason = event.reason;
}

function bodyOf(identity: AnswerIdentity, choices: readonly Choice[]): JsonObject {
  return { ...answerHead(identity, "text_completion"), choices };
}

function writeWhole(
  answer: AnswerContent,
  identity: AnswerIdentity,
  bill: Bill | undefined,
): string {
  const content = chatContent(answer);
  if (content.kind === "body") throw new Error("no upstream uses this language");
  const choices = new Map<number, Choice>();
  for (const event of content.deltas) {
    const choice = choices.get(event.choice) ?? newChoice(event.choice);
    choices.set(event.choice, choice);
    addTo(choice, event);
  }
  const body = bodyOf(
    identity,
    [...choices.values()].sort((a, b) => a.index - b.index),
  );
  if (bill !== undefined) body.usage = usageBody(bill.usage, bill.costNanos);
  return JSON.stringify(body);
}

class CompletionsWriter implements StreamWriter {
  readonly #includeUsage: boolean;
  readonly #identity: AnswerIdentity;

  constructor(includeUsage: boolean, identity: AnswerIdentity) {
    this.#includeUsage = includeUsage;
    this.#identity = identity;
  }

  writeOwn(): string {
    throw new Error("no upstream uses this language");
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    let text = "";
    for (const event of deltas) {
      const choice = newChoice(event.choice);
      addTo(choice, event);
      const isSilent = choice.text === "" && choice.reasoning === undefined;
      if (isSilent && choice.finish_reason === null) continue;
      const chunk = bodyOf(this.#identity, [choice]);
      if (this.#includeUsage) chunk.usage = null;
      text += sseData(JSON.stringify(chunk));
    }
    return text;
  }

  writeEnd(bill: Bill | undefined): string {
    if (!this.#includeUsage || bill === undefined) return sseDone;
    const usage = usageBody(bill.usage, bill.costNanos);
    return sseData(JSON.stringify({ ...bodyOf(this.#identity, []), usage })) + sseDone;
  }

  writeFault(fault: Fault): string {
    return errorEvent(fault);
  }
}
