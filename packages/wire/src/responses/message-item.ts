// A message under construction: text and refusals are its content parts, one open at a time.
import { isObject, type JsonObject } from "@turnpike/base";
import {
  type ItemStatus,
  itemAdded,
  itemDone,
  type OpenItem,
  type OutputEvent,
  type Place,
} from "./output-events.ts";

type PartKind = "output_text" | "refusal";

type Part = {
  readonly kind: PartKind;
  readonly index: number;
  text: string;
  readonly logprobs: unknown[];
};

export class MessageItem implements OpenItem {
  readonly item: JsonObject;
  readonly #place: Place;
  readonly #content: JsonObject[] = [];
  #part: Part | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.item = {
      id: place.item_id,
      type: "message",
      status: "in_progress",
      role: "assistant",
      content: this.#content,
    };
  }

  open(): OutputEvent[] {
    return [itemAdded(this.#place, { ...this.item, content: [] })];
  }

  addText(text: string, logprobs: readonly unknown[]): OutputEvent[] {
    const { events, part } = this.#openPart("output_text");
    part.text += text;
    part.logprobs.push(...logprobs);
    this.#content[part.index] = present(part);
    const delta = { content_index: part.index, delta: text, logprobs };
    events.push({ type: "response.output_text.delta", ...this.#place, ...delta });
    return events;
  }

  /** For text that was already sent; they are shown when it is done. */
  addLogprobs(entries: readonly unknown[]): void {
    const part = this.#part;
    if (part?.kind !== "output_text") return;
    part.logprobs.push(...entries);
    this.#content[part.index] = present(part);
  }

  addRefusal(text: string): OutputEvent[] {
    const { events, part } = this.#openPart("refusal");
    part.text += text;
    this.#content[part.index] = present(part);
    const delta = { content_index: part.index, delta: text };
    events.push({ type: "response.refusal.delta", ...this.#place, ...delta });
    return events;
  }

  close(status: ItemStatus): OutputEvent[] {
    const events = this.#closePart();
    this.item.status = status;
    events.push(itemDone(this.#place, { ...this.item, content: [...this.#content] }));
    return events;
  }

  #openPart(kind: PartKind): { events: OutputEvent[]; part: Part } {
    if (this.#part?.kind === kind) return { events: [], part: this.#part };
    const events = this.#closePart();
    const part: Part = { kind, index: this.#content.length, text: "", logprobs: [] };
    this.#part = part;
    this.#content.push(present(part));
    const place = { ...this.#place, content_index: part.index };
    const added = present({ ...part, logprobs: [] });
    events.push({ type: "response.content_part.added", ...place, part: added });
    return { events, part };
  }

  #closePart(): OutputEvent[] {
    const part = this.#part;
    if (part === undefined) return [];
    this.#part = undefined;
    const place = { ...this.#place, content_index: part.index };
    const { text, logprobs } = part;
    return [
      part.kind === "refusal"
        ? { type: "response.refusal.done", ...place, refusal: text }
        : { type: "response.output_text.done", ...place, text, logprobs },
      { type: "response.content_part.done", ...place, part: present(part) },
    ];
  }
}

/** Its list of log probabilities is the one that grows: a copy for each token would take quadratic time. */
function present({ kind, text, logprobs }: Part): JsonObject {
  return kind === "refusal"
    ? { type: kind, refusal: text }
    : { type: kind, text, annotations: [], logprobs };
}

/** The entries of a `logprobs` member of a chat completion. */
export function logprobEntries(logprobs: JsonObject): readonly unknown[] {
  const { content } = logprobs;
  return Array.isArray(content) ? content.filter(isObject) : [];
}
