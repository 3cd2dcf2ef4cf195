// A batch as its owner sees it. Its metadata is sealed, bound to its row.
import {
  type AccountId,
  type BatchId,
  formatBatchId,
  formatMessageBatchId,
  type ObjectId,
  type Sealer,
} from "@turnpike/base";
import {
  type BatchError,
  type BatchForm,
  type BatchState,
  type BatchUsage,
  batches,
} from "@turnpike/db";
import { belongsTo, type ObjectViewer } from "@turnpike/objects";
import type { Nanos } from "@turnpike/terms";
import { and, inArray, type SQL, sql } from "drizzle-orm";

export type BatchMetadata = Readonly<Record<string, string>>;

export type StoredBatch = {
  readonly id: BatchId;
  readonly form: BatchForm;
  readonly endpoint: string;
  readonly model: string | null;
  readonly state: BatchState;
  readonly inputObjectId: ObjectId;
  /** Null until it is over, or if no line ended like that. */
  readonly outputObjectId: ObjectId | null;
  readonly errorObjectId: ObjectId | null;
  readonly metadata: BatchMetadata | null;
  readonly errors: readonly BatchError[] | null;
  readonly total: number;
  readonly completed: number;
  /** Those that expired included. */
  readonly failed: number;
  /** Like the next two, once it is over. */
  readonly expired: number;
  readonly usage: BatchUsage | null;
  readonly costNanos: Nanos | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly startedAt: Date | null;
  readonly cancellingAt: Date | null;
  readonly finalizingAt: Date | null;
  readonly endedAt: Date | null;
  /** The code of the refusal that keeps its lines waiting. */
  readonly pausedBy: string | null;
};

/** Of a batch that runs, its lines are counted. */
const countLines = (stored: SQL, states: SQL) => sql<number>`(
  case when batches.ended_at is null
       then (select count(*) from batch_lines l
              where l.account_id = batches.account_id and l.batch_id = batches.id and l.state in ${states})
       else ${stored} end)::int`;

export const batchColumns = {
  id: batches.id,
  form: batches.form,
  endpoint: batches.endpoint,
  model: batches.model,
  state: batches.state,
  inputObjectId: batches.inputObjectId,
  outputObjectId: batches.outputObjectId,
  errorObjectId: batches.errorObjectId,
  sealedMetadata: batches.sealedMetadata,
  errors: batches.errors,
  total: batches.total,
  completed: countLines(sql`batches.completed`, sql`('completed')`),
  failed: countLines(sql`batches.failed`, sql`('failed', 'expired')`),
  expired: batches.expired,
  usage: batches.usage,
  costNanos: batches.costNanos,
  createdAt: batches.createdAt,
  expiresAt: batches.expiresAt,
  startedAt: batches.startedAt,
  cancellingAt: batches.cancellingAt,
  finalizingAt: batches.finalizingAt,
  endedAt: batches.endedAt,
  pausedBy: batches.pausedBy,
};

type BatchRow = Omit<StoredBatch, "metadata"> & { readonly sealedMetadata: Uint8Array | null };

/** Throws SealBroken. */
export function toStoredBatch(
  sealer: Sealer,
  accountId: AccountId,
  { sealedMetadata, outputObjectId, errorObjectId, ...row }: BatchRow,
): StoredBatch {
  const isOver = row.endedAt !== null && row.state !== "failed";
  return {
    ...row,
    outputObjectId: isOver ? outputObjectId : null,
    errorObjectId: isOver ? errorObjectId : null,
    metadata:
      sealedMetadata === null
        ? null
        : JSON.parse(sealer.open(placeOfMetadata(accountId, row.id), sealedMetadata)),
  };
}

export function placeOfMetadata(accountId: AccountId, id: BatchId): string {
  return `batches ${accountId} ${id}`;
}

/** The batches that somebody sees: clients of an API those in its own form. */
export type BatchScope = {
  readonly owner: ObjectViewer;
  /** Default: all. */
  readonly forms?: readonly BatchForm[] | undefined;
};

export function isInScope({ owner, forms }: BatchScope): SQL | undefined {
  return and(belongsTo(batches, owner), forms && inArray(batches.form, [...forms]));
}

/** Its id as clients of its API know it. */
export function nameOfBatch({ id, form }: Pick<StoredBatch, "id" | "form">): string {
  return form === "anthropic" ? formatMessageBatchId(id) : formatBatchId(id);
}
