// The hot path: consecutive events of most upstreams differ only in their text, so its neighbors are
// learned once and the bytes between them are copied, without decoding or parsing. Equal to the parsed
// path, byte for byte: the learned text ends inside a JSON string, and only a quote, a backslash or a
// control character could make it end elsewhere or mean something else.

import { isUtf8 } from "node:buffer";
import { isObject, type JsonObject } from "@turnpike/base";
import { sseData } from "@turnpike/wire";
import type { StreamEvent } from "../../provider.ts";
import { countDelta, isShortWord } from "./count-tokens.ts";
import type { OpenaiQuirks } from "./quirks.ts";

/** What surrounds the text in whole events, including line ends: each side in one array, which is fewer cells to read. */
type Template = {
  /** Before and after the text, of the upstream's events. */
  readonly theirs: Uint8Array;
  readonly theirPrefixBytes: number;
  /** The same of the events that are sent. */
  readonly ours: Uint8Array;
  readonly ourPrefixBytes: number;
  used: boolean;
};

/** Replaces the text while learning; unlike any text a model writes. */
const probe = "turnpike:probe:7f3a";
/** Unused templates before learning is given up: some upstreams vary each event. */
const maxMisses = 8;

/** A comment begins with it, and belongs to no other event. */
const colon = 0x3a;
const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;
const firstBeyondAscii = 0x80;

/** Of the run that is read: filled and used without waiting, so one array serves all streams. */
const textEnds: number[] = [];

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class ContentSplicer {
  readonly #tokensPerDelta: OpenaiQuirks["tokensPerDelta"];
  readonly #maxEventBytes: number;
  #template: Template | undefined;
  #misses = 0;

  constructor(tokensPerDelta: OpenaiQuirks["tokensPerDelta"], maxEventBytes: number) {
    this.#tokensPerDelta = tokensPerDelta;
    this.#maxEventBytes = maxEventBytes;
  }

  /** False once learning has stopped. */
  get learns(): boolean {
    return this.#misses < maxMisses;
  }

  /**
   * Adds to `out` one frame of all events from `from` on that differ from the learned one only in plain text, and of
   * several have no more than `tokensMax`; returns where the first other one begins. `from` must be the beginning of an
   * event.
   */
  splice(
    bytes: Uint8Array,
    from: number,
    out: StreamEvent[],
    tokensMax = Number.POSITIVE_INFINITY,
  ): number {
    const template = this.#template;
    if (template === undefined) return from;
    const { theirs, theirPrefixBytes } = template;
    let at = from;
    let tokens = 0;
    let deltaCount = 0;
    while (beginsWith(bytes, at, theirs, theirPrefixBytes)) {
      const start = at + theirPrefixBytes;
      const end = endOfPlainText(bytes, start);
      if (end === start || !endsWith(bytes, end, theirs, theirPrefixBytes)) break;
      const nextAt = end + theirs.length - theirPrefixBytes;
      const counted = this.#countTokens(bytes, start, end);
      if (counted === undefined || nextAt - at > this.#maxEventBytes) break;
      if (deltaCount > 0 && tokens + counted > tokensMax) break;
      textEnds[deltaCount] = end;
      deltaCount += 1;
      tokens += counted;
      at = nextAt;
    }
    if (deltaCount === 0) return from;
    template.used = true;
    out.push({
      kind: "frame",
      bytes: frameOf(template, bytes, from, deltaCount),
      tokens,
      deltaCount,
    });
    return at;
  }

  /** Call when a choice finishes: what was learned is valid only while choices continue. */
  forget(): void {
    this.#template = undefined;
  }

  /**
   * Learns from `event`, whose only payload had no other effect than the chunk `json`. Nothing is
   * learned unless that chunk has only content, in a choice that continues.
   */
  learn(event: Uint8Array, payload: string, json: string): void {
    if (!this.learns || payload.includes("\\") || event[0] === colon) return;
    const known = this.#template;
    if (known !== undefined && isAround(known, event)) return;
    const text = plainContent(json);
    if (text === undefined) return;
    this.#misses = known?.used ? 0 : this.#misses + 1;
    this.#template = undefined;
    const theirs = splitAround(payload, text);
    const ours = splitAround(json, text);
    const whole = decoder.decode(event);
    const payloadAt = whole.indexOf(payload);
    if (!theirs || !ours || payloadAt === -1) return;
    const ourFrame = sseData(json);
    const jsonAt = ourFrame.indexOf(json);
    const theirPrefix = encoder.encode(whole.slice(0, payloadAt) + theirs.prefix);
    const theirSuffix = encoder.encode(theirs.suffix + whole.slice(payloadAt + payload.length));
    const ourPrefix = encoder.encode(ourFrame.slice(0, jsonAt) + ours.prefix);
    const ourSuffix = encoder.encode(ours.suffix + ourFrame.slice(jsonAt + json.length));
    this.#template = {
      theirs: join(theirPrefix, theirSuffix),
      theirPrefixBytes: theirPrefix.length,
      ours: join(ourPrefix, ourSuffix),
      ourPrefixBytes: ourPrefix.length,
      used: false,
    };
  }

  /** Undefined for bytes that are not text. */
  #countTokens(bytes: Uint8Array, start: number, end: number): number | undefined {
    let isAscii = true;
    for (let at = start; at < end; at += 1) isAscii &&= (bytes[at] ?? 0) < firstBeyondAscii;
    if (!isAscii && !isUtf8(bytes.subarray(start, end))) return undefined;
    if (this.#tokensPerDelta === "one" && isShortWord(bytes, start, end)) return 1;
    return countDelta(decoder.decode(bytes.subarray(start, end)), this.#tokensPerDelta);
  }
}

function endOfPlainText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote || byte === backslash || byte < firstPrintable) break;
  }
  return at;
}

