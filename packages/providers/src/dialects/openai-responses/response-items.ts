// The items of a response under construction, as typed deltas. Each item is known by its place in the
// output: calls are numbered in the order they begin, and what was said once is not said again.
import { type JsonObject, parseObject, readText } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import { customToolNames } from "../custom-tool.ts";
import type { ChatCall } from "../openai/ask.ts";
import type { RetainedBound } from "../retained-bound.ts";
import {
  beginCall,
  type CallEvent,
  endCustomCall,
  logprobsDelta,
  readMessageItem,
  readReasoningItem,
  reasoningDelta,
  sealedReasoning,
} from "./read-items.ts";
import { brokenOff } from "./response-event-stream.ts";

type View = "summary" | "content";

type Item = {
  /** Whether any of its text, or of a call's arguments, has come. */
  spoken: boolean;
  ended: boolean;
  call?: CallEvent;
  /** Of a function that stands for a custom tool: its text is known only when its JSON is complete. */
  waiting?: string;
  /** Reasoning may come as itself and as a summary: what comes first is shown. */
  view?: View;
  part?: unknown;
};

/** More items than any answer has; each is remembered until the stream ends. */
const maxItems = 10_000;

export class ResponseItems {
  readonly #items = new Map<unknown, Item>();
  readonly #customTools: ReadonlySet<unknown>;
  readonly #retained: RetainedBound;
  callCount = 0;

  constructor({ request, provider }: ChatCall, retained: RetainedBound) {
    const isNative = provider.quirks.customTools === "native";
    this.#customTools = isNative ? new Set() : customToolNames(request.parsed);
    this.#retained = retained;
  }

  begin(index: unknown, source: JsonObject): DeltaEvent[] {
    if (this.#items.has(index)) return [];
    const item = this.#itemAt(index);
    const call = beginCall(source, this.callCount);
    if (call === undefined) return [];
    this.callCount += 1;
    item.call = call;
    if (call.isCustom !== true && this.#customTools.has(call.name)) item.waiting = "";
    return item.waiting === undefined ? [call] : [];
  }

  addText(index: unknown, text: string, logprobs: unknown): DeltaEvent[] {
    if (!this.#speaks(index)) return [];
    return [{ kind: "text", choice: 0, text }, ...logprobsDelta(logprobs)];
  }

  addRefusal(index: unknown, text: string): DeltaEvent[] {
    return this.#speaks(index) ? [{ kind: "refusal", choice: 0, text }] : [];
  }

  addReasoning(index: unknown, text: string, view: View, part: unknown): DeltaEvent[] {
    if (!this.#speaks(index)) return [];
    const item = this.#itemAt(index);
    item.view ??= view;
    if (item.view !== view) return [];
    const isNext = item.part !== undefined && item.part !== part;
    item.part = part;
    return [reasoningDelta(isNext ? `\n\n${text}` : text)];
  }

  addArguments(index: unknown, fragment: string): DeltaEvent[] {
    const item = this.#items.get(index);
    if (item?.call === undefined || item.ended) return [];
    item.spoken = true;
    if (item.waiting === undefined) return [spell(item.call, fragment)];
    item.waiting += fragment;
    this.#retained.add(fragment.length);
    return [];
  }

  end(index: unknown, source: JsonObject): DeltaEvent[] {
    const begun = this.begin(index, source);
    const item = this.#itemAt(index);
    if (item.ended) return begun;
    item.ended = true;
    if (item.call !== undefined) return [...begun, ...endCall(item, item.call, source)];
    if (source.type === "reasoning") {
      const said = item.spoken ? [] : readReasoningItem(source);
      return [...said, ...sealedReasoning(source)];
    }
    return item.spoken || source.type !== "message" ? [] : readMessageItem(source);
  }

  /** `output` is that of the complete response, for items that no event has ended. */
  endAll(output: readonly unknown[]): DeltaEvent[] {
    const events: DeltaEvent[] = [];
    const isSilent = this.#items.size === 0;
    output.forEach((source, index) => {
      const isKnown = this.#items.has(index) || isSilent;
      if (isKnown && isItem(source)) events.push(...this.end(index, source));
    });
    return events;
  }

  /** False for an item that has ended. */
  #speaks(index: unknown): boolean {
    const item = this.#itemAt(index);
    if (item.ended) return false;
    item.spoken = true;
    return true;
  }

  #itemAt(index: unknown): Item {
    let item = this.#items.get(index);
    if (item === undefined) {
      if (this.#items.size >= maxItems) throw brokenOff();
      item = { spoken: false, ended: false };
      this.#items.set(index, item);
    }
    return item;
  }
}

function isItem(source: unknown): source is JsonObject {
  return typeof source === "object" && source !== null && !Array.isArray(source);
}

function spell({ index }: CallEvent, fragment: string): DeltaEvent {
  const named = { id: undefined, name: undefined };
  return { kind: "tool_call", choice: 0, index, ...named, arguments: fragment };
}

/** What is left to say of a call: all of it where it came without deltas. */
function endCall({ spoken, waiting }: Item, call: CallEvent, source: JsonObject): DeltaEvent[] {
  const whole = readText(source.arguments) ?? readText(source.input) ?? "";
  if (waiting !== undefined) {
    return [endCustomCall(call, parseObject(spoken ? waiting : whole))];
  }
  return spoken || whole === "" ? [] : [spell(call, whole)];
}
