// The items of a response under construction, as typed deltas. Each item is identified by its position in
// the output: calls are numbered in the order they begin, and nothing is emitted twice.
import { type JsonObject, parseText } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import type { Provider } from "../../provider.ts";
import { brokenOff } from "../../refusals/refuse.ts";
import { customToolNames } from "../custom-tool.ts";
import type { ChatCall } from "../openai/build-request.ts";
import type { RetainedBound } from "../retained-bound.ts";
import { type ToolNames, toolNamesOf } from "../tool-names.ts";
import {
  beginCall,
  type CallEvent,
  endCustomCall,
  logprobsDelta,
  parseMessageItem,
  parseReasoningItem,
  reasoningDelta,
  sealedReasoning,
} from "./parse-items.ts";

type View = "summary" | "content";

type Item = {
  type?: unknown;
  /** Whether any of its text, or of a call's arguments, was emitted. */
  emitted: boolean;
  ended: boolean;
  call?: CallEvent;
  /** As its provider sent it. */
  callId?: string | undefined;
  /** For a function that represents a custom tool: its text is known only when its JSON is complete. */
  waiting?: string;
  /** Reasoning may be sent in full and as a summary: the first to arrive is shown. */
  view?: View;
  part?: unknown;
};

/** More items than any answer has; each is remembered until the stream ends. */
const maxItems = 10_000;

export class ResponseItems {
  readonly #items = new Map<number, Item>();
  readonly #customTools: ReadonlySet<unknown>;
  readonly #retained: RetainedBound;
  readonly #provider: Provider;
  readonly #names: ToolNames;
  callCount = 0;

  constructor({ request, provider }: ChatCall, retained: RetainedBound) {
    const isNative = provider.quirks.customTools === "native";
    this.#customTools = isNative ? new Set() : customToolNames(request.parsed);
    this.#retained = retained;
    this.#provider = provider;
    this.#names = toolNamesOf(request, provider.quirks.toolNames);
  }

  begin(index: number, source: JsonObject): DeltaEvent[] {
    const known = this.#items.get(index);
    if (known?.call !== undefined) return [];
    const item = known ?? this.#itemAt(index);
    item.type ??= source.type;
    const begun = beginCall(source, this.callCount);
    if (begun === undefined) return [];
    const call = {
      ...begun,
      ...(begun.name !== undefined && { name: this.#names.own(begun.name) }),
    };
    // The position belongs to another item: the call would be lost.
    if (known !== undefined) throw brokenOff();
    this.callCount += 1;
    item.call = call;
    item.callId = callIdOf(source);
    if (call.isCustom !== true && this.#customTools.has(call.name)) item.waiting = "";
    return item.waiting === undefined ? [call] : [];
  }

  addText(index: number, text: string, logprobs: unknown): DeltaEvent[] {
    if (!this.#accepts(index, "message")) return [];
    const said: DeltaEvent = { kind: "text", choice: 0, text };
    const shown = logprobsDelta(logprobs);
    return shown.length === 0 ? [said] : [said, ...shown];
  }

  addRefusal(index: number, text: string): DeltaEvent[] {
    return this.#accepts(index, "message") ? [{ kind: "refusal", choice: 0, text }] : [];
  }

  addReasoning(index: number, text: string, view: View, part: unknown): DeltaEvent[] {
    if (!this.#accepts(index, "reasoning")) return [];
    const item = this.#itemAt(index);
    item.view ??= view;
    if (item.view !== view) return [];
    const isNext = item.part !== undefined && item.part !== part;
    item.part = part;
    return [reasoningDelta(isNext ? `\n\n${text}` : text)];
  }

  addArguments(index: number, fragment: string): DeltaEvent[] {
    const item = this.#items.get(index);
    if (item?.call === undefined || item.ended) return [];
    item.emitted = true;
    if (item.waiting === undefined) return [spell(item.call, fragment)];
    item.waiting += fragment;
    this.#retained.add(fragment.length);
    return [];
  }

  end(index: number, source: JsonObject): DeltaEvent[] {
    const begun = this.begin(index, source);
    const item = this.#itemAt(index);
    if (item.ended) return begun;
    item.ended = true;
    if (item.call !== undefined) return [...begun, ...endCall(item, item.call, source)];
    if (source.type === "reasoning") {
      const said = item.emitted ? [] : parseReasoningItem(source);
      return [...said, ...sealedReasoning(source, this.#provider, this.callCount)];
    }
    return item.emitted || source.type !== "message" ? [] : parseMessageItem(source);
  }

  /**
   * `output` is that of the complete response, for items that no event has begun or ended. Some
   * upstreams omit items from it, so that the others have moved: calls are identified by their ids, and
   * other items are new if no event has shown their type.
   */
  endAll(output: readonly unknown[]): DeltaEvent[] {
    const shown = new Set([...this.#items.values()].map(({ type }) => type));
    let next = Math.max(output.length, ...this.#items.keys()) + 1;
    return output.flatMap((source, index) => {
      if (!isItem(source)) return [];
      const place = this.#placeOf(source, index);
      if (place !== undefined) return this.end(place, source);
      if (!isCall(source) && shown.has(source.type)) return [];
      return this.end(next++, source);
    });
  }

  /** The position of an item's events in the complete response; undefined if there were none. */
  #placeOf(source: JsonObject, index: number): number | undefined {
    const atIndex = this.#items.get(index);
    if (isCall(source)) {
      for (const [place, { call, callId }] of this.#items) {
        if (call !== undefined && callId !== undefined && callId === callIdOf(source)) return place;
      }
      const isNamed = atIndex?.callId !== undefined && callIdOf(source) !== undefined;
      return atIndex?.call === undefined || isNamed ? undefined : index;
    }
    if (atIndex?.type === source.type) return index;
    for (const [place, { type, ended }] of this.#items) {
      if (type === source.type && !ended) return place;
    }
    return undefined;
  }

  /** False for an item that has ended. */
  #accepts(index: number, type: string): boolean {
    const item = this.#itemAt(index);
    item.type ??= type;
    if (item.ended) return false;
    item.emitted = true;
    return true;
  }

  #itemAt(index: number): Item {
    let item = this.#items.get(index);
    if (item === undefined) {
      if (this.#items.size >= maxItems) throw brokenOff();
      item = { emitted: false, ended: false };
      this.#items.set(index, item);
    }
    return item;
  }
}

function isCall({ type }: JsonObject): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

function callIdOf({ call_id: callId, id }: JsonObject): string | undefined {
  return parseText(callId) ?? parseText(id);
}

function isItem(source: unknown): source is JsonObject {
  return typeof source === "object" && source !== null && !Array.isArray(source);
}

function spell({ index }: CallEvent, fragment: string): DeltaEvent {
  const named = { id: undefined, name: undefined };
  return { kind: "tool_call", choice: 0, index, ...named, arguments: fragment };
}

/** The part of a call that was not emitted yet: all of it if it came without deltas. */
function endCall({ emitted, waiting }: Item, call: CallEvent, source: JsonObject): DeltaEvent[] {
  const whole = parseText(source.arguments) ?? parseText(source.input) ?? "";
  if (waiting !== undefined) {
    const isCut = source.status === "incomplete";
    return [endCustomCall(call, emitted ? [waiting, whole] : [whole], isCut)];
  }
  return emitted || whole === "" ? [] : [spell(call, whole)];
}
