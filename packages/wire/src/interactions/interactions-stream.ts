// A streamed interaction: its creation, its steps, and at the end the interaction with its usage. After a failure an `error`
// event is all there is, and the connection has to be cut: the SDKs take a clean end for that of a complete answer.
import { type Fault, isObject } from "@turnpike/base";
import { nameForCaller } from "../caller/name-for-caller.ts";
import { googleErrorBody } from "../gemini/google-errors.ts";
import type { AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { StreamWriter } from "../protocol/protocol.ts";
import { sseDone, sseEvent } from "../protocol/sse.ts";
import type { InteractionsRequest } from "./parse-interactions-request.ts";
import { presentInteraction } from "./present-interaction.ts";
import { type StepEvent, StepOutput } from "./step-output.ts";

export class InteractionsStreamWriter implements StreamWriter {
  readonly #request: InteractionsRequest;
  readonly #identity: AnswerIdentity;
  readonly #output: StepOutput;
  #hasBegun = false;

  constructor(request: InteractionsRequest, identity: AnswerIdentity) {
    this.#request = request;
    this.#identity = identity;
    this.#output = new StepOutput(request, identity.id);
  }

  writeOwn(): string {
    throw new Error("no upstream uses this language");
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    return this.#begin() + frames(this.#output.add(deltas));
  }

  writeEnd(bill: Bill | undefined): string {
    const text = this.#begin() + frames(this.#output.end());
    const { steps, status } = this.#output;
    const interaction = presentInteraction(this.#identity, this.#request, status, bill);
    // They are stored, and left out of what is sent.
    if (this.#request.memory?.stores === true) interaction.steps = steps;
    return text + frame({ event_type: "interaction.completed", interaction }) + sseDone;
  }

  writeFault(fault: Fault): string {
    const { error } = googleErrorBody(nameForCaller(fault, this.#request));
    const { status, message } = isObject(error) ? error : {};
    return this.#begin() + frame({ event_type: "error", error: { code: status, message } });
  }

  #begin(): string {
    if (this.#hasBegun) return "";
    this.#hasBegun = true;
    const interaction = presentInteraction(this.#identity, this.#request, "in_progress");
    return frame({ event_type: "interaction.created", interaction });
  }
}

function frames(events: readonly StepEvent[]): string {
  return events.map(frame).join("");
}

function frame(event: StepEvent): string {
  return sseEvent(event.event_type, JSON.stringify(event));
}
