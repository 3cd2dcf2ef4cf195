// What the messages of a streamed choice have said, for services that send the message so far in place of deltas, or
// the same message again: of each only what is new is sent on. Ordinary deltas never come here.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { argumentsText, parseContent } from "./parse-content.ts";

/** One text that messages say again and again. */
class SaidText {
  /** Undefined once it is known that nothing is repeated. */
  #said: string | undefined = "";
  /** How much of it deltas have repeated. */
  #repeatedChars = 0;

  get isSettled(): boolean {
    return this.#said === undefined;
  }

  /** What a message adds: it has the text so far, or else a piece of its own. */
  extend(text: string): string {
    const said = this.#said;
    if (said === undefined || text === "") return text;
    if (!text.startsWith(said)) {
      // Pieces: to compare each with all before it would take time that grows with their square.
      this.#said = undefined;
      return text;
    }
    this.#said = text;
    return text.slice(said.length);
  }

  /** What a delta adds that follows messages: some services repeat in deltas what a message said. */
  follow(text: string): string {
    const said = this.#said;
    if (said === undefined || text === "") return text;
    const rest = said.slice(this.#repeatedChars);
    if (rest !== text && rest.startsWith(text)) {
      this.#repeatedChars += text.length;
      return "";
    }
    this.#said = undefined;
    if (text.startsWith(rest)) return text.slice(rest.length);
    // It was no repetition, so what was withheld belongs to the answer.
    return said.slice(0, this.#repeatedChars) + text;
  }
}

/** The members that are read as texts or as calls. */
const readMembers: ReadonlySet<string> = new Set([
  "role",
  "content",
  "reasoning",
  "reasoning_content",
  "refusal",
  "tool_calls",
  "function_call",
]);

export class SaidMessages {
  readonly #content = new SaidText();
  readonly #reasoning = new SaidText();
  readonly #refusal = new SaidText();
  /** By call, its arguments. */
  readonly #arguments = new Map<string, SaidText>();
  /** Of any other member, its JSON. */
  readonly #others = new Map<string, string>();

  /** The delta that `message` adds to the messages before it. */
  extend(message: JsonObject): JsonObject {
    const delta = this.#texts(message, (said, text) => said.extend(text));
    for (const name in message) {
      if (readMembers.has(name)) continue;
      const json = JSON.stringify(message[name]);
      if (this.#others.get(name) === json) delete delta[name];
      else this.#others.set(name, json);
    }
    const { tool_calls, function_call } = message;
    if (Array.isArray(tool_calls)) {
      delta.tool_calls = tool_calls.map((call: unknown, position) =>
        isObject(call) ? this.#extendToolCall(call, position) : call,
      );
    }
    if (isObject(function_call)) delta.function_call = this.#extendCall("", function_call);
    return delta;
  }

  /** The delta that `delta` adds to the messages before it. */
  follow(delta: JsonObject): JsonObject {
    const texts = [this.#content, this.#reasoning, this.#refusal];
    if (texts.every(({ isSettled }) => isSettled)) return delta;
    return this.#texts(delta, (said, text) => said.follow(text));
  }

  #texts(source: JsonObject, read: (said: SaidText, text: string) => string): JsonObject {
    const { reasoning: _, ...others } = source;
    const { content, reasoning } = parseContent(source);
    return {
      ...others,
      content: read(this.#content, content ?? ""),
      reasoning_content: read(this.#reasoning, reasoning),
      refusal: read(this.#refusal, parseText(source.refusal) ?? ""),
    };
  }

  #extendToolCall(call: JsonObject, position: number): JsonObject {
    const kind = isObject(call.custom) ? "custom" : "function";
    const called = call[kind];
    if (!isObject(called)) return call;
    const key = `${parseText(call.id) ?? position} ${parseText(called.name) ?? ""}`;
    return { ...call, [kind]: this.#extendCall(key, called) };
  }

  /** A call that was named before is not named again. */
  #extendCall(key: string, called: JsonObject): JsonObject {
    const input = "input" in called ? "input" : "arguments";
    const text = argumentsText(called[input]);
    const known = this.#arguments.get(key);
    if (known !== undefined) return { [input]: known.extend(text) };
    const said = new SaidText();
    this.#arguments.set(key, said);
    return { ...called, [input]: said.extend(text) };
  }
}
