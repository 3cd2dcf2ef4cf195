// Reads stored turns, the newest first, so that what a compaction stands for is neither read nor counted. Their bytes are counted before they
// are read, and no more of them are in memory than a request may have.
import { Fault, type ObjectId } from "@turnpike/base";
import {
  type ObjectPart,
  type ObjectSort,
  queryChain,
  queryParts,
  type ReadableObject,
  readObjectsById,
} from "@turnpike/objects";
import type { MemoryLanguage } from "@turnpike/wire";
import { bodyMaxBytes } from "../http/requests/read-body.ts";
import { answersOf, type MemoryAccess } from "./memory-access.ts";
import { brokenChain, noPrevious } from "./missing-previous.ts";

/** Of the input of a request that is stored; bounds the work of reading them. */
const itemsMax = 2_000;
/** A response has at least one item, nearly always. */
export const linksMax = itemsMax;
/** Responses have their settings beside their items. */
const storedMaxBytes = 4 * bodyMaxBytes;
/** How many are read by one statement; each has at most 64 KiB in its row. */
const readAtOnce = 50;

export type Reading = {
  readonly access: MemoryAccess;
  readonly language: MemoryLanguage;
  /** Of the request. */
  readonly param: MemoryLanguage["previousParam"] | "conversation";
  /** Counts the bytes of the items before these are read. Throws if that is too much for their account. */
  readonly reserve: (bytes: number) => void;
};

type Part = { readonly id: ObjectId; readonly size: number };

/** The items of an answer and of all that it continues, as JSON texts. Throws the Fault of one that is not there. */
export async function readChain(reading: Reading, id: ObjectId): Promise<readonly string[]> {
  const { access, language, param } = reading;
  const { links, isWhole } = await access.run((db) =>
    queryChain(db, access.owner, answersOf(language), { id, linksMax }),
  );
  if (links.length === 0) throw noPrevious(language);
  // A compaction continues nothing, so none is among the links of a chain that is not whole.
  if (!isWhole) throw links.length < linksMax ? brokenChain(language) : tooManyItems(param);
  return readItems(reading, links, (newest) => readLinkTexts(reading, newest));
}

async function* readLinkTexts({ access, language }: Reading, links: readonly Part[]) {
  for await (const { text } of readTexts(access, answersOf(language), links)) {
    if (text === undefined) throw brokenChain(language);
    yield { text };
  }
}

/** The items of a conversation. Throws the Fault of one that is not there. */
export async function readConversation(reading: Reading, id: ObjectId): Promise<readonly string[]> {
  const { access } = reading;
  const turns = await queryTurns(access, id);
  return readItems(reading, turns, (newest) => readTurnTexts(access, id, newest));
}

/** In their order. Throws the Fault of a conversation that is not there. */
export async function queryTurns(
  { owner, run }: MemoryAccess,
  id: ObjectId,
): Promise<readonly ObjectPart[]> {
  const turns = await run((db) => queryParts(db, owner, "conversation", id));
  if (turns === undefined) throw noConversation();
  return turns;
}

/** In the order of `turns`. Throws the Fault of a conversation that is deleted meanwhile. */
export async function* readTurnTexts(
  access: MemoryAccess,
  id: ObjectId,
  turns: readonly ObjectPart[],
): AsyncGenerator<PartText<ObjectPart>> {
  for await (const { part, text } of readTexts(access, "turn", turns)) {
    if (text !== undefined) {
      yield { part, text };
      continue;
    }
    // An item of it was deleted: another turn is in its place, or none.
    const places = await queryTurns(access, id);
    const now = places.filter(({ position }) => position === part.position);
    for await (const again of readTexts(access, "turn", now)) {
      if (again.text !== undefined) yield { part: again.part, text: again.text };
    }
  }
}

/** `parts`: the oldest first. */
async function readItems<Read extends Part>(
  { language, param, reserve }: Reading,
  parts: readonly Read[],
  read: (newest: readonly Read[]) => AsyncIterable<{ readonly text: string }>,
): Promise<readonly string[]> {
  const { newest, stored, refusal } = takeNewest(parts, param);
  reserve(Math.min(stored, bodyMaxBytes));
  const turns: (readonly string[])[] = [];
  let count = 0;
  let bytes = 0;
  for await (const { text } of read(newest)) {
    const { items, isCompacted } = language.earlierItems(text);
    count += items.length;
    bytes += items.reduce((sum, item) => sum + Buffer.byteLength(item), 0);
    if (count > itemsMax) throw tooManyItems(param);
    if (bytes > bodyMaxBytes) throw tooLarge(param);
    turns.push(items);
    if (isCompacted) return turns.toReversed().flat();
  }
  if (refusal !== undefined) throw refusal;
  return turns.toReversed().flat();
}

type Newest<Read> = {
  /** The newest one first. */
  readonly newest: readonly Read[];
  /** Their bytes. */
  readonly stored: number;
  /** Of what is before them, unless one of them is a compaction. */
  readonly refusal?: Fault;
};

/** As many of `parts` as are read at most. */
function takeNewest<Read extends Part>(parts: readonly Read[], param: string): Newest<Read> {
  const newest: Read[] = [];
  let stored = 0;
  for (const part of parts.toReversed()) {
    if (newest.length === linksMax) return { newest, stored, refusal: tooManyItems(param) };
    if (stored + part.size > storedMaxBytes) return { newest, stored, refusal: tooLarge(param) };
    stored += part.size;
    newest.push(part);
  }
  return { newest, stored };
}

type PartText<Read, Text = string> = { readonly part: Read; readonly text: Text };

/** In the order of `parts`. One that was deleted meanwhile has no text. */
async function* readTexts<Read extends Part>(
  { objects, owner, run }: MemoryAccess,
  sort: ObjectSort,
  parts: readonly Read[],
): AsyncGenerator<PartText<Read, string | undefined>> {
  for (let at = 0; at < parts.length; at += readAtOnce) {
    const some = parts.slice(at, at + readAtOnce);
    const ids = some.map(({ id }) => id);
    const found = await run((db) => readObjectsById(db, objects, owner, sort, ids));
    for (const part of some) {
      const readable = found.get(part.id);
      yield { part, text: readable && (await textOf(readable)) };
    }
  }
}

export async function textOf({ chunks }: ReadableObject): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString();
}

/** For an id of somebody else, of one that has expired, and for one that never existed. */
export function noConversation(): Fault {
  const sentence =
    "No conversation of the project of this key has this id. Conversations that are not used expire; POST /v1/conversations begins one.";
  return new Fault("not_found", sentence, { param: "conversation" });
}

function tooManyItems(param: string): Fault {
  const most = itemsMax.toLocaleString("en");
  const sentence = `Invalid '${param}': it stands for more than ${most} items. Compact the conversation, or send what is needed of it in 'input'.`;
  return new Fault("array_above_max_length", sentence, { param });
}

/** With what is new in it. */
export function tooLarge(param: string): Fault {
  const most = bodyMaxBytes / (1024 * 1024);
  const sentence = `The request is larger than ${most} MiB with the items that '${param}' stands for. Compact the conversation, or send what is needed of it in 'input'.`;
  return new Fault("request_too_large", sentence, { param });
}
