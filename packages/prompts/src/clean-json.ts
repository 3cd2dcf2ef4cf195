// A copy of JSON that may be stored: without files, redacted if wanted, and bounded. What does not fit is cut, which the
// copy says. Long work is divided into slices.
import { type AfterWork, isObject } from "@turnpike/base";
import { dataNote } from "./drop-files.ts";
import { type Redactions, redactNumber, redactText } from "./redact-text.ts";

/** A list of more numbers is a vector. */
const numbersMax = 32;
const depthMax = 40;
/** Of a text that is redacted at once. */
const pieceChars = 32_768;
/** A piece ends at the end of a line, or here. */
const pieceCharsMax = 262_144;
/** Redacting a character takes about as long as encrypting so many bytes. */
const redactionWork = 16;
/** What is cut off may begin within a secret. */
const overlapChars = 65_536;

export type Cleaning = {
  /** In characters; what is left. */
  room: number;
  isTruncated: boolean;
  /** Undefined: nothing is redacted. */
  readonly redactions: Redactions | undefined;
  readonly afterWork: AfterWork;
};

export async function cleanJson(value: unknown, cleaning: Cleaning): Promise<unknown> {
  return clean(value, cleaning, { name: undefined, parent: undefined, depth: 0 });
}

type Place = {
  readonly name: string | undefined;
  readonly parent: unknown;
  readonly depth: number;
};

async function clean(value: unknown, cleaning: Cleaning, place: Place): Promise<unknown> {
  cleaning.room -= 2;
  const pause = cleaning.afterWork(16);
  if (pause !== undefined) await pause;
  if (typeof value === "string") return cleanText(value, cleaning, place);
  if (typeof value === "number") {
    return cleaning.redactions === undefined ? value : redactNumber(value, cleaning.redactions);
  }
  if (typeof value !== "object" || value === null) return value;
  const depth = place.depth + 1;
  if (depth > depthMax) return cut(cleaning, null);
  if (Array.isArray(value)) return cleanList(value, cleaning, depth);
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (cleaning.room <= 0) return cut(cleaning, Object.fromEntries(members));
    const shownName = await cleanText(name, cleaning, { name: undefined, parent: value, depth });
    members.push([shownName, await clean(member, cleaning, { name, parent: value, depth })]);
  }
  return Object.fromEntries(members);
}

async function cleanList(
  list: readonly unknown[],
  cleaning: Cleaning,
  depth: number,
): Promise<unknown> {
  if (list.length > numbersMax && list.every((item) => typeof item === "number")) {
    return `[${list.length} numbers, not stored]`;
  }
  const items: unknown[] = [];
  for (const item of list) {
    if (cleaning.room <= 0) return cut(cleaning, items);
    items.push(await clean(item, cleaning, { name: undefined, parent: undefined, depth }));
  }
  return items;
}

async function cleanText(
  text: string,
  cleaning: Cleaning,
  { name, parent }: Place,
): Promise<string> {
  const note = dataNote(text, name, isObject(parent) ? parent : undefined);
  if (note !== undefined) return note;
  const room = Math.max(0, cleaning.room);
  const looked = text.slice(0, room + overlapChars);
  const redacted = await redact(looked, cleaning);
  const kept = redacted.slice(0, room);
  if (kept.length < redacted.length || looked.length < text.length) cut(cleaning, kept);
  cleaning.room -= kept.length;
  return kept;
}

async function redact(text: string, { redactions, afterWork }: Cleaning): Promise<string> {
  if (redactions === undefined || text.length < 4) return text;
  if (text.length <= pieceChars) {
    const pause = afterWork(text.length * redactionWork);
    if (pause !== undefined) await pause;
    return redactText(text, redactions);
  }
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    pieces.push(redactText(text.slice(start, end), redactions));
    await afterWork((end - start) * redactionWork);
    start = end;
  }
  return pieces.join("");
}

/** Behind the end of a line, unless a line is too long, or a private key goes on. */
function endOfPiece(text: string, start: number): number {
  if (text.length - start <= pieceChars) return text.length;
  const lineEnd = text.indexOf("\n", start + pieceChars);
  const end = lineEnd < 0 ? text.length : lineEnd + 1;
  const keyBegins = text.lastIndexOf("-----BEGIN ", end);
  if (keyBegins > start && text.lastIndexOf("-----END ", end) < keyBegins) return keyBegins;
  if (end - start <= pieceCharsMax) return end;
  const space = text.lastIndexOf(" ", start + pieceCharsMax);
  return space > start ? space : start + pieceCharsMax;
}

function cut<Kept>(cleaning: Cleaning, kept: Kept): Kept {
  cleaning.isTruncated = true;
  return kept;
}
