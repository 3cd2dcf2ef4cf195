// The vectors of an answer, copied as they are where they have the form their caller asked for. Parsing and writing a
// hundred of them keeps the process from everything else for tens of milliseconds; what is unusual is parsed all the same.
import { parseObject } from "@turnpike/base";
import type { EmbeddingsRequest } from "@turnpike/wire";

export type CopiedVectors = {
  /** The answer with an empty list. */
  readonly rest: string;
  /** The list, as JSON. */
  readonly data: string;
};

type Wanted = Pick<EmbeddingsRequest, "encodingFormat" | "inputCount" | "dimensions">;

/** What is around the numbers is parsed, so it must be short. */
const aroundMaxChars = 4_096;

/** Undefined for an answer that has to be parsed, which may be one that is refused. */
export function copyVectors(text: string, wanted: Wanted): CopiedVectors | undefined {
  if (wanted.encodingFormat !== "float") return undefined;
  const open = text.indexOf("[");
  const head = text.slice(0, open + 1);
  // In the answer itself, not in an object inside it.
  if (head.length > aroundMaxChars || !/^[^{]*\{[^{]*"data"\s*:\s*\[$/.test(head)) return undefined;
  let at = open + 1;
  let { dimensions } = wanted;
  for (let index = 0; index < wanted.inputCount; index += 1) {
    const vector = scanVector(text, at, index);
    if (vector === undefined || vector.count !== (dimensions ?? vector.count)) return undefined;
    dimensions = vector.count;
    at = skipSpaces(text, vector.end);
    if (text[at] !== (index === wanted.inputCount - 1 ? "]" : ",")) return undefined;
    at += 1;
  }
  const tail = text.slice(at);
  if (tail.length > aroundMaxChars || tail.includes('"data"')) return undefined;
  // An escape can spell that key in another way.
  if (head.includes("\\") || tail.includes("\\")) return undefined;
  return { rest: `${head}]${tail}`, data: text.slice(open, at) };
}

const writtenIndex = /"index"\s*:\s*(\d+)\s*[,}]/;

type Scanned = { readonly count: number; readonly end: number };

/** The entry that begins at `start`, if it is the one at `index` and has the three members of OpenAI's. */
function scanVector(text: string, start: number, index: number): Scanned | undefined {
  const open = text.indexOf("[", start);
  if (open === -1 || open - start > aroundMaxChars) return undefined;
  const numbers = scanNumbers(text, open + 1);
  if (numbers === undefined) return undefined;
  const close = text.indexOf("}", numbers.end);
  if (close === -1 || close - numbers.end > aroundMaxChars) return undefined;
  const around = text.slice(start, open + 1) + text.slice(numbers.end - 1, close + 1);
  const entry = parseObject(around);
  // With a repeated key, or an unknown one, there are more quotes; 0.0 is an index that some clients refuse.
  if (entry === undefined || around.split('"').length !== 9) return undefined;
  if (writtenIndex.exec(around)?.[1] !== String(index)) return undefined;
  const isUsual =
    entry.object === "embedding" && entry.index === index && Array.isArray(entry.embedding);
  return isUsual ? { count: numbers.count, end: close + 1 } : undefined;
}

const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const closeBracket = 0x5d;
const smallE = 0x65;
const bigE = 0x45;
/** Longer ones may be too large for 32 bits. */
const wholeDigitsMax = 30;

/** At least one number; `end` is behind the closing bracket. A number with a positive exponent is not usual. */
function scanNumbers(text: string, start: number): Scanned | undefined {
  let at = start;
  for (let count = 1; ; count += 1) {
    at = skipSpaces(text, endOfNumber(text, skipSpaces(text, at)));
    // No number was found, or nothing follows.
    if (at <= 0 || at >= text.length) return undefined;
    const code = text.charCodeAt(at);
    at += 1;
    if (code === closeBracket) return { count, end: at };
    if (code !== comma) return undefined;
  }
}

/** Where the number that begins at `start` ends (RFC 8259, 6); -1 without a number. */
function endOfNumber(text: string, start: number): number {
  const wholeAt = codeAt(text, start) === minus ? start + 1 : start;
  let at = endOfDigits(text, wholeAt);
  const digits = at - wholeAt;
  if (digits === 0 || digits > wholeDigitsMax) return -1;
  if (digits > 1 && codeAt(text, wholeAt) === zero) return -1;
  if (codeAt(text, at) === point) {
    const fractionAt = at + 1;
    at = endOfDigits(text, fractionAt);
    if (at === fractionAt) return -1;
  }
  const code = codeAt(text, at);
  if (code !== smallE && code !== bigE) return at;
  if (codeAt(text, at + 1) !== minus) return -1;
  const exponentAt = at + 2;
  at = endOfDigits(text, exponentAt);
  return at === exponentAt ? -1 : at;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < zero || code > zero + 9) break;
    at += 1;
  }
  return at;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  if (at < 0) return at;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  return at;
}

/** 0 behind the end: the runtime's compiler gives up on functions that ask for what is there. */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}
