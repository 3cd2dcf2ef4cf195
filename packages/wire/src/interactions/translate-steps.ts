// The input of an interaction as contents of generateContent, which are translated for every provider. What is signed keeps
// its signature: that of a call stands in the thought before it.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { openSignature } from "../gemini/thought-signature.ts";

/** Contents, and where each of them and of their parts is in the caller's own body. */
export class PlacedContents {
  readonly contents: JsonObject[] = [];
  readonly places = new Map<string, string>();

  add(role: "user" | "model", path: string, parts: readonly PlacedPart[]): void {
    const own = `contents[${this.contents.length}]`;
    this.places.set(own, path);
    parts.forEach((part, index) => {
      this.places.set(`${own}.parts[${index}]`, part.path);
    });
    this.contents.push({ role, parts: parts.map(({ part }) => part) });
  }
}

type PlacedPart = { readonly part: JsonObject; readonly path: string };

/** Of an input that was checked. */
export function translateSteps(input: unknown): PlacedContents {
  const placed = new PlacedContents();
  if (!Array.isArray(input)) {
    placed.add("user", "input", partsOf(isObject(input) ? [input] : input, "input"));
    return placed;
  }
  let signature: string | undefined;
  input.forEach((step: unknown, index) => {
    if (!isObject(step)) return;
    const path = `input[${index}]`;
    const signsNext = isCall(input[index + 1]) ? signatureForCall(step) : undefined;
    if (step.type === "thought") placed.add("model", path, thoughtParts(step, path, signsNext));
    else if (isCall(step)) placed.add("model", path, [{ part: callPart(step, signature), path }]);
    else if (step.type === "function_result") {
      placed.add("user", path, [{ part: resultPart(step), path }]);
    } else if (step.type === "model_output" || step.type === "user_input") {
      const role = step.type === "model_output" ? "model" : "user";
      placed.add(role, path, partsOf(step.content, `${path}.content`));
    } else placed.add("user", path, [{ part: partOf(step), path }]);
    signature = signsNext;
  });
  return placed;
}

function isCall(step: unknown): boolean {
  return isObject(step) && step.type === "function_call";
}

/** Of a thought right before a call. Google signs the call there; ours says itself what it signs. */
function signatureForCall({ type, signature }: JsonObject): string | undefined {
  const given = type === "thought" ? (parseText(signature) ?? "") : "";
  if (given === "") return undefined;
  const opened = openSignature(given);
  return opened === undefined || opened.callExtras.size > 0 ? given : undefined;
}

/** The signature, unless it is that of the call behind it, signs the last of the parts. */
function thoughtParts(
  { summary, signature }: JsonObject,
  path: string,
  signsNext: string | undefined,
): PlacedPart[] {
  const parts = partsOf(summary, `${path}.summary`)
    .filter(({ part }) => typeof part.text === "string")
    .map(({ part, ...placed }) => ({ ...placed, part: { ...part, thought: true } }));
  const own = parseText(signature) ?? "";
  if (own === "" || signsNext !== undefined) return parts;
  const last = parts.pop() ?? { part: { text: "", thought: true }, path };
  return [...parts, { ...last, part: { ...last.part, thoughtSignature: own } }];
}

function callPart({ id, name, arguments: args }: JsonObject, signature?: string): JsonObject {
  const functionCall = { id, name, args: args ?? {} };
  return signature === undefined ? { functionCall } : { functionCall, thoughtSignature: signature };
}

function resultPart({ call_id: id, name, result, is_error: isError }: JsonObject): JsonObject {
  const named = name === undefined ? {} : { name };
  const key = isError === true ? "error" : "output";
  if (!Array.isArray(result)) {
    const isWhole = isObject(result) && isError !== true;
    return { functionResponse: { id, ...named, response: isWhole ? result : { [key]: result } } };
  }
  const parts = partsOf(result, "").map(({ part }) => part);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const media = parts.filter(({ text }) => text === undefined);
  const response = { [key]: texts.join("\n") };
  return {
    functionResponse: { id, ...named, response, ...(media.length > 0 && { parts: media }) },
  };
}

function partsOf(contents: unknown, path: string): PlacedPart[] {
  if (typeof contents === "string") return [{ part: { text: contents }, path }];
  if (!Array.isArray(contents)) return [];
  return contents.flatMap((content: unknown, index) =>
    isObject(content) ? [{ part: partOf(content), path: `${path}[${index}]` }] : [],
  );
}

function partOf({ type, text, data, uri, mime_type: mimeType }: JsonObject): JsonObject {
  if (type === "text") return { text };
  if (typeof data === "string") return { inlineData: { mimeType, data } };
  // What it is decides how it is priced, and an address alone may not show it.
  const stated = mimeType ?? (type === "document" ? undefined : `${String(type)}/*`);
  return { fileData: { fileUri: uri, ...(stated !== undefined && { mimeType: stated }) } };
}
