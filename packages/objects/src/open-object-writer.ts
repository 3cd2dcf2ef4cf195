// Stores an object while it arrives: encrypted chunk by chunk, in its row if it is small, else in the blob store. A row that nobody can
// see is written before the blob and becomes visible after it, so that bytes always have a row, and a visible row its bytes.
import { createHash, randomBytes } from "node:crypto";
import { type ApiKeyId, Fault, newId, type ObjectId } from "@turnpike/base";
import { type Db, lockOpenAccount, type ObjectKind, objects } from "@turnpike/db";
import { and, count, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BlobSink } from "./blob-store.ts";
import { removeHidden } from "./delete-object.ts";
import {
  inSameRoom,
  notExpired,
  type ObjectOwner,
  type Objects,
  type RunStatements,
} from "./objects.ts";
import { type ChunkSealer, createChunkSealer } from "./seal-chunks.ts";
import { placeOf, type StoredObject, sealObjectHead } from "./stored-object.ts";

export type NewObject = {
  /** Default: a new one. */
  readonly id?: ObjectId;
  readonly owner: ObjectOwner;
  readonly keyId: ApiKeyId;
  readonly kind: ObjectKind;
  /** What is known of its size before it arrives. */
  readonly declaredBytes: number;
  /** What it continues, or is a part of. */
  readonly parentId?: ObjectId;
  /** Its place among the parts; default: none. */
  readonly position?: number | "last";
  /** What is hidden as soon as this one is visible: it takes no room from it. */
  readonly replaces?: ObjectId | undefined;
  /** Runs in the transaction that makes it visible, before it does. */
  readonly alongside?: (tx: Db) => Promise<void>;
};

/** What is known once it has arrived. */
export type ObjectFacts = {
  readonly purpose: string;
  readonly mediaType: string;
  readonly filename: string;
  /** Undefined: it is kept until it is deleted. */
  readonly keptSeconds: number | undefined;
};

export type ObjectWriter = {
  readonly size: number;
  /** Rejects with `permission_denied` where the account has no room, and `overloaded` where the disk has none. */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes it visible. Rejects as `write` does. */
  store(facts: ObjectFacts): Promise<StoredObject>;
  /** Removes what was written, unless it was stored. */
  close(): Promise<void>;
};

/** Stores contents that are in memory already. Rejects as a writer does. */
export async function storeObject(
  kept: Objects,
  run: RunStatements,
  object: Omit<NewObject, "declaredBytes">,
  { bytes, ...facts }: ObjectFacts & { readonly bytes: Uint8Array },
): Promise<StoredObject> {
  const writer = openObjectWriter(kept, run, { ...object, declaredBytes: bytes.byteLength });
  try {
    await writer.write(bytes);
    return await writer.store(facts);
  } finally {
    await writer.close();
  }
}

export function openObjectWriter(
  kept: Objects,
  run: RunStatements,
  object: NewObject,
): ObjectWriter {
  return new SealingWriter(kept, run, object);
}

/** A row that is still being written after that belongs to a process that was killed. */
const writingSeconds = 3_600;

class SealingWriter implements ObjectWriter {
  readonly #kept: Objects;
  readonly #run: RunStatements;
  readonly #object: NewObject;
  readonly #id: ObjectId;
  readonly #key = randomBytes(32);
  readonly #hash = createHash("sha256");
  readonly #chunks: ChunkSealer;
  /** Set once there is a row of it, before anything is in the blob store. */
  #address: string | undefined;
  #sink: BlobSink | undefined;
  #isStored = false;
  #size = 0;

