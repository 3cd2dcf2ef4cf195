// The conversation as sent to Gemini: instructions separate from the turns, calls and their results with
// the names that chat completions omit, and the signatures of the model's thoughts.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { missingSignature, parseExactObject, parseSignature } from "@turnpike/wire";
import { untranslatable } from "../../untranslatable.ts";
import { inputName } from "../custom-tool.ts";
import { walkMessages } from "../walk-messages.ts";
import { signatureOfCall, signaturesIn } from "./thought-signature.ts";
import { translateContent } from "./translate-part.ts";

type Turn = { readonly role: "user" | "model"; readonly parts: JsonObject[] };

export type Conversation = {
  readonly systemInstruction: { readonly parts: readonly JsonObject[] } | undefined;
  readonly contents: readonly Turn[];
};

/**
 * `instruction` follows the caller's own. Throws the Fault of the first message that cannot be sent to
 * Gemini.
 */
export function translateContents(
  messages: unknown,
  generation: 2 | 3,
  instruction?: string,
): Conversation {
  const writer = new ConversationWriter(generation);
  walkMessages(messages, {
    instructions: (message, path) => writer.addInstructions(message, path),
    user: (message, path) => writer.addUser(message, path),
    assistant: (message, path) => writer.addModel(message, path),
    tool: (message, path) => writer.addResult(message, path),
    whyNoAudio: "Gemini keeps no audio of earlier answers",
  });
  return writer.finish(instruction);
}

/** Says what a turn that the conversation lacks would say. */
const speaks = (text: string): Turn => ({ role: "user", parts: [{ text }] });

/** Turns alternate, begin and end with the user, and none is empty: Gemini refuses any other conversation. */
class ConversationWriter {
  readonly #generation: 2 | 3;
  readonly #instructions: JsonObject[] = [];
  readonly #turns: Turn[] = [];
  /** The names of the last turn's calls, by id. */
  readonly #names = new Map<unknown, unknown>();

  constructor(generation: 2 | 3) {
    this.#generation = generation;
  }

  addInstructions(message: JsonObject, path: string): void {
    this.#instructions.push(...translateContent(message.content, `${path}.content`));
  }

  /** A request with only instructions sends them as the user's message. */
  finish(instruction: string | undefined): Conversation {
    if (instruction !== undefined) this.#instructions.push({ text: instruction });
    if (this.#turns.length === 0 && this.#instructions.length > 0) {
      const contents = [{ role: "user" as const, parts: this.#instructions }];
      return { systemInstruction: undefined, contents };
    }
    const systemInstruction =
      this.#instructions.length === 0 ? undefined : { parts: this.#instructions };
    const contents = [...this.#turns];
    if (contents[0]?.role === "model") contents.unshift(speaks("(The assistant begins.)"));
    if (contents.at(-1)?.role !== "user") contents.push(speaks("(Continue.)"));
    return { systemInstruction, contents };
  }

  addUser(message: JsonObject, path: string): void {
    const [first, ...rest] = translateContent(message.content, `${path}.content`);
    if (first !== undefined) this.#say("user", [named(first, parseText(message.name)), ...rest]);
  }

  addModel(message: JsonObject, path: string): void {
    const said = translateContent(message.content, `${path}.content`);
    if (typeof message.refusal === "string" && message.refusal !== "") {
      said.push({ text: message.refusal });
    }
    const calls = this.#callsOf(message, path);
    const parts = [...thoughtsOf(message), ...signed(said, message), ...calls];
    // Thoughts and signatures alone are not an answer.
    if (said.length > 0 || calls.length > 0) this.#say("model", parts);
  }

  #say(role: Turn["role"], parts: readonly JsonObject[]): void {
    const last = this.#turns.at(-1);
    if (last?.role !== role) {
      this.#turns.push({ role, parts: [...parts] });
      return;
    }
    // No spread: a message may have more parts than a call can have arguments.
    for (const part of parts) last.parts.push(part);
  }

  #callsOf(message: JsonObject, path: string): JsonObject[] {
    const calls: readonly unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    if (calls.length > 0) this.#names.clear();
    const signatures = signaturesIn(detailsOf(message));
    return calls.filter(isObject).map((call, index) => {
      const { name, args } = parseCall(call, `${path}.tool_calls[${index}]`);
      this.#names.set(call.id, name);
      const lost = this.#generation === 3 && index === 0 ? missingSignature : undefined;
      const thoughtSignature = signatureOfCall(call, signatures) ?? lost;
      const functionCall = { id: call.id, name, args };
      return thoughtSignature === undefined ? { functionCall } : { functionCall, thoughtSignature };
    });
  }

  addResult(message: JsonObject, path: string): void {
    const id = message.tool_call_id;
    const name = this.#names.get(id);
    if (name === undefined) {
      throw untranslatable(`${path}.tool_call_id`, "no tool call before it has this id");
    }
    const parts = translateContent(message.content, `${path}.content`);
    const text = parts.map((part) => parseText(part.text) ?? "").join("");
    const response = message.is_error === true ? { error: text } : { output: text };
    const media = parts.filter((part) => part.text === undefined);
    // Only Gemini 3 reads media as a part of a result, and only as data.
    const isInside = (part: JsonObject) => this.#generation === 3 && isObject(part.inlineData);
    const inside = media.filter(isInside);
    const beside = media.filter((part) => !isInside(part));
    const functionResponse = { id, name, response, ...(inside.length > 0 && { parts: inside }) };
    this.#say("user", [{ functionResponse }, ...beside]);
  }
}

/** As OpenRouter shows the name of a participant to models without a field for it. */
function named(part: JsonObject, name: string | undefined): JsonObject {
  if (name === undefined || typeof part.text !== "string") return part;
  return { ...part, text: `${name}: ${part.text}` };
}

function detailsOf({ reasoning_details: details }: JsonObject): readonly JsonObject[] {
  return Array.isArray(details) ? details.filter(isObject) : [];
}

/** Gemini's own signed thoughts; it does not accept others. */
function thoughtsOf(message: JsonObject): JsonObject[] {
  return detailsOf(message).flatMap(({ text, signature }) => {
    const thoughtSignature = parseSignature(signature);
    if (thoughtSignature === undefined) return [];
    return [{ text: parseText(text) ?? "", thought: true, thoughtSignature }];
  });
}

/** The signature of a text is that of its last part. */
function signed(parts: JsonObject[], message: JsonObject): JsonObject[] {
  const signatures = detailsOf(message).map(({ data }) => parseSignature(data));
  const thoughtSignature = signatures.findLast((signature) => signature !== undefined);
  const last = parts.at(-1);
  if (thoughtSignature === undefined || last === undefined) return parts;
  return [...parts.slice(0, -1), { ...last, thoughtSignature }];
}

function parseCall(
  call: JsonObject,
  path: string,
): { readonly name: unknown; readonly args: unknown } {
  if (isObject(call.custom)) {
    return { name: call.custom.name, args: { [inputName]: call.custom.input } };
  }
  const called = isObject(call.function) ? call.function : {};
  const spelled = parseText(called.arguments) ?? "{}";
  const args = parseExactObject(spelled.trim() === "" ? "{}" : spelled);
  if (args !== undefined) return { name: called.name, args };
  throw untranslatable(`${path}.function.arguments`, "it must be a JSON object");
}
