// The conversation of a request of Gemini's API as chat messages. Contents of one side are one turn, of which several
// messages may be made: chat completions have one for each result of a tool, and calls beside the text.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { type TranslationNotes, toolNameOf } from "../messages/translate-blocks.ts";
import { CallMatcher } from "./match-calls.ts";
import { isPlaceholder, markSignature, openSignature, signedMembers } from "./thought-signature.ts";
import { translatePart, translateParts } from "./translate-parts.ts";

/** The `systemInstruction` field, as the first message; nothing if it is empty. */
export function translateInstruction(instruction: unknown, notes: TranslationNotes): JsonObject[] {
  const path = "systemInstruction";
  const parts = isObject(instruction)
    ? translateParts(instruction.parts, `${path}.parts`, notes)
    : [];
  if (parts.length === 0) return [];
  return [notes.locate({ role: "system", content: compact(parts) }, path)];
}

type PlacedPart = { readonly part: JsonObject; readonly path: string };
type Turn = { readonly isModel: boolean; readonly path: string; readonly parts: PlacedPart[] };

/** Throws Fault where calls and results do not match. */
export function translateContents(contents: unknown, notes: TranslationNotes): JsonObject[] {
  const calls = new CallMatcher();
  const messages = turnsOf(contents).flatMap((turn) => {
    if (turn.isModel) {
      calls.endAnswers();
      return translateModel(turn, calls, notes);
    }
    return translateUser(turn, calls, notes);
  });
  calls.endAnswers();
  return messages;
}

function turnsOf(contents: unknown): Turn[] {
  const turns: Turn[] = [];
  if (!Array.isArray(contents)) return turns;
  contents.forEach((content: unknown, index) => {
    if (!isObject(content)) return;
    const path = `contents[${index}]`;
    const isModel = content.role === "model";
    const last = turns.at(-1);
    const turn = last?.isModel === isModel ? last : { isModel, path, parts: [] };
    if (turn !== last) turns.push(turn);
    const parts = Array.isArray(content.parts) ? content.parts : [];
    parts.forEach((part: unknown, at) => {
      if (isObject(part)) turn.parts.push({ part, path: `${path}.parts[${at}]` });
    });
  });
  return turns;
}

/** A single text needs no list; some upstreams read only that form. */
function compact(parts: JsonObject[]): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return "";
  const isPlain = parts.length === 1 && only.type === "text";
  return isPlain && typeof only.text === "string" ? only.text : parts;
}

/** Results come first: chat completions require them directly after the calls. */
function translateUser(
  { parts, path: own }: Turn,
  calls: CallMatcher,
  notes: TranslationNotes,
): JsonObject[] {
  const results: JsonObject[] = [];
  const said: JsonObject[] = [];
  for (const { part, path } of parts) {
    if (isObject(part.functionResponse)) {
      results.push(translateResult(part.functionResponse, path, calls, notes));
    } else said.push(...translatePart(part, path, notes));
  }
  calls.endAnswers();
  if (said.length > 0 || results.length === 0) {
    results.push(notes.locate({ role: "user", content: compact(said) }, own));
  }
  return results;
}

function translateResult(
  result: JsonObject,
  path: string,
  calls: CallMatcher,
  notes: TranslationNotes,
): JsonObject {
  const place = `${path}.functionResponse`;
  const id = calls.result(result, place);
  const response = isObject(result.response) ? result.response : {};
  const { isError, text } = readResponse(response);
  const media = translateParts(result.parts, `${place}.parts`, notes);
  const content = media.length === 0 ? text : [{ type: "text", text }, ...media];
  const message: JsonObject = { role: "tool", tool_call_id: id, content };
  if (isError) message.is_error = true;
  return notes.locate(message, path);
}

/** Google documents `output` and `error` as what a result says; everything else is data. */
function readResponse(response: JsonObject): { readonly text: string; readonly isError: boolean } {
  const [name, ...others] = Object.keys(response);
  const value = name === undefined || others.length > 0 ? undefined : response[name];
  const isError = name === "error" && others.length === 0;
  const isWords = isError || name === "output" || name === "result";
  const text = isWords && typeof value === "string" ? value : JSON.stringify(response);
  return { text, isError };
}

/** What a turn of the model is put together from. */
class ModelTurn {
  readonly said: JsonObject[] = [];
  readonly calls: JsonObject[] = [];
  readonly details: JsonObject[] = [];
  /** Thoughts whose signature has not come. */
  #thought = "";

  think(text: string, signature: string | undefined): void {
    this.#thought += text;
    if (signature === undefined) return;
    const opened = openSignature(signature);
    if (opened === undefined) {
      this.#addDetail({
        type: "reasoning.text",
        text: this.#thought,
        signature: markSignature(signature),
      });
      this.#thought = "";
      return;
    }
    for (const detail of opened.details) {
      const isText = detail.type === "reasoning.text";
      this.#addDetail(isText ? { text: this.#thought, ...detail } : detail);
      if (isText) this.#thought = "";
    }
  }

  /** Of a text, which only Gemini signs, or one of ours behind it. */
  sign(signature: string): void {
    if (openSignature(signature) !== undefined) this.think("", signature);
    else this.#addDetail({ type: "reasoning.encrypted", data: markSignature(signature) });
  }

  /** Clients return a streamed answer as it came, in pieces: they are one text again. */
  say(parts: readonly JsonObject[]): void {
    for (const part of parts) {
      const last = this.said.at(-1);
      if (last?.type === "text" && part.type === "text") last.text = `${last.text}${part.text}`;
      else this.said.push(part);
    }
  }

  #addDetail(detail: JsonObject): void {
    this.details.push({ ...detail, index: this.details.length });
  }
}

function translateModel(
  { parts, path: own }: Turn,
  matcher: CallMatcher,
  notes: TranslationNotes,
): JsonObject[] {
  const turn = new ModelTurn();
  for (const { part, path } of parts) {
    const given = parseText(part.thoughtSignature);
    const signature =
      given === undefined || given === "" || isPlaceholder(given) ? undefined : given;
    if (isObject(part.functionCall)) {
      const id = matcher.call(part.functionCall, `${path}.functionCall`);
      turn.calls.push(notes.locate(translateCall(part.functionCall, id, signature), path));
    } else if (part.thought === true) turn.think(parseText(part.text) ?? "", signature);
    else {
      turn.say(translatePart(part, path, notes));
      if (signature !== undefined) turn.sign(signature);
    }
  }
  const { said, calls, details } = turn;
  const message: JsonObject = { role: "assistant" };
  message.content = said.length === 0 ? (calls.length > 0 ? null : "") : compact(said);
  if (details.length > 0) message.reasoning_details = details;
  if (calls.length > 0) message.tool_calls = calls;
  return [notes.locate(message, own)];
}

function translateCall(
  { name, args }: JsonObject,
  id: string,
  signature: string | undefined,
): JsonObject {
  const called = { name: toolNameOf(name), arguments: JSON.stringify(args ?? {}) };
  const call = { id, type: "function", function: called };
  if (signature === undefined) return call;
  const opened = openSignature(signature);
  if (opened === undefined) return { ...signedMembers(signature), ...call };
  return { ...[...opened.callExtras.values()][0], ...call };
}
