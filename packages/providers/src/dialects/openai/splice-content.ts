// The hot path: consecutive deltas of most upstreams differ only in their text, so its neighbours
// are learned once and the text is moved over without parsing. Equal to the parsed path, byte for
// byte: the learned text ends inside a JSON string, and only a quote, a backslash or a control
// character could make it end elsewhere or mean something else.

import { isObject, type JsonObject } from "@turnpike/base";
import type { StreamEvent } from "../../provider.ts";
import { countDelta } from "./count-tokens.ts";
import type { OpenaiQuirks } from "./quirks.ts";

type Template = {
  readonly prefix: string;
  readonly suffix: string;
  readonly ourPrefix: string;
  readonly ourSuffix: string;
  used: boolean;
};

/** Stands for the text while learning; unlike any text a model writes. */
const probe = "turnpike:probe:7f3a";
/** Templates that never served before learning is given up: some upstreams vary each event. */
const maxMisses = 8;

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

export class ContentSplicer {
  readonly #tokensPerDelta: OpenaiQuirks["tokensPerDelta"];
  #template: Template | undefined;
  #misses = 0;

  constructor(tokensPerDelta: OpenaiQuirks["tokensPerDelta"]) {
    this.#tokensPerDelta = tokensPerDelta;
  }

  /** The chunk for `payload` if it differs from the learned one in plain text only. */
  splice(payload: string): StreamEvent | undefined {
    const template = this.#template;
    if (!template) return undefined;
    const start = template.prefix.length;
    const end = payload.length - template.suffix.length;
    if (end <= start) return undefined;
    if (!payload.startsWith(template.prefix) || !payload.endsWith(template.suffix))
      return undefined;
    for (let at = start; at < end; at += 1) {
      const unit = payload.charCodeAt(at);
      if (unit === quote || unit === backslash || unit < firstPrintable) return undefined;
    }
    template.used = true;
    const text = payload.slice(start, end);
    const json = template.ourPrefix + text + template.ourSuffix;
    return { kind: "chunk", json, tokens: countDelta(text, this.#tokensPerDelta) };
  }

  /** Call when a choice finishes: what was learned holds only while choices go on. */
  forget(): void {
    this.#template = undefined;
  }

  /**
   * Learns from an event whose only effect was the chunk `json`. Nothing is learned unless that
   * chunk carries content alone, in a choice that goes on.
   */
  learn(payload: string, json: string): void {
    if (this.#misses >= maxMisses || payload.includes("\\")) return;
    const known = this.#template;
    if (known && payload.startsWith(known.prefix) && payload.endsWith(known.suffix)) return;
    const text = plainContent(json);
    if (text === undefined) return;
    this.#misses = known?.used ? 0 : this.#misses + 1;
    this.#template = undefined;
    const theirs = splitAround(payload, text);
    const ours = splitAround(json, text);
    if (!theirs || !ours) return;
    this.#template = {
      prefix: theirs.prefix,
      suffix: theirs.suffix,
      ourPrefix: ours.prefix,
      ourSuffix: ours.suffix,
      used: false,
    };
  }
}

/** The delta of an event with exactly one choice. */
function soleDelta(event: unknown): JsonObject | undefined {
  if (!isObject(event) || !Array.isArray(event.choices)) return undefined;
  const [choice, another] = event.choices;
  if (another !== undefined || !isObject(choice)) return undefined;
  return isObject(choice.delta) ? choice.delta : undefined;
}

/** The content of a chunk of ours that has nothing else to say. */
function plainContent(json: string): string | undefined {
  if (!json.includes('"delta":{"content":"')) return undefined;
  const delta = soleDelta(JSON.parse(json));
  if (!delta || Object.keys(delta).length !== 1) return undefined;
  return typeof delta.content === "string" ? delta.content : undefined;
}

type AroundText = { readonly prefix: string; readonly suffix: string };

/** What surrounds the text of the sole delta's content; both sides keep their quote. */
function splitAround(json: string, text: string): AroundText | undefined {
  const spelled = JSON.stringify(text);
  for (const key of ['"content":', '"content": ']) {
    const at = json.indexOf(key + spelled);
    if (at === -1) continue;
    const valueStart = at + key.length;
    const prefix = json.slice(0, valueStart + 1);
    const suffix = json.slice(valueStart + spelled.length - 1);
    return holdsContent(json, prefix, suffix) ? { prefix, suffix } : undefined;
  }
  return undefined;
}

/** Proves by substitution that the text between is the delta's content, and nothing besides. */
function holdsContent(json: string, prefix: string, suffix: string): boolean {
  const event: unknown = JSON.parse(json);
  const delta = soleDelta(event);
  if (!delta) return false;
  delta.content = probe;
  return JSON.stringify(JSON.parse(prefix + probe + suffix)) === JSON.stringify(event);
}
