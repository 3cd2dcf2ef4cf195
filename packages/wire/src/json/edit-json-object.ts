// Where the top-level members of a JSON text are, and how to replace some of them without touching
// another byte: int64 numbers, key order, escapes and `__proto__` keys reach the upstream as sent.
import { brokenJson, oversizedJson } from "../checks/body-fault.ts";

/** One top-level member; offsets are UTF-16 indexes into the text that was scanned. */
export type JsonMember = {
  readonly key: string;
  /** Of the key's opening quote. */
  readonly start: number;
  readonly valueStart: number;
  /** One past the value's last character. */
  readonly valueEnd: number;
};

/** In the order of the text, duplicates included. */
export type JsonMembers = readonly JsonMember[];

export type JsonEdits = {
  /** New values by key, as JSON text. A missing key is appended. */
  readonly set?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
};

export type JsonBounds = {
  readonly depth: number;
  readonly keys: number;
  /** Commas: bounds the work of `JSON.parse` on 20 MiB of `[0,0,0…`. */
  readonly separators: number;
  /** Objects and arrays: an empty one takes 40 times as much memory as its text. */
  readonly containers: number;
};

/** Of what a caller sends. */
const bodyBounds: JsonBounds = {
  depth: 64,
  keys: 10_000,
  separators: 250_000,
  containers: 250_000,
};
/**
 * The same in protocols of agents, whose conversations and tools have more keys than that. The work is
 * bounded by the commas and by the bytes of a body.
 */
export const agentBounds: JsonBounds = { ...bodyBounds, keys: 250_000 };
const noBounds: JsonBounds = {
  depth: Number.POSITIVE_INFINITY,
  keys: Number.POSITIVE_INFINITY,
  separators: Number.POSITIVE_INFINITY,
  containers: Number.POSITIVE_INFINITY,
};

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The members of JSON that an upstream or this gateway wrote: its size is not the caller's mistake. */
export function findMembers(json: string): JsonMembers {
  return scanJsonObject(json, noBounds);
}

/** Measured: an object or an array, and a value or a key with its own short text. */
const containerBytes = 80;
const entryBytes = 32;

/**
 * One pass over `raw`, a body: refuses nesting beyond 64, more than 10,000 keys or 250,000 commas or brackets, and
 * returns the top-level members (none if the root is not an object). Whether the text is JSON at
 * all is up to `JSON.parse`; the spans are meaningful only if it succeeds.
 */
export function scanJsonObject(raw: string, bounds: JsonBounds = bodyBounds): JsonMembers {
  return scanJson(raw, bounds).members;
}

export type JsonScan = {
  readonly members: JsonMembers;
  /** At any depth, duplicates included. */
  readonly keys: number;
  /** At most what the parsed values take in memory besides their texts. */
  readonly structureBytes: number;
};

export function scanJson(raw: string, bounds: JsonBounds = bodyBounds): JsonScan {
  const members: JsonMember[] = [];
  const rootIsObject = raw.charCodeAt(skipSpaces(raw, 0)) === openBrace;
  let depth = 0;
  let keys = 0;
  let separators = 0;
  let containers = 0;
  let keyStart = -1;
  let keyEnd = -1;
  let valueStart = -1;
  for (let at = 0; at < raw.length; at += 1) {
    switch (raw.charCodeAt(at)) {
      case quote: {
        const close = endOfString(raw, at);
        if (depth === 1 && valueStart === -1) {
          keyStart = at;
          keyEnd = close + 1;
        }
        at = close;
        break;
      }
      case openBrace:
      case openBracket:
        depth += 1;
        if (depth > bounds.depth) {
          throw oversizedJson(`is nested deeper than ${bounds.depth} levels`);
        }
        containers += 1;
        if (containers > bounds.containers) {
          throw oversizedJson(`has more than ${bounds.containers} objects and arrays`);
        }
        break;
      case colon:
        keys += 1;
        if (keys > bounds.keys) throw oversizedJson(`has more than ${bounds.keys} keys`);
        if (depth === 1) valueStart = at + 1;
        break;
      case closeBrace:
      case closeBracket:
      case comma:
        if (depth === 1 && rootIsObject && valueStart !== -1) {
          members.push(memberAt(raw, keyStart, keyEnd, valueStart, at));
          valueStart = -1;
        }
        if (raw.charCodeAt(at) !== comma) depth -= 1;
        else if (++separators > bounds.separators) {
          throw oversizedJson(`has more than ${bounds.separators} values`);
        }
        break;
    }
  }
  const structureBytes = containers * containerBytes + (keys + separators) * entryBytes;
  return { members, keys, structureBytes };
}

/**
 * `raw` with some top-level values replaced, appended or removed. A key that occurs twice keeps
 * only its last occurrence, as `JSON.parse` reads it, so that no upstream can read another one.
 */
