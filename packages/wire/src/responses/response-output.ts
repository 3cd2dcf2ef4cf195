// The output of a response as it grows: typed deltas become items and the events that announce them. A
// stream sends the events, a whole answer shows the items; both come from here, so they agree.
import type { JsonObject } from "@turnpike/base";
import type { DeltaEvent, FinishReason, ToolCall } from "../protocol/pivot.ts";
import { CallItem } from "./call-item.ts";
import { ImageItem } from "./image-item.ts";
import { logprobEntries, MessageItem } from "./message-item.ts";
import type { OfferedTool, OfferedTools } from "./offered-tools.ts";
import {
  type ItemStatus,
  itemIdOf,
  type OpenItem,
  type OutputEvent,
  type Place,
} from "./output-events.ts";
import { ReasoningItem, type ReasoningView } from "./reasoning-item.ts";

/** A call whose name has not arrived yet. */
type Unnamed = { id: string | undefined; said: string; isCustom: boolean };

export class ResponseOutput {
  readonly #items: OpenItem[] = [];
  readonly #calls = new Map<number, CallItem>();
  readonly #openCalls = new Set<CallItem>();
  readonly #unnamed = new Map<number, Unnamed>();
  readonly #offered: OfferedTools;
  readonly #responseId: string;
  readonly #view: ReasoningView;
  /** The current message or reasoning; calls that are not complete stay open beside it. */
  #open: MessageItem | ReasoningItem | undefined;
  #finish: FinishReason | undefined;
  #ended = false;

  constructor(responseId: string, offered: OfferedTools, view: ReasoningView) {
    this.#responseId = responseId;
    this.#offered = offered;
    this.#view = view;
  }

  /** Why the model stopped, if it said so. */
  get finish(): FinishReason | undefined {
    return this.#finish;
  }

  /** An answer is of use, whatever it has. */
  get fault(): undefined {
    return undefined;
  }

  /** The current state of all items. */
  get items(): JsonObject[] {
    return this.#items.map(({ item }) => item);
  }

