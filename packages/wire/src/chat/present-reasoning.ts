// Reasoning as chat completions show it: its text under both names that clients read, and OpenRouter's
// `reasoning_details`, whose signatures and encrypted blocks a client sends back unchanged.
import type { JsonObject } from "@turnpike/base";
import type { DeltaEvent, ToolCall } from "../protocol/pivot.ts";

type Reasoning = Extract<DeltaEvent, { kind: "reasoning" | "reasoning_encrypted" }>;

/** What a call has besides its own members, as reasoning with the id of the call; undefined for most calls. */
export function reasoningOfCall({ choice, id, encrypted }: ToolCall): Reasoning | undefined {
  return encrypted && { kind: "reasoning_encrypted", choice, id, ...encrypted };
}

export function reasoningText(text: string): JsonObject {
  return text === "" ? {} : { reasoning_content: text, reasoning: text };
}

/** Numbers the blocks of one choice's reasoning: fragments of a block have the same `index`. */
export class ReasoningDetails {
  #index = 0;
  #inText = false;

  /** The detail for the next fragment. */
  next(event: Reasoning): JsonObject {
    const format = event.format === undefined ? {} : { format: event.format };
    if (event.kind === "reasoning_encrypted") {
      if (this.#inText) this.#endBlock();
      const named = event.id === undefined ? {} : { id: event.id };
      const detail = { type: "reasoning.encrypted", data: event.data, ...named, ...format };
      return { ...detail, index: this.#index++ };
    }
    const { text, signature } = event;
    const detail: JsonObject = { type: "reasoning.text", text, ...format };
    if (signature !== undefined) detail.signature = signature;
    detail.index = this.#index;
    this.#inText = true;
    if (signature !== undefined) this.#endBlock();
    return detail;
  }

  #endBlock(): void {
    this.#index += 1;
    this.#inText = false;
  }
}

/** The details of a whole answer, fragments joined. */
export class WholeReasoning {
  readonly list: JsonObject[] = [];
  readonly #details = new ReasoningDetails();

  /** Whether they contain more than the text. */
  get isWorthKeeping(): boolean {
    return this.list.some(({ signature, data }) => signature !== undefined || data !== undefined);
  }

  add(event: Reasoning): void {
    const next = this.#details.next(event);
    const last = this.list.at(-1);
    if (last === undefined || last.index !== next.index) this.list.push(next);
    else Object.assign(last, next, { text: String(last.text) + String(next.text) });
  }
}