  constructor(kept: Objects, run: RunStatements, object: NewObject) {
    this.#kept = kept;
    this.#run = run;
    this.#object = object;
    this.#id = object.id ?? newId<ObjectId>();
    const place = placeOf(object.owner.accountId, this.#id);
    this.#chunks = createChunkSealer({ key: this.#key, place });
  }

  get size(): number {
    return this.#size;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.byteLength;
    if (this.#size > this.#kept.bytesMax) throw accountFull(this.#kept, this.#object.kind);
    this.#hash.update(bytes);
    for (const chunk of this.#chunks.push(bytes)) {
      this.#sink ??= await this.#openBlob();
      await this.#sink.write(chunk);
    }
  }

  async store({ keptSeconds, filename, ...facts }: ObjectFacts): Promise<StoredObject> {
    const last = this.#chunks.end();
    const head = { filename, sha256: this.#hash.digest("hex"), key: this.#key.toString("hex") };
    const { accountId } = this.#object.owner;
    const sealedHead = sealObjectHead(this.#kept.sealer, accountId, this.#id, head);
    const ready = { state: "ready", ...facts, sealedHead, size: this.#size } as const;
    const expiry = (from: SQLWrapper) =>
      keptSeconds === undefined ? null : secondsAfter(from, keptSeconds);
    const times =
      this.#sink === undefined
        ? await this.#insert({
            ...ready,
            ...this.#place(),
            expiresAt: expiry(sql`now()`),
            sealed: last,
          })
        : await this.#endBlob(this.#sink, last, { ...ready, expiresAt: expiry(objects.createdAt) });
    this.#isStored = true;
    const { kind } = this.#object;
    return { id: this.#id, kind, ...facts, size: this.#size, filename, ...times };
  }

  async close(): Promise<void> {
    const address = this.#address;
    if (this.#isStored || address === undefined) return;
    await this.#sink?.abort();
    const { accountId } = this.#object.owner;
    // It takes no room while its bytes wait for a store that is away.
    const hidden = { state: "deleted", expiresAt: sql`now()` } as const;
    const isOwn = and(eq(objects.accountId, accountId), eq(objects.id, this.#id));
    await this.#run((db) => db.update(objects).set(hidden).where(isOwn));
    await removeHidden(this.#run, this.#kept.blobs, { accountId, id: this.#id, blob: address });
  }

  async #openBlob(): Promise<BlobSink> {
    const address = randomBytes(16).toString("hex");
    const expiresAt = secondsAfter(sql`now()`, writingSeconds);
    const size = Math.max(this.#object.declaredBytes, this.#size);
    await this.#insert({ state: "writing", blob: address, size, expiresAt });
    this.#address = address;
    return this.#kept.blobs.create(address);
  }

  async #insert(columns: OwnColumns): Promise<Times> {
    const { owner, keyId, kind, parentId } = this.#object;
    const row = { ...columns, ...owner, keyId, kind, parentId, id: this.#id };
    return this.#withRoom(columns, (tx) => tx.insert(objects).values(row).returning(times));
  }

  async #endBlob(sink: BlobSink, last: Uint8Array, ready: OwnColumns): Promise<Times> {
    await sink.write(last);
    await sink.end();
    const { accountId } = this.#object.owner;
    const isOwn = and(
      eq(objects.accountId, accountId),
      eq(objects.id, this.#id),
      eq(objects.state, "writing"),
    );
    const placed = { ...ready, ...this.#place() };
    return this.#withRoom(placed, (tx) =>
      tx.update(objects).set(placed).where(isOwn).returning(times),
    );
  }

  /** Read under the account's lock, so that no two parts have the same place. */
  #place(): Pick<OwnColumns, "position"> {
    const { owner, parentId, position } = this.#object;
    if (position !== "last") return { position: position ?? null };
    return {
      position: sql`(select coalesce(max(p.position), 0) + 1 from objects p
                      where p.account_id = ${owner.accountId}::uuid and p.parent_id = ${parentId}::uuid)`,
    };
  }

  /** Under the account's lock, so that a closed account gets no more and the sums are right. */
  #withRoom(
    { size, state }: Pick<OwnColumns, "size" | "state">,
    write: (tx: Db) => PromiseLike<readonly Times[]>,
  ): Promise<Times> {
    const { owner, kind, replaces, alongside } = this.#object;
    const { accountId } = owner;
    return this.#run((db) =>
      db.transaction(async (tx) => {
        const isOpen = await lockOpenAccount(tx, accountId);
        const others = and(
          eq(objects.accountId, accountId),
          inSameRoom(kind),
          ne(objects.id, this.#id),
          replaces && ne(objects.id, replaces),
        );
        const [{ number = 0, bytes = 0 } = {}] = await tx
          .select({
            number: count(objects.id),
            bytes: sql<number>`coalesce(sum(${objects.size}), 0)::float8`,
          })
          .from(objects)
          .where(and(others, ne(objects.state, "deleted"), notExpired()));
        const { countMax, bytesMax } = this.#kept;
        if (!isOpen || number >= countMax || bytes + size > bytesMax) {
          throw accountFull(this.#kept, kind);
        }
        if (state === "ready") await alongside?.(tx);
        const [written] = await write(tx);
        if (written === undefined) throw tooSlow();
        return written;
      }),
    );
  }
}

type OwnColumns = Partial<Pick<ObjectFacts, "purpose" | "mediaType">> & {
  readonly state: "writing" | "ready";
  readonly size: number;
  readonly expiresAt: SQL | null;
  readonly sealedHead?: Uint8Array;
  readonly sealed?: Uint8Array;
  readonly blob?: string;
  readonly position?: number | SQL | null;
};

type Times = Pick<StoredObject, "createdAt" | "expiresAt">;
const times = { createdAt: objects.createdAt, expiresAt: objects.expiresAt };

function secondsAfter(from: SQLWrapper, seconds: number): SQL {
  return sql`${from} + make_interval(secs => ${seconds}::int)`;
}

function accountFull(
  { bytesMax, countMax }: Pick<Objects, "bytesMax" | "countMax">,
  kind: ObjectKind,
): Fault {
  if (kind !== "file") {
    return new Fault(
      "permission_denied",
      `An account keeps at most ${countMax} responses, interactions and turns of conversations, of ${bytesMax / 1_048_576} MiB together. They expire; delete some before that with DELETE /v1/responses/{id}, /v1/interactions/{id} or /v1/conversations/{id}.`,
    );
  }
  return new Fault(
    "permission_denied",
    `An account keeps at most ${countMax} files, of ${bytesMax / 1_048_576} MiB together. Delete some with DELETE /v1/files/{id}, or upload them with 'expires_after'.`,
    { param: "file" },
  );
}

function tooSlow(): Fault {
  return new Fault("request_timeout", "The file took too long to arrive. Please upload it again.");
}