  /** The events of some deltas; of several choices only the first is used. */
  add(deltas: readonly DeltaEvent[]): OutputEvent[] {
    const events: OutputEvent[] = [];
    for (let index = 0; index < deltas.length; index += 1) {
      const delta = deltas[index];
      if (delta === undefined || delta.choice !== 0 || this.#ended) continue;
      const next = deltas[index + 1];
      // Those of a text come right after it, and belong in its event.
      if (delta.kind === "text" && next?.kind === "logprobs" && next.choice === 0) {
        events.push(...this.#message(events).addText(delta.text, logprobEntries(next.logprobs)));
        index += 1;
      } else this.#add(delta, events);
    }
    return events;
  }

  /** The events that end all items still open; none when called again. */
  end(): OutputEvent[] {
    if (this.#ended) return [];
    this.#ended = true;
    const events: OutputEvent[] = [];
    for (const [index, { id }] of this.#unnamed) this.#openCall(index, { id, name: "" }, events);
    const isCut = this.#finish === "length" || this.#finish === "content_filter";
    events.push(...this.#close(isCut ? "incomplete" : "completed"));
    for (const call of this.#openCalls) {
      // The limit cuts what is written last; the calls before it are complete.
      const isWhole = !isCut || call !== this.#items.at(-1);
      events.push(...call.close(isWhole ? "completed" : "incomplete"));
    }
    return events;
  }

  #add(delta: DeltaEvent, events: OutputEvent[]): void {
    switch (delta.kind) {
      case "text":
        events.push(...this.#message(events).addText(delta.text, []));
        break;
      case "refusal":
        events.push(...this.#message(events).addRefusal(delta.text));
        break;
      case "reasoning":
      case "reasoning_encrypted":
        events.push(...this.#reasoning(events).add(delta));
        break;
      case "tool_call":
        this.#addToCall(delta, events);
        break;
      case "finish":
        this.#finish = delta.reason;
        events.push(...this.end());
        break;
      case "logprobs":
        if (this.#open instanceof MessageItem) {
          this.#open.addLogprobs(logprobEntries(delta.logprobs));
        }
        break;
      case "image":
        this.#addImage(delta.url, events);
        break;
      case "audio":
        break;
    }
  }

  #message(events: OutputEvent[]): MessageItem {
    if (this.#open instanceof MessageItem) return this.#open;
    this.#closeBeforeNext(events);
    const message = new MessageItem(this.#nextPlace("msg"));
    this.#open = message;
    this.#items.push(message);
    events.push(...message.open());
    return message;
  }

  #reasoning(events: OutputEvent[]): ReasoningItem {
    if (this.#open instanceof ReasoningItem) return this.#open;
    this.#closeBeforeNext(events);
    const reasoning = new ReasoningItem(this.#nextPlace("rs"), this.#view);
    this.#open = reasoning;
    this.#items.push(reasoning);
    events.push(...reasoning.open());
    return reasoning;
  }

  #addImage(url: string, events: OutputEvent[]): void {
    this.#closeBeforeNext(events);
    const image = new ImageItem(this.#nextPlace("ig"), url);
    this.#items.push(image);
    events.push(...image.open(), ...image.close());
  }

  #addToCall(delta: ToolCall, events: OutputEvent[]): void {
    const { index, id, extra } = delta;
    if (extra !== undefined && id !== undefined) this.#reasoning(events).keepExtra(id, extra);
    const known = this.#calls.get(index);
    if (known !== undefined) {
      // Some providers end with an empty fragment of each call.
      if (this.#openCalls.has(known)) events.push(...known.add(delta.arguments));
      return;
    }
    const waiting = this.#unnamed.get(index) ?? { id: undefined, said: "", isCustom: false };
    waiting.id ??= id;
    waiting.said += delta.arguments;
    waiting.isCustom ||= delta.isCustom === true;
    this.#unnamed.set(index, waiting);
    const { name } = delta;
    if (name !== undefined) this.#openCall(index, { id: waiting.id, name }, events);
  }

  #openCall(
    index: number,
    { id, name }: { readonly id: string | undefined; readonly name: string },
    events: OutputEvent[],
  ): void {
    const waiting = this.#unnamed.get(index);
    this.#unnamed.delete(index);
    const isCustom = waiting?.isCustom === true;
    const kind = isCustom ? "custom" : "function";
    const unknown: OfferedTool = { kind, name, namespace: undefined };
    const tool = this.#offered.get(name) ?? unknown;
    this.#closeBeforeNext(events);
    const prefix = { function: "fc", custom: "ctc", tool_search: "tsc" } as const;
    const place = this.#nextPlace(prefix[tool.kind]);
    const callId = id ?? `call_${place.item_id.slice(place.item_id.indexOf("_") + 1)}`;
    const call = new CallItem(place, { callId, tool, isCustom });
    this.#calls.set(index, call);
    this.#openCalls.add(call);
    this.#items.push(call);
    events.push(...call.open(), ...call.add(waiting?.said ?? ""));
  }

  /** As at OpenAI, an item has ended when the next one begins, unless its calls interleave. */
  #closeBeforeNext(events: OutputEvent[]): void {
    events.push(...this.#close("completed"));
    for (const call of this.#openCalls) {
      if (!call.isComplete) continue;
      this.#openCalls.delete(call);
      events.push(...call.close("completed"));
    }
  }

  #close(status: ItemStatus): OutputEvent[] {
    const events = this.#open?.close(status) ?? [];
    this.#open = undefined;
    return events;
  }

  #nextPlace(prefix: Parameters<typeof itemIdOf>[0]): Place {
    const index = this.#items.length;
    return { output_index: index, item_id: itemIdOf(prefix, this.#responseId, index) };
  }
}
