// Conversations: an object with what its caller noted of it, and a turn for each call or request that added to it. A turn is stored
// as a whole, one after the other, and everything is kept for as long as the conversation.
import { Fault, formatConversationId, type JsonObject, newId, type ObjectId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import {
  deleteWithParts,
  hidePart,
  keepWithParts,
  type ObjectPart,
  readObject,
  rewriteObject,
  storeObject,
} from "@turnpike/objects";
import { readStoredTurn, type StoredTurn, writeStoredTurn } from "@turnpike/wire";
import { described, type MemoryAccess } from "./memory-access.ts";
import { noConversation, queryTurns, readTurnTexts, textOf } from "./read-turns.ts";

export type Conversation = {
  readonly id: ObjectId;
  readonly createdAt: Date;
  readonly metadata: JsonObject;
};

export async function createConversation(
  { objects, owner, keyId, keptSeconds, run }: MemoryAccess,
  metadata: JsonObject,
): Promise<Conversation> {
  const id = newId<ObjectId>();
  const { createdAt } = await storeObject(
    objects,
    run,
    { id, owner, keyId, kind: "conversation" },
    {
      ...described("conversation", `${formatConversationId(id)}.json`),
      keptSeconds,
      bytes: Buffer.from(JSON.stringify({ metadata })),
    },
  );
  return { id, createdAt, metadata };
}

/** Throws the Fault of one that the project does not have. */
export async function readConversationHead(
  { objects, owner, run }: MemoryAccess,
  id: ObjectId,
): Promise<Conversation> {
  const found = await run((db) => readObject(db, objects, owner, "conversation", id));
  if (found === undefined) throw noConversation();
  const { metadata } = JSON.parse(await textOf(found));
  return { id, createdAt: found.object.createdAt, metadata };
}

export async function changeMetadata(
  access: MemoryAccess,
  id: ObjectId,
  metadata: JsonObject,
): Promise<Conversation> {
  const { objects, owner, run } = access;
  const isChanged = await run((db) =>
    rewriteObject(db, objects, owner, {
      kind: "conversation",
      id,
      filename: `${formatConversationId(id)}.json`,
      bytes: Buffer.from(JSON.stringify({ metadata })),
    }),
  );
  if (!isChanged) throw noConversation();
  return readConversationHead(access, id);
}

export async function deleteConversation(
  { owner, run }: MemoryAccess,
  id: ObjectId,
): Promise<void> {
  if (!(await run((db) => deleteWithParts(db, owner, "conversation", id)))) throw noConversation();
}

/** At the end of the conversation. Throws the Fault of one that the project does not have, or no longer. */
export function storeTurn(
  access: MemoryAccess,
  conversationId: ObjectId,
  turn: StoredTurn,
): Promise<ObjectId> {
  return storeAt(access, { conversationId, position: "last" }, turn);
}

type TurnPlace = {
  readonly conversationId: ObjectId;
  readonly position: number | "last";
  /** What it stands for from now on. */
  readonly replaced?: ObjectId;
};

async function storeAt(
  { objects, owner, keyId, keptSeconds: seconds, run }: MemoryAccess,
  { conversationId, position, replaced }: TurnPlace,
  turn: StoredTurn,
): Promise<ObjectId> {
  const id = newId<ObjectId>();
  const keep = async (tx: Db) => {
    const about = { id: conversationId, seconds };
    if (!(await keepWithParts(tx, owner, "conversation", about))) throw noConversation();
    if (replaced !== undefined && !(await hidePart(tx, owner, replaced))) throw new TurnGone();
  };
  await storeObject(
    objects,
    run,
    {
      id,
      owner,
      keyId,
      kind: "turn",
      parentId: conversationId,
      position,
      replaces: replaced,
      alongside: keep,
    },
    {
      ...described("turn", `${formatConversationId(conversationId)} ${id}.json`),
      keptSeconds: seconds,
      bytes: Buffer.from(writeStoredTurn(turn)),
    },
  );
  return id;
}

export type ItemOrder = "asc" | "desc";

/** A turn at a time. Throws the Fault of a conversation that the project does not have. */
export async function* readItems(
  access: MemoryAccess,
  id: ObjectId,
  order: ItemOrder,
): AsyncGenerator<JsonObject> {
  for await (const { turn } of readTurns(access, id, order)) {
    const items = [...turn.input, ...turn.output];
    yield* order === "asc" ? items : items.toReversed();
  }
}

/** Throws the Fault of an item that is not there. */
export async function deleteItem(
  access: MemoryAccess,
  id: ObjectId,
  itemId: string,
): Promise<void> {
  // A turn is gone when another item of it was deleted meanwhile, so this ends with its items.
  for (;;) {
    const found = await findTurnOf(access, id, itemId);
    if (found === undefined) throw noItem();
    if (await storeWithout(access, id, found, itemId)) return;
  }
}

async function findTurnOf(
  access: MemoryAccess,
  id: ObjectId,
  itemId: string,
): Promise<ReadTurn | undefined> {
  for await (const found of readTurns(access, id, "desc")) {
    const items = [...found.turn.input, ...found.turn.output];
    if (items.some((item) => item.id === itemId)) return found;
  }
  return undefined;
}

/** False if the turn is gone. */
async function storeWithout(
  access: MemoryAccess,
  conversationId: ObjectId,
  { part: { id: replaced, position }, turn }: ReadTurn,
  itemId: string,
): Promise<boolean> {
  const input = turn.input.filter((item) => item.id !== itemId);
  const output = turn.output.filter((item) => item.id !== itemId);
  if (input.length + output.length === 0) {
    return access.run((db) => hidePart(db, access.owner, replaced));
  }
  try {
    await storeAt(access, { conversationId, position, replaced }, { input, output });
    return true;
  } catch (thrown) {
    if (thrown instanceof TurnGone) return false;
    throw thrown;
  }
}

class TurnGone extends Error {
  override readonly name = "TurnGone";
}

type ReadTurn = { readonly part: ObjectPart; readonly turn: StoredTurn };

async function* readTurns(
  access: MemoryAccess,
  id: ObjectId,
  order: ItemOrder,
): AsyncGenerator<ReadTurn> {
  const turns = await queryTurns(access, id);
  for (const turn of order === "asc" ? turns : turns.toReversed()) {
    // One at a time: a page needs few of them.
    for await (const { part, text } of readTurnTexts(access, id, [turn])) {
      yield { part, turn: readStoredTurn(text) };
    }
  }
}

export function noItem(): Fault {
  const sentence = "The conversation has no item with this id.";
  return new Fault("not_found", sentence, { param: "item_id" });
}
