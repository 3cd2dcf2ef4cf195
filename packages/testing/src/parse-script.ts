// What a request may tell the scripted upstream to do: JSON after `#script ` in its last user
// message. An unknown or mistyped field is refused, so a misspelt fault never results in a good answer.

/** How a scripted answer looks and where it breaks. Counts of deltas are counts of tokens. */
export type Script = {
  /** A name that the test chooses, by which `upstream.delivered(tag)` finds the request. */
  tag?: string;

  // what is generated
  /** Content deltas per choice, one known token each (`scriptedToken`). Default 5. */
  deltas?: number;
  /** Generate this text instead, a word per delta. */
  text?: string;
  /** Members of one more delta before the finish, and of a whole message: annotations, audio. */
  lastDelta?: Readonly<Record<string, unknown>>;
  /** Reasoning deltas before the content. */
  reasoning?: number;
  /** The field for reasoning. Default `reasoning_content`. */
  reasoningField?: (typeof reasoningFields)[number];
  /** The signature of the reasoning, if the language has one. */
  signature?: string;
  /** Encrypted reasoning, after the readable one, if the language has it. */
  redacted?: string;
  /** Tool calls after the content; a number calls that many of the offered tools in turn. */
  toolCalls?: number | readonly ScriptedToolCall[];
  /** Never finish on its own. */
  endless?: boolean;
  /** Generate past the request's `max_tokens`. */
  ignoreLimit?: boolean;
  /** The stop sequence that ended the answer, if the language reports it. */
  stopSequence?: string;
  /** Default `stop`, `tool_calls` or `length`, as appropriate; null sends none at all. */
  finish?: string | null;

  /** Answer at most this many images. */
  images?: number;
  /** The encoding of vectors, overriding the one that was asked for. */
  embedding?: "float" | "base64";

  // when
  /** Wait before the status line. */
  firstByteMs?: number;
  /** Wait after the head, before the first byte of the body. */
  bodyMs?: number;
  /** Wait until `upstream.open(tag)`: before the status line of a whole answer or an error, before
   *  the end of a stream. Needs a `tag`. */
  gate?: boolean;
  /** The same, before the status line of any answer. */
  headGate?: boolean;
  /** Wait before each delta; a whole answer waits for the sum. */
  paceMs?: number;

  // usage
  usage?: UsageKind | Readonly<Record<string, unknown>>;
  cachedTokens?: number;
  /** Parts of the prompt that were written to a cache, if the language distinguishes them. */
  cacheWriteTokens?: number;
  cacheWrite1hTokens?: number;
  /** The service tier that the answer names, if the language has one. */
  serviceTier?: string;
  /** Also attach usage to the finishing chunk, requested or not, as some providers do. */
  usageOnFinish?: boolean;

  // refusals
  status?: number;
  /** The error's message, or the whole `error` object. With status 200: an error in a good answer. */
  error?: string | Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** This exact body, of `content-type` text/html unless `headers` say otherwise. */
  body?: string;
  /** Sends `data: {"error":…}` after this many deltas and ends. */
  errorAfterDeltas?: number;

  // how the answer breaks
  /** What happens after the last delta, instead of the finish. */
  ending?: "cut" | "reset" | "stall";
  cutAfterDeltas?: number;
  resetAfterDeltas?: number;
  stallAfterDeltas?: number;
  /** FIN after this many bytes of the body. */
  cutAfterBytes?: number;
  /** RST after this many bytes of the body. */
  resetAfterBytes?: number;
  stallAfterBytes?: number;
  /** FIN after this many bytes of the head. */
  cutInHead?: number;
  garbage?: Garbage;

  // how the bytes are laid out
  /** Bytes of padding in every streamed chunk, as OpenAI's `obfuscation`: large, and no token more. */
  padBytes?: number;
  /** Multi-byte text (`scriptedWideToken`), every write split inside each character. */
  splitUtf8?: boolean;
  /** Split every write into pieces of this many bytes. */
  splitEvery?: number;
  /** A comment before every delta; blank lines before a whole answer. */
  keepAlive?: boolean;
  crlf?: boolean;
  noDone?: boolean;
  /** No chunked framing and no length: the body ends with the connection. */
  closeDelimited?: boolean;
};

