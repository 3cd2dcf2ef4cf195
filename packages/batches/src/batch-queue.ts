// The queue of batches: each has a next step until it is over, which any instance takes. Reading its file, watching its lines and
// writing its results are steps.
import type { AccountId, ApiKeyId, BatchId, ObjectId, ProjectId } from "@turnpike/base";
import { type BatchForm, type BatchState, batches } from "@turnpike/db";
import type { Queue } from "@turnpike/queue";
import { getTableName, sql } from "drizzle-orm";

export type ClaimedBatch = {
  readonly accountId: AccountId;
  readonly id: BatchId;
  readonly projectId: ProjectId;
  readonly keyId: ApiKeyId;
  readonly endpoint: string;
  readonly form: BatchForm;
  readonly state: BatchState;
  /** Its lines are rows. */
  readonly isRead: boolean;
  readonly inputObjectId: ObjectId;
  readonly outputKeptSeconds: number;
  /** Including this one. */
  readonly attempts: number;
};

export type BatchFacts = {
  readonly accountId: AccountId;
  readonly id: BatchId;
  readonly state: BatchState;
};

/** Reading a file of 200 MiB takes less. */
const claimSeconds = 600;
const waits = sql`ended_at is null`;
const internal = JSON.stringify([
  {
    code: "internal_error",
    message:
      "The batch could not be processed. Lines that ended before are charged; please contact support.",
    param: null,
    line: null,
  },
]);

/** Attempts of one step, over three days. */
export const batchQueue: Queue<ClaimedBatch, BatchFacts> = {
  name: "batches",
  table: getTableName(batches),
  key: ["account_id", "id"],
  keyOf: ({ accountId, id }) => [accountId, id],
  createdAt: "created_at",
  dueAt: "due_at",
  waits,
  claim: {
    seconds: claimSeconds,
    order: sql`due_at`,
    item: sql`t.account_id as "accountId", t.id, t.project_id as "projectId", t.key_id as "keyId",
      t.endpoint, t.form, t.state, t.started_at is not null as "isRead", t.input_object_id as "inputObjectId",
      t.output_kept_seconds as "outputKeptSeconds"`,
  },
  retryAfterSeconds: [5, 30, 120, 600, 3_600, 14_400, 43_200, 86_400, 86_400],
  done: sql`error = null`,
  failed: (error) => sql`error = ${error}`,
  givenUp: sql`state = 'failed', ended_at = now(), errors = ${internal}::jsonb`,
  listed: {
    facts: sql`t.account_id as "accountId", t.id, t.state`,
    error: sql`error`,
    order: sql`due_at`,
  },
  changes: {
    open: waits,
    retried: sql`attempts = 0`,
    discarded: sql`state = 'failed', ended_at = now(), errors = ${internal}::jsonb`,
    absent: "No such batch runs: it is over.",
  },
};
