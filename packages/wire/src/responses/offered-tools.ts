// The tools of a response and the names under which a model sees them: chat completions have no
// namespaces, so a tool in one is offered under a name that contains both, and its calls are returned
// under its own.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { badValue } from "../checks/body-fault.ts";
import { imageToolType } from "./image-tool.ts";

export type OfferedTool = {
  readonly kind: "function" | "custom" | "tool_search";
  readonly name: string;
  readonly namespace: string | undefined;
};

/** By the name under which the model sees a tool. */
export type OfferedTools = ReadonlyMap<string, OfferedTool>;

const nameMaxChars = 64;
const hashChars = 8;

/** The name of a tool in a chat completion: at most 64 letters, digits, `_` and `-`. */
export function chatNameOf(namespace: string | undefined, name: string): string {
  const full = namespace === undefined ? name : `${namespace}__${name}`;
  const plain = full.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  if (plain.length <= nameMaxChars) return plain;
  const hash = new Bun.CryptoHasher("sha256").update(full).digest("hex").slice(0, hashChars);
  return `${plain.slice(0, nameMaxChars - hashChars - 1)}_${hash}`;
}

/** Collects tools from wherever a request offers them. */
export class ToolOffer {
  readonly names = new Map<string, OfferedTool>();
  /** Where the caller defined a tool, by its definition for the model. */
  readonly origins = new Map<JsonObject, string>();
  /** The tool for images, of which a model has one. */
  imageTool: JsonObject | undefined;
  /** As chat completions define them, by the name the model sees. */
  readonly #definitions = new Map<string, JsonObject>();
  /** The name the model sees of the first tool with a name, in whatever namespace. */
  readonly #firstOfName = new Map<string, string>();

  get definitions(): JsonObject[] {
    return [...this.#definitions.values()];
  }

  /** `path` is that of the list, for the Fault of two tools that the model could not distinguish. */
  addAll(tools: unknown, path: string): void {
    if (!Array.isArray(tools)) return;
    tools.forEach((tool: unknown, index) => {
      if (!isObject(tool)) return;
      if (tool.type === "namespace") this.#addNamespace(tool, `${path}[${index}]`);
      else if (tool.type === imageToolType) this.imageTool = tool;
      else this.#add(tool, undefined, `${path}[${index}]`);
    });
  }

  /** Only these may be called; a name that is not offered is ignored. */
  keepOnly(chatNames: ReadonlySet<string>): void {
    for (const chatName of this.#definitions.keys()) {
      if (!chatNames.has(chatName)) this.#definitions.delete(chatName);
    }
  }

  /** The name the model sees of the tool that a caller calls `name`. */
  find(name: string, namespace?: string): string | undefined {
    if (namespace === undefined) return this.#firstOfName.get(name);
    const chatName = chatNameOf(namespace, name);
    const offered = this.names.get(chatName);
    return offered?.name === name && offered.namespace === namespace ? chatName : undefined;
  }

  /** The description of a namespace is sent to the model with its first tool. */
  #addNamespace(source: JsonObject, path: string): void {
    const namespace = parseText(source.name);
    if (!Array.isArray(source.tools)) return;
    source.tools.forEach((tool: unknown, index) => {
      if (!isObject(tool)) return;
      const said = index === 0 ? parseText(source.description) : undefined;
      const description = [said, parseText(tool.description)].filter((text) => text !== undefined);
      const described = description.length > 0 ? { description: description.join("\n\n") } : {};
      this.#add({ ...tool, ...described }, namespace, `${path}.tools[${index}]`);
    });
  }

  #add(tool: JsonObject, namespace: string | undefined, path: string): void {
    const kind = kindOf(tool.type);
    const name = kind === "tool_search" ? "tool_search" : (parseText(tool.name) ?? "");
    const chatName = chatNameOf(namespace, name);
    const known = this.names.get(chatName);
    if (known !== undefined && (known.name !== name || known.namespace !== namespace)) {
      throw badValue(`${path}.name`, `another tool is also called '${chatName}'.`);
    }
    this.names.set(chatName, { kind, name, namespace });
    if (!this.#firstOfName.has(name)) this.#firstOfName.set(name, chatName);
    const definition = define(tool, kind, chatName);
    this.#definitions.set(chatName, definition);
    this.origins.set(definition, path);
  }
}

function kindOf(type: unknown): OfferedTool["kind"] {
  return type === "custom" || type === "tool_search" ? type : "function";
}

/** A tool as chat completions define it. */
function define(tool: JsonObject, kind: OfferedTool["kind"], name: string): JsonObject {
  const description = parseText(tool.description);
  const named = description === undefined ? { name } : { name, description };
  if (kind === "custom") {
    const format = isObject(tool.format) ? { format: formatOf(tool.format) } : {};
    return { type: "custom", custom: { ...named, ...format } };
  }
  const definition: JsonObject = { ...named };
  if (isObject(tool.parameters)) definition.parameters = tool.parameters;
  if (typeof tool.strict === "boolean") definition.strict = tool.strict;
  return { type: "function", function: definition };
}

/** Chat completions put a grammar in a separate object. */
function formatOf(format: JsonObject): JsonObject {
  if (format.type !== "grammar") return { type: "text" };
  const { syntax, definition } = format;
  return { type: "grammar", grammar: { syntax, definition } };
}
