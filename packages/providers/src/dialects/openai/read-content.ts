// What did the model say, and what did it only think? Text and thinking arrive in several
// shapes; thinking never ends up in `content`.

import { isObject, type JsonObject, readText } from "../../json-object.ts";

export type ModelText = {
  /** Null when the upstream sent no text at all, not even an empty one. */
  readonly content: string | null;
  readonly reasoning: string;
};

/** Text inside `{type:"text",text}`, `{type:"thinking",thinking:[…]}` and bare strings. */
function joinParts(value: unknown, wanted: "text" | "thinking"): string {
  if (!Array.isArray(value)) return "";
  let joined = "";
  for (const part of value) {
    if (typeof part === "string") joined += wanted === "text" ? part : "";
    if (!isObject(part) || part.type !== wanted) continue;
    const inner = part[wanted];
    joined += typeof inner === "string" ? inner : joinParts(inner, "text");
  }
  return joined;
}

/** Reads `content`, `reasoning_content` and `reasoning` of a message or a delta. */
export function readContent(source: JsonObject): ModelText {
  const { content } = source;
  const named = readText(source.reasoning_content) ?? readText(source.reasoning);
  if (!Array.isArray(content)) {
    return { content: typeof content === "string" ? content : null, reasoning: named ?? "" };
  }
  return {
    content: joinParts(content, "text"),
    reasoning: named ?? joinParts(content, "thinking"),
  };
}

/** Puts thinking into both fields that clients read. */
export function writeReasoning(target: JsonObject, reasoning: string): void {
  if (reasoning === "") return;
  target.reasoning_content = reasoning;
  target.reasoning = reasoning;
}

/** Arguments as the wire wants them: a string, also from upstreams that send the object itself. */
export function readArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/** A list whose entries all have an integer `index`: clients that merge lists stop without one. */
export function numberEntries(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown, position) =>
    isObject(entry) && !Number.isInteger(entry.index) ? { ...entry, index: position } : entry,
  );
}
