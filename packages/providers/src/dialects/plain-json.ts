// Answers in JSON from models that cannot be bound to it: they are asked for it in words. Models that are asked so
// may put a code fence around their answer, which clients could not parse.
import type { JsonObject } from "@turnpike/base";
import { kindOfFormat, schemaOfFormat } from "./response-format.ts";

/** `format` is a `response_format` of JSON. */
export function askForJson(format: unknown, hasTools: boolean): string {
  const schema = schemaOfFormat(format);
  const what = schema === undefined ? "JSON object" : "JSON value";
  const sentences = [
    `Your answer must be a single valid ${what}, without any text before or after it and without a code fence.`,
  ];
  if (hasTools) sentences.push("You may call tools before you answer.");
  if (schema === undefined) return sentences.join(" ");
  sentences.push("It must conform to this JSON Schema:");
  return `${sentences.join(" ")}\n${JSON.stringify(schema)}`;
}

/** Undefined if the answer to a request may be any text. */
export function openFence({ response_format: format }: JsonObject): FencedJson | undefined {
  return kindOfFormat(format) === "text" ? undefined : new FencedJson();
}

/** A fence that has begun, or has begun completely and is followed by JSON. */
const opening = /^\s*(?:`{0,2}|```(?:j|js|jso|json)?\s*)$/i;
const opened = /^\s*```(?:json)?\s*(?=[{["\d])/i;

/** No fence is longer, with the white space around it. */
const fenceMaxChars = 64;

/** One text of an answer without the code fence around its JSON; any other text is unchanged. */
export class FencedJson {
  #state: "undecided" | "fenced" | "plain" = "undecided";
  /** The beginning of the text, or an end of it that may be that of the fence. */
  #held = "";

  /** What can be shown after another fragment of the text. */
  add(fragment: string): string {
    if (this.#state === "plain") return fragment;
    this.#held += fragment;
    if (this.#state === "undecided") this.#decide();
    if (this.#state === "undecided") return "";
    return this.#release(this.#state === "fenced" ? endOfFence(this.#held) : this.#held.length);
  }

  /** What remains to be shown at the end of the text; the next fragment begins another one. */
  end(): string {
    const isFence = this.#state === "fenced" && this.#held.includes("```");
    const rest = isFence ? "" : this.#held;
    this.#state = "undecided";
    this.#held = "";
    return rest;
  }

  #decide(): void {
    const fence = opened.exec(this.#held);
    if (fence !== null) {
      this.#state = "fenced";
      this.#held = this.#held.slice(fence[0].length);
    } else if (this.#held.length > fenceMaxChars || !opening.test(this.#held)) {
      this.#state = "plain";
    }
  }

  #release(chars: number): string {
    const shown = this.#held.slice(0, chars);
    this.#held = this.#held.slice(chars);
    return shown;
  }
}

/** Where the white space and backticks at the end of `text` begin. */
function endOfFence(text: string): number {
  let at = text.length;
  while (at > 0 && text.length - at < fenceMaxChars && /[\s`]/.test(text[at - 1] ?? "")) at -= 1;
  return at;
}
