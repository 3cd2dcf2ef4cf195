// The steps of an interaction as they grow: parts of an answer become steps and the events that announce them. A stream
// sends the events, a whole answer shows the steps; both come from here, so they agree.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { PartWriter } from "../gemini/write-parts.ts";
import type { DeltaEvent } from "../protocol/pivot.ts";
import type { InteractionsRequest } from "./parse-interactions-request.ts";

export type InteractionStatus = "in_progress" | "requires_action" | "completed" | "incomplete";

/** One event of a stream. */
export type StepEvent = { readonly event_type: string } & JsonObject;

type OpenStep = { readonly index: number; readonly step: JsonObject };

/** Feed it the deltas of an answer in order; of several choices only the first is used. */
export class StepOutput {
  readonly steps: JsonObject[] = [];
  readonly #parts: PartWriter;
  /** What the ids of calls that have none begin with. */
  readonly #idPrefix: string;
  #open: OpenStep | undefined;

  constructor(request: InteractionsRequest, id: string) {
    this.#parts = new PartWriter(request);
    this.#idPrefix = `call_${id.slice(id.indexOf("-") + 1)}`;
  }

  add(deltas: readonly DeltaEvent[]): StepEvent[] {
    const events: StepEvent[] = [];
    for (const delta of deltas) {
      if (delta.choice === 0) this.#addParts(this.#parts.write(delta), events);
    }
    return events;
  }

  /** The events that end what is still open. */
  end(): StepEvent[] {
    const events: StepEvent[] = [];
    this.#addParts(this.#parts.end(), events);
    this.#close(events);
    return events;
  }

  /** Of an answer that has ended. */
  get status(): InteractionStatus {
    if (this.#parts.ending.finishReason !== "STOP") return "incomplete";
    const isWaiting = this.steps.some(({ type }) => type === "function_call");
    return isWaiting ? "requires_action" : "completed";
  }

  #addParts(parts: readonly JsonObject[], events: StepEvent[]): void {
    for (const part of parts) this.#addPart(part, events);
  }

  #addPart(part: JsonObject, events: StepEvent[]): void {
    const { functionCall, inlineData, text } = part;
    const signature = parseText(part.thoughtSignature);
    if (isObject(functionCall)) {
      this.#call(functionCall, signature, events);
      return;
    }
    if (isObject(inlineData)) {
      const image = { type: "image", mime_type: inlineData.mimeType, data: inlineData.data };
      this.#append(this.#openStep("model_output", events), image, events);
    } else if (part.thought === true) this.#think(parseText(text) ?? "", events);
    else if (typeof text === "string" && text !== "") this.#say(text, events);
    if (signature !== undefined) this.#sign(signature, events);
  }

  #say(text: string, events: StepEvent[]): void {
    const open = this.#openStep("model_output", events);
    this.#append(open, { type: "text", text }, events);
  }

  #think(text: string, events: StepEvent[]): void {
    if (text === "") return;
    const { index, step } = this.#openStep("thought", events);
    const content = { type: "text", text };
    step.summary = joined(step.summary, content);
    events.push(delta(index, { type: "thought_summary", content }));
  }

  /** What is signed has ended. */
  #sign(signature: string, events: StepEvent[]): void {
    const { index, step } = this.#openStep("thought", events);
    step.signature = signature;
    events.push(delta(index, { type: "thought_signature", signature }));
    this.#close(events);
  }

  /** Its signature is in the thought before it, as at Google. */
  #call(call: JsonObject, signature: string | undefined, events: StepEvent[]): void {
    if (signature !== undefined) this.#sign(signature, events);
    this.#close(events);
    const id = call.id ?? `${this.#idPrefix}${this.steps.length}`;
    const { index, step } = this.#begin({ type: "function_call", id, name: call.name }, events);
    step.arguments = call.args;
    events.push(delta(index, { type: "arguments_delta", arguments: JSON.stringify(call.args) }));
    this.#close(events);
  }

  #append({ index, step }: OpenStep, content: JsonObject, events: StepEvent[]): void {
    step.content = joined(step.content, content);
    events.push(delta(index, content));
  }

  #openStep(type: "model_output" | "thought", events: StepEvent[]): OpenStep {
    if (this.#open?.step.type === type) return this.#open;
    this.#close(events);
    return this.#begin({ type }, events);
  }

  #begin(step: JsonObject, events: StepEvent[]): OpenStep {
    const index = this.steps.length;
    this.steps.push(step);
    this.#open = { index, step };
    const shown = step.type === "function_call" ? { ...step, arguments: {} } : { ...step };
    events.push({ event_type: "step.start", index, step: shown });
    return this.#open;
  }

  #close(events: StepEvent[]): void {
    if (this.#open === undefined) return;
    events.push({ event_type: "step.stop", index: this.#open.index });
    this.#open = undefined;
  }
}

function delta(index: number, content: JsonObject): StepEvent {
  return { event_type: "step.delta", index, delta: content };
}

/** Texts that follow each other are one. */
function joined(contents: unknown, content: JsonObject): JsonObject[] {
  const known = Array.isArray(contents) ? contents.filter(isObject) : [];
  const last = known.at(-1);
  if (last?.type !== "text" || content.type !== "text") return [...known, content];
  return [...known.slice(0, -1), { ...last, text: `${last.text}${content.text}` }];
}