export function editJsonObject(raw: string, members: JsonMembers, edits: JsonEdits): string {
  const { set = nothing, remove = none } = edits;
  const repeated = findRepeated(members);
  const first = members[0];
  let edited = raw.slice(0, first?.start ?? raw.indexOf("{") + 1);
  // Unchanged members, with everything between them, are copied in one piece.
  let copyFrom = -1;
  let copyTo = -1;
  let kept = 0;
  for (const member of members) {
    if (remove.includes(member.key) || repeated?.has(member) === true) {
      if (copyFrom !== -1) edited += raw.slice(copyFrom, copyTo);
      copyFrom = -1;
      copyTo = -1;
      continue;
    }
    if (copyFrom === -1) {
      if (kept > 0) edited += copyTo === -1 ? "," : raw.slice(copyTo, member.start);
      copyFrom = member.start;
    }
    kept += 1;
    copyTo = member.valueEnd;
    const value = Object.hasOwn(set, member.key) ? set[member.key] : undefined;
    if (value === undefined) continue;
    edited += raw.slice(copyFrom, member.valueStart) + value;
    copyFrom = -1;
  }
  if (copyFrom !== -1) edited += raw.slice(copyFrom, copyTo);
  for (const key in set) {
    if (remove.includes(key) || hasMember(members, key)) continue;
    edited += `${kept > 0 ? "," : ""}${JSON.stringify(key)}:${set[key]}`;
    kept += 1;
  }
  return edited + raw.slice(members.at(-1)?.valueEnd ?? raw.lastIndexOf("}"));
}

const nothing: Readonly<Record<string, string>> = {};
const none: readonly string[] = [];

/** The members whose key occurs again later; undefined if there are none. */
function findRepeated(members: JsonMembers): ReadonlySet<JsonMember> | undefined {
  if (members.length <= fewMembers && !repeatsSome(members)) return undefined;
  const lastOf = new Map<string, JsonMember>();
  for (const member of members) lastOf.set(member.key, member);
  return new Set(members.filter((member) => lastOf.get(member.key) !== member));
}

/** As many as can be compared with each other without building a map. */
const fewMembers = 32;

function repeatsSome(members: JsonMembers): boolean {
  for (let index = 1; index < members.length; index += 1) {
    for (let before = 0; before < index; before += 1) {
      if (members[before]?.key === members[index]?.key) return true;
    }
  }
  return false;
}

function hasMember(members: JsonMembers, key: string): boolean {
  for (const member of members) if (member.key === key) return true;
  return false;
}

/** The JSON text of a top-level value (the last of its key); undefined if there is none. */
export function memberText(raw: string, members: JsonMembers, key: string): string | undefined {
  for (let index = members.length - 1; index >= 0; index -= 1) {
    const member = members[index];
    if (member?.key === key) return raw.slice(member.valueStart, member.valueEnd);
  }
  return undefined;
}

function memberAt(
  raw: string,
  keyStart: number,
  keyEnd: number,
  colonEnd: number,
  end: number,
): JsonMember {
  const valueStart = skipSpaces(raw, colonEnd);
  let valueEnd = end;
  while (valueEnd > valueStart && isSpace(raw.charCodeAt(valueEnd - 1))) valueEnd -= 1;
  return { key: decodeKey(raw, keyStart, keyEnd), start: keyStart, valueStart, valueEnd };
}

/** The keys of most bodies, by length: recognized where they are, they need no text of their own. */
const usualKeys = Map.groupBy(
  [
    "model",
    "messages",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "tools",
    "tool_choice",
    "response_format",
    "reasoning_effort",
    "input",
    "instructions",
    "system",
    "user",
    "stop",
    "n",
    "seed",
    "store",
    "metadata",
  ],
  (key) => key.length,
);

function decodeKey(raw: string, start: number, end: number): string {
  for (const key of usualKeys.get(end - start - 2) ?? none) {
    if (raw.startsWith(key, start + 1)) return key;
  }
  const inner = raw.slice(start + 1, end - 1);
  if (!inner.includes("\\")) return inner;
  try {
    return String(JSON.parse(raw.slice(start, end)));
  } catch {
    throw brokenJson();
  }
}

/** Index of the closing quote of a string; `indexOf` makes megabytes of base64 cheap to step over. */
export function endOfString(raw: string, open: number): number {
  let close = raw.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(raw, close)) close = raw.indexOf('"', close + 1);
  if (close === -1) throw brokenJson();
  return close;
}

function isEscaped(raw: string, at: number): boolean {
  let before = at - 1;
  while (raw.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

export function skipSpaces(raw: string, from: number): number {
  let at = from;
  while (isSpace(raw.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