const reasoningFields = ["reasoning_content", "reasoning", "reasoning_details"] as const;

export type ScriptedToolCall = { name: string; arguments: string };

/** What a single content delta carries; exactly one token of `o200k_base`, however often it is repeated. */
export const scriptedToken = " tok";
export const scriptedWideToken = " 😀";

const usageKinds = [
  "right",
  "missing",
  "null",
  "zero",
  "negative",
  "huge",
  "float",
  "string",
  "twice",
] as const;
export type UsageKind = (typeof usageKinds)[number];

const garbageKinds = [
  "status-line",
  "chunk-size",
  "headers",
  "gzip",
  "json",
  "event",
  "endless-event",
] as const;
export type Garbage = (typeof garbageKinds)[number];

/** A script that is not valid; answered with 400 so that its author sees it. */
export class ScriptError extends Error {}

type Check = (value: unknown) => boolean;
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFlag: Check = (value) => typeof value === "boolean";
const isText: Check = (value) => typeof value === "string";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && allowed.includes(value);
const isToolCall: Check = (value) =>
  isObject(value) && isText(value.name) && isText(value.arguments);

const checks = {
  tag: isText,
  deltas: isCount,
  text: isText,
  lastDelta: isObject,
  reasoning: isCount,
  reasoningField: oneOf(...reasoningFields),
  signature: isText,
  redacted: isText,
  stopSequence: isText,
  toolCalls: (value) => isCount(value) || (Array.isArray(value) && value.every(isToolCall)),
  endless: isFlag,
  ignoreLimit: isFlag,
  finish: (value) => value === null || isText(value),
  images: isCount,
  embedding: oneOf("float", "base64"),
  firstByteMs: isCount,
  bodyMs: isCount,
  gate: isFlag,
  headGate: isFlag,
  paceMs: isCount,
  usage: (value) => isObject(value) || oneOf(...usageKinds)(value),
  cachedTokens: isCount,
  cacheWriteTokens: isCount,
  cacheWrite1hTokens: isCount,
  serviceTier: isText,
  usageOnFinish: isFlag,
  status: (value) => isCount(value) && Number(value) >= 200 && Number(value) <= 599,
  error: (value) => isText(value) || isObject(value),
  headers: (value) => isObject(value) && Object.values(value).every(isText),
  body: isText,
  errorAfterDeltas: isCount,
  ending: oneOf("cut", "reset", "stall"),
  cutAfterDeltas: isCount,
  resetAfterDeltas: isCount,
  stallAfterDeltas: isCount,
  cutAfterBytes: isCount,
  resetAfterBytes: isCount,
  stallAfterBytes: isCount,
  cutInHead: isCount,
  garbage: oneOf(...garbageKinds),
  padBytes: isCount,
  splitUtf8: isFlag,
  splitEvery: (value) => isCount(value) && Number(value) > 0,
  keepAlive: isFlag,
  crlf: isFlag,
  noDone: isFlag,
  closeDelimited: isFlag,
} satisfies Record<keyof Script, Check>;

/** Checks a parsed value field by field; what it returns is a Script because every field passed. */
export function parseScript(value: unknown): Script {
  if (!isObject(value)) throw new ScriptError("a script is a JSON object");
  const table: Readonly<Record<string, Check>> = checks;
  for (const [field, given] of Object.entries(value)) {
    const check = Object.hasOwn(table, field) ? table[field] : undefined;
    if (!check) throw new ScriptError(`unknown script field: ${field}`);
    if (!check(given)) {
      throw new ScriptError(`script field ${field} cannot be ${JSON.stringify(given)}`);
    }
  }
  return value as Script;
}

/** The script in a message's text (`hello #script {…}`), undefined without one. */
export function findScript(text: string): Script | undefined {
  const marker = text.lastIndexOf("#script ");
  if (marker === -1) return undefined;
  const json = text.slice(marker + "#script ".length, text.lastIndexOf("}") + 1);
  try {
    return parseScript(JSON.parse(json));
  } catch (error) {
    if (error instanceof ScriptError) throw error;
    throw new ScriptError(`a script must be JSON: ${json}`);
  }
}