/** Whether the first `length` bytes of `sides` are at `from`. */
function beginsWith(bytes: Uint8Array, from: number, sides: Uint8Array, length: number): boolean {
  if (from + length > bytes.length) return false;
  for (let at = 0; at < length; at += 1) if (bytes[from + at] !== sides[at]) return false;
  return true;
}

/** Whether what `sides` has after its first `skipped` bytes is at `from`. */
function endsWith(bytes: Uint8Array, from: number, sides: Uint8Array, skipped: number): boolean {
  const offset = from - skipped;
  if (offset + sides.length > bytes.length) return false;
  for (let at = skipped; at < sides.length; at += 1) {
    if (bytes[offset + at] !== sides[at]) return false;
  }
  return true;
}

function isAround({ theirs, theirPrefixBytes }: Template, event: Uint8Array): boolean {
  if (event.length < theirs.length) return false;
  const suffixAt = event.length - (theirs.length - theirPrefixBytes);
  return (
    beginsWith(event, 0, theirs, theirPrefixBytes) &&
    endsWith(event, suffixAt, theirs, theirPrefixBytes)
  );
}

/** `deltaCount` events that begin at `from`, and whose texts end at `textEnds`, as they are sent. */
function frameOf(
  { theirs, theirPrefixBytes, ours, ourPrefixBytes }: Template,
  bytes: Uint8Array,
  from: number,
  deltaCount: number,
): Uint8Array<ArrayBuffer> {
  const theirSuffixBytes = theirs.length - theirPrefixBytes;
  const lastEnd = (textEnds[deltaCount - 1] ?? 0) + theirSuffixBytes;
  const frame = new Uint8Array(lastEnd - from + deltaCount * (ours.length - theirs.length));
  let start = from + theirPrefixBytes;
  let frameAt = 0;
  for (let index = 0; index < deltaCount; index += 1) {
    const end = textEnds[index] ?? 0;
    const textAt = frameAt + ourPrefixBytes;
    const suffixAt = textAt + end - start;
    frame.set(ours, frameAt);
    // Both sides were copied at once: the second belongs behind the text.
    frame.copyWithin(suffixAt, textAt, frameAt + ours.length);
    for (let at = start; at < end; at += 1) frame[textAt + at - start] = bytes[at] ?? 0;
    frameAt = suffixAt + ours.length - ourPrefixBytes;
    start = end + theirSuffixBytes + theirPrefixBytes;
  }
  return frame;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The delta of an event with exactly one choice. */
function soleDelta(event: unknown): JsonObject | undefined {
  if (!isObject(event) || !Array.isArray(event.choices)) return undefined;
  const [choice, another] = event.choices;
  if (another !== undefined || !isObject(choice)) return undefined;
  return isObject(choice.delta) ? choice.delta : undefined;
}

/** The content of one of our chunks that has nothing else. */
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

/** Proves by substitution that the text between is the delta's content, and nothing else. */
function holdsContent(json: string, prefix: string, suffix: string): boolean {
  const event: unknown = JSON.parse(json);
  const delta = soleDelta(event);
  if (!delta) return false;
  delta.content = probe;
  return JSON.stringify(JSON.parse(prefix + probe + suffix)) === JSON.stringify(event);
}
