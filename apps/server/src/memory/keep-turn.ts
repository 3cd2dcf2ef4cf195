// Stores what a call asked to be kept, before its client has the end of the answer. What cannot be stored fails no call: the
// answer says so instead.
import { type GenerationId, type ObjectId, storedResponseId, withDeadline } from "@turnpike/base";
import { deleteObject, hidePart, keepChain, storeObject } from "@turnpike/objects";
import type { Log } from "@turnpike/telemetry";
import {
  type Memory,
  type MemoryLanguage,
  type StoredTurn,
  writeStoredResponse,
} from "@turnpike/wire";
import { storeTurn } from "./conversations.ts";
import { answersOf, described, type MemoryAccess } from "./memory-access.ts";
import { linksMax } from "./read-turns.ts";

/** How long the end of an answer waits for all of it. */
const storeWaitMs = 5_000;

/** What a call asked for, where it may be kept. */
export type Remembered = {
  readonly access: MemoryAccess;
  readonly language: MemoryLanguage;
  readonly memory: Memory;
  readonly previousId: ObjectId | undefined;
  readonly conversationId: ObjectId | undefined;
  /** How many items at the end of the input are new. */
  readonly newItems: number;
};

export type AnsweredCall = {
  readonly generationId: GenerationId;
  /** The request, with the items that stand before its own. */
  readonly text: string;
  /** Whole, or what ends a stream. */
  readonly answer: string;
};

type Turn = StoredTurn & {
  readonly generationId: GenerationId;
  /** As JSON. */
  readonly response: string;
  readonly isCompaction: boolean;
};

/** Resolves with what to send instead of the answer. Never rejects. */
export async function keepTurn(
  log: Log,
  remembered: Remembered,
  { generationId, text, answer }: AnsweredCall,
): Promise<string> {
  const { language, memory } = remembered;
  const { conversationId } = memory;
  const answered = language.parseAnswered(answer);
  if (answered === undefined) {
    const told = language.withoutKept(answer, "store");
    return conversationId === undefined ? told : language.withoutKept(told, "conversation");
  }
  const place = generationId.replaceAll("-", "");
  const turn = {
    generationId,
    ...answered,
    input: language.newInput(text, remembered.newItems, place),
  };
  const keeping = { log, remembered, until: performance.now() + storeWaitMs };
  let told = answer;
  if (conversationId !== undefined && !(await succeeds(keeping, turn, appendTurn))) {
    told = language.withoutKept(told, "conversation");
  }
  // An answer is read as it was told.
  const asTold = { ...turn, response: language.answerText(told) };
  if (answered.stores && !(await succeeds(keeping, asTold, storeResponse))) {
    told = language.withoutKept(told, "store");
  }
  return language.toSend(told);
}

type Keeping = {
  readonly log: Log;
  readonly remembered: Remembered;
  /** By `performance.now()`. */
  readonly until: number;
};

type Store = (remembered: Remembered, turn: Turn) => Promise<() => Promise<unknown>>;

/** What is stored too late is removed again: the client was told that it is not there. */
async function succeeds(
  { log, remembered, until }: Keeping,
  turn: Turn,
  store: Store,
): Promise<boolean> {
  const leftMs = until - performance.now();
  if (leftMs <= 0) return false;
  const storing = store(remembered, turn);
  try {
    return await withDeadline(
      storing.then(() => true),
      leftMs,
      () => {
        void storing.then((undo) => undo()).catch(() => undefined);
        return false;
      },
    );
  } catch (thrown) {
    log.warn({ err: thrown, generationId: turn.generationId }, "an answer was not stored");
    return false;
  }
}

/** Where it continues another one, everything before it is kept for as long as itself. */
async function storeResponse(
  { access, language, previousId }: Remembered,
  { generationId, response, input, isCompaction }: Turn,
): Promise<() => Promise<unknown>> {
  const id = storedResponseId(generationId);
  const name = language.answerId(generationId);
  const answers = answersOf(language);
  const { objects, owner, keyId, keptSeconds: seconds, run } = access;
  const isEnd = previousId === undefined || isCompaction;
  await storeObject(
    objects,
    run,
    {
      id,
      owner,
      keyId,
      kind: answers.kind,
      ...(!isEnd && {
        parentId: previousId,
        alongside: (tx) => keepChain(tx, owner, answers, { id: previousId, linksMax, seconds }),
      }),
    },
    {
      ...described(answers.purpose, `${name}.json`),
      keptSeconds: seconds,
      bytes: Buffer.from(writeStoredResponse(input, response)),
    },
  );
  return () => deleteObject(run, objects.blobs, owner, answers, id);
}

async function appendTurn(
  { access, conversationId }: Remembered,
  { input, output }: Turn,
): Promise<() => Promise<unknown>> {
  if (conversationId === undefined) throw new Error("a turn of no conversation");
  const id = await storeTurn(access, conversationId, { input, output });
  return () => access.run((db) => hidePart(db, access.owner, id));
}
