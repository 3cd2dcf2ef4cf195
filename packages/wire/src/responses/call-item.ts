// A tool call under construction, as the item of its kind of tool: a function's, a custom tool's, or a
// search among tools that the client does. A custom tool that had to be offered as a function is called
// with `{"input": …}`; its input is written as the tool's own text.
import { type JsonObject, parseObject } from "@turnpike/base";
import { parseExactObject } from "../json/exact-numbers.ts";
import { ObjectEnd } from "../json/object-end.ts";
import type { OfferedTool } from "./offered-tools.ts";
import {
  type ItemStatus,
  itemAdded,
  itemDone,
  type OpenItem,
  type OutputEvent,
  type Place,
} from "./output-events.ts";

export type CallStart = {
  readonly callId: string;
  readonly tool: OfferedTool;
  /** The upstream called it as a custom tool: its arguments are the input itself. */
  readonly isCustom: boolean;
};

export class CallItem implements OpenItem {
  readonly item: JsonObject;
  readonly #place: Place;
  readonly #tool: OfferedTool;
  readonly #isCustom: boolean;
  readonly #end = new ObjectEnd();
  #said = "";

  constructor(place: Place, { callId, tool, isCustom }: CallStart) {
    this.#place = place;
    this.#tool = tool;
    this.#isCustom = isCustom;
    this.item = startItem(place.item_id, callId, tool);
  }

  /** Whether its arguments are complete, so that nothing can be added; unknown of a custom tool's text. */
  get isComplete(): boolean {
    return !this.#isCustom && this.#end.isReached;
  }

  open(): OutputEvent[] {
    return [itemAdded(this.#place, this.item)];
  }

  add(fragment: string): OutputEvent[] {
    this.#said += fragment;
    this.#end.add(fragment);
    if (fragment === "") return [];
    if (this.#tool.kind === "function") {
      this.item.arguments = this.#said;
      return [this.#event("function_call_arguments.delta", { delta: fragment })];
    }
    if (this.#tool.kind === "tool_search" || !this.#isCustom) return [];
    this.item.input = this.#said;
    return [this.#event("custom_tool_call_input.delta", { delta: fragment })];
  }

  close(status: ItemStatus): OutputEvent[] {
    const events = this.#closeInput();
    this.item.status = status;
    events.push(itemDone(this.#place, this.item));
    return events;
  }

  #closeInput(): OutputEvent[] {
    const { kind } = this.#tool;
    if (kind === "function") {
      const said = { name: this.item.name, arguments: this.#said };
      return [this.#event("function_call_arguments.done", said)];
    }
    if (kind === "tool_search") {
      this.item.arguments = parseExactObject(this.#said) ?? {};
      return [];
    }
    const input = this.#isCustom ? this.#said : unwrapInput(this.#said);
    const isLate = !this.#isCustom && input !== "";
    this.item.input = input;
    const late = isLate ? [this.#event("custom_tool_call_input.delta", { delta: input })] : [];
    return [...late, this.#event("custom_tool_call_input.done", { input })];
  }

  #event(what: string, said: JsonObject): OutputEvent {
    return { type: `response.${what}`, ...this.#place, ...said };
  }
}

function startItem(id: string, callId: string, tool: OfferedTool): JsonObject {
  const status = "in_progress";
  if (tool.kind === "tool_search") {
    const empty = { arguments: {}, execution: "client" };
    return { id, type: "tool_search_call", status, call_id: callId, ...empty };
  }
  const named = { call_id: callId, name: tool.name };
  const placed = tool.namespace === undefined ? named : { ...named, namespace: tool.namespace };
  return tool.kind === "custom"
    ? { id, type: "custom_tool_call", status, ...placed, input: "" }
    : { id, type: "function_call", status, ...placed, arguments: "" };
}

/** A model that did not follow the schema wrote the input itself. */
function unwrapInput(said: string): string {
  const input = parseObject(said)?.input;
  return typeof input === "string" ? input : said;
}
