// Names of tools as a provider accepts them. A name of another shape is replaced wherever a request has it, and the
// caller's own comes back in the answer; two tools never share a name.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import { allowedToolsOf } from "./allowed-tools.ts";
import { digestOf } from "./fit-identifier.ts";

const maxChars = 64;
const digestChars = 8;

type NameShape = {
  /** Characters that it does not accept. */
  readonly foreign: RegExp;
  readonly first: RegExp;
  /** Begins a name that has another first character. */
  readonly prefix: string;
};

/** By the names of the quirk `toolNames`, and Gemini's. Sources: `conversation-rules.ts`. */
const nameShapes = {
  any: undefined,
  letters_digits: { foreign: /[^A-Za-z0-9_-]/g, first: /^./, prefix: "_" },
  letter_first: { foreign: /[^A-Za-z0-9_-]/g, first: /^[A-Za-z]/, prefix: "t_" },
  letter_or_underscore_first: {
    foreign: /[^A-Za-z0-9_.:-]/g,
    first: /^[A-Za-z_]/,
    prefix: "_",
  },
} as const satisfies Readonly<Record<string, NameShape | undefined>>;

export type NameShapeName = keyof typeof nameShapes;

/** The names of one request: each of the caller's has one that is sent, and the other way round. */
export class ToolNames {
  readonly #shape: NameShape | undefined;
  readonly #sent = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(names: Iterable<string>, shape: NameShapeName) {
    this.#shape = nameShapes[shape];
    if (this.#shape === undefined) return;
    const all = new Set(names);
    // Names that are accepted stay as they are, whatever the others become.
    for (const name of all) if (this.#fit(name) === name) this.#own.set(name, name);
    for (const name of all) if (!this.#own.has(name)) this.#rename(name);
  }

  get hasRenamed(): boolean {
    return this.#sent.size > 0;
  }

  sent(own: unknown): unknown {
    return typeof own === "string" ? (this.#sent.get(own) ?? own) : own;
  }

  own(sent: string): string {
    return this.#own.get(sent) ?? sent;
  }

  #rename(own: string): void {
    let sent = this.#fit(own);
    for (let tries = 0; this.#own.has(sent); tries += 1) {
      const head = sent.slice(0, maxChars - digestChars - 1);
      sent = `${head}_${digestOf(`${own}\n${tries}`, digestChars)}`;
    }
    this.#own.set(sent, own);
    this.#sent.set(own, sent);
  }

  #fit(own: string): string {
    if (this.#shape === undefined) return own;
    const { foreign, first, prefix } = this.#shape;
    const plain = own.replaceAll(foreign, "_");
    const begun = first.test(plain) ? plain : prefix + plain;
    if (begun.length <= maxChars) return begun;
    return `${begun.slice(0, maxChars - digestChars - 1)}_${digestOf(own, digestChars)}`;
  }
}

/** The name that is sent of a call, by the caller's own. */
export type SentName = (own: unknown) => unknown;

/**
 * Of calls in the history of a caller of a provider's own language. A tool that is offered keeps its name, because the
 * answer that calls it is not rewritten; any other was another provider's, and no answer can have it.
 */
export function namesOfCalls(
  called: readonly unknown[],
  offered: readonly unknown[],
  shape: NameShapeName,
): SentName {
  const kept = new Set(offered);
  const isText = (name: unknown) => typeof name === "string";
  const names = new ToolNames([...called, ...offered].filter(isText), shape);
  return names.hasRenamed ? (own) => (kept.has(own) ? own : names.sent(own)) : (own) => own;
}

const remembered = new WeakMap<ChatRequest, Map<NameShapeName, ToolNames>>();

const unchanged = new ToolNames([], "any");

/** Of what a request offers and of what was called in its history. Most requests have neither, and cost nothing. */
export function toolNamesOf(request: ChatRequest, shape: NameShapeName): ToolNames {
  const { tools } = request.parsed;
  if (shape === "any" || (!Array.isArray(tools) && !hasCalls(request.parsed))) return unchanged;
  const known = remembered.get(request) ?? new Map<NameShapeName, ToolNames>();
  remembered.set(request, known);
  const names = known.get(shape) ?? new ToolNames(namesIn(request.parsed), shape);
  known.set(shape, names);
  return names;
}

function hasCalls({ messages }: JsonObject): boolean {
  if (!Array.isArray(messages)) return false;
  for (const message of messages) if (isObject(message) && message.tool_calls) return true;
  return false;
}

function* namesIn({ tools, messages }: JsonObject): Generator<string> {
  for (const tool of listOf(tools)) yield* nameIn(tool);
  for (const message of listOf(messages)) {
    for (const call of listOf(message.tool_calls)) yield* nameIn(call);
  }
}

function* nameIn(tool: JsonObject): Generator<string> {
  const defined = isObject(tool.custom) ? tool.custom : tool.function;
  const name = isObject(defined) ? parseText(defined.name) : undefined;
  if (name !== undefined) yield name;
}

function listOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** `tools` and `tool_choice` of a chat completion with the names that are sent. */
export function renameOffers({ tools, tool_choice: choice }: JsonObject, names: ToolNames) {
  const renamed: JsonObject = {};
  if (Array.isArray(tools)) renamed.tools = tools.map((tool) => renameTool(tool, names));
  if (isObject(choice)) renamed.tool_choice = renameChoice(choice, names);
  return renamed;
}

function renameChoice(choice: JsonObject, names: ToolNames): unknown {
  if (allowedToolsOf(choice) === undefined) return renameTool(choice, names);
  const allowed = isObject(choice.allowed_tools) ? choice.allowed_tools : {};
  const tools = listOf(allowed.tools).map((tool) => renameTool(tool, names));
  return { ...choice, allowed_tools: { ...allowed, tools } };
}

/** A tool, a call of one, or the choice of one. */
export function renameTool(tool: unknown, names: ToolNames): unknown {
  if (!isObject(tool)) return tool;
  for (const kind of ["function", "custom"]) {
    const defined = tool[kind];
    if (isObject(defined)) return { ...tool, [kind]: renameMember(defined, names) };
  }
  return typeof tool.name === "string" ? renameMember(tool, names) : tool;
}

function renameMember(defined: JsonObject, names: ToolNames): JsonObject {
  const name = names.sent(defined.name);
  return name === defined.name ? defined : { ...defined, name };
}
