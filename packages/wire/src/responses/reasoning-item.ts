// A reasoning item under construction. Its text is shown as a summary to callers who ask for one, and as
// the reasoning itself to all others; what the provider needs back is encoded in `encrypted_content`.
import type { JsonObject } from "@turnpike/base";
import { WholeReasoning } from "../chat/present-reasoning.ts";
import type { DeltaEvent } from "../protocol/pivot.ts";
import { sealReasoning } from "./encrypted-reasoning.ts";
import {
  type ItemStatus,
  itemAdded,
  itemDone,
  type OpenItem,
  type OutputEvent,
  type Place,
} from "./output-events.ts";

type Reasoning = Extract<DeltaEvent, { kind: "reasoning" | "reasoning_encrypted" }>;

export type ReasoningView = {
  readonly shownAs: "summary" | "content";
  /** `include: ["reasoning.encrypted_content"]`. */
  readonly wantsEncrypted: boolean;
};

export class ReasoningItem implements OpenItem {
  readonly item: JsonObject;
  readonly #place: Place;
  readonly #view: ReasoningView;
  readonly #parts: JsonObject[] = [];
  readonly #reasoning = new WholeReasoning();
  readonly #extras = new Map<string, JsonObject>();
  /** Text of the current part; undefined between parts. */
  #text: string | undefined;

  constructor(place: Place, view: ReasoningView) {
    this.#place = place;
    this.#view = view;
    this.item = { id: place.item_id, type: "reasoning", summary: [] };
  }

  open(): OutputEvent[] {
    return [itemAdded(this.#place, this.item)];
  }

  /** Members of a call that its provider needs back with it. */
  keepExtra(callId: string, extra: JsonObject): void {
    this.#extras.set(callId, extra);
  }

  add(event: Reasoning): OutputEvent[] {
    this.#reasoning.add(event);
    if (event.kind === "reasoning_encrypted") return this.#closePart();
    const events: OutputEvent[] = [];
    if (event.text !== "") {
      if (this.#text === undefined) events.push(...this.#openPart());
      this.#text = (this.#text ?? "") + event.text;
      events.push(this.#event("delta", { delta: event.text }));
    }
    // A signature ends its block.
    if (event.signature !== undefined) events.push(...this.#closePart());
    return events;
  }

  close(_status: ItemStatus): OutputEvent[] {
    const events = this.#closePart();
    const { details, sealed } = this.#seal();
    if (sealed) this.item.encrypted_content = sealReasoning(details);
    events.push(itemDone(this.#place, this.item));
    return events;
  }

  #seal() {
    const { list, isWorthKeeping } = this.#reasoning;
    const details = { details: list, callExtras: this.#extras };
    const isOpaque = isWorthKeeping || this.#extras.size > 0;
    return { details, sealed: isOpaque || (this.#view.wantsEncrypted && list.length > 0) };
  }

  #openPart(): OutputEvent[] {
    this.#text = "";
    const part = this.#part("");
    this.#parts.push(part);
    this.#show();
    return [this.#partEvent("added", part)];
  }

  #closePart(): OutputEvent[] {
    const text = this.#text;
    if (text === undefined) return [];
    const part = this.#part(text);
    this.#parts[this.#index] = part;
    this.#show();
    const events = [this.#event("done", { text }), this.#partEvent("done", part)];
    this.#text = undefined;
    return events;
  }

  get #index(): number {
    return this.#parts.length - 1;
  }

  get #isSummary(): boolean {
    return this.#view.shownAs === "summary";
  }

  #show(): void {
    this.item[this.#isSummary ? "summary" : "content"] = [...this.#parts];
  }

  #part(text: string): JsonObject {
    return { type: this.#isSummary ? "summary_text" : "reasoning_text", text };
  }

  #event(what: "delta" | "done", said: JsonObject): OutputEvent {
    const name = this.#isSummary ? "reasoning_summary_text" : "reasoning_text";
    return { type: `response.${name}.${what}`, ...this.#place, ...this.#at, ...said };
  }

  #partEvent(what: "added" | "done", part: JsonObject): OutputEvent {
    const name = this.#isSummary ? "reasoning_summary_part" : "content_part";
    return { type: `response.${name}.${what}`, ...this.#place, ...this.#at, part };
  }

  get #at(): JsonObject {
    return { [this.#isSummary ? "summary_index" : "content_index"]: this.#index };
  }
}
