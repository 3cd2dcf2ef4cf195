// The queue of lines: those of batches in progress that are not paused. No batch has more than a few lines running, on all instances
// together, so that one of 50,000 lines delays no other batch; after a pause one line goes first.
import type { AccountId, BatchId, GenerationId } from "@turnpike/base";
import { batchLines } from "@turnpike/db";
import type { Queue } from "@turnpike/queue";
import { getTableName, type SQL, sql } from "drizzle-orm";
import type { LinePlace } from "./sealed-lines.ts";

export type ClaimedLine = LinePlace & {
  /** What an earlier attempt ran under, of which it is not known how it ended. */
  readonly generationId: GenerationId | null;
  /** Sealed. */
  readonly sealedRequest: Uint8Array;
  readonly endpoint: string;
  /** Its batch was paused, and no line has been answered since: this one is to find out whether it may go on. */
  readonly isProbe: boolean;
  /** SHA-256 of the key that pays, in hexadecimal, as it is now. */
  readonly keyHash: string;
  /** Including this one. */
  readonly attempts: number;
  /** Of the attempts, those that count against it, including this one. */
  readonly failures: number;
};

export type LineFacts = {
  readonly accountId: AccountId;
  readonly batchId: BatchId;
  readonly line: number;
};

/** At once, from all instances. */
const perBatchMax = 8;
/** Longer than a call takes. A process that is killed delays its lines by this. */
const claimSeconds = 1_200;
const waits = sql`state = 'waiting'`;

export const lineQueue: Queue<ClaimedLine, LineFacts> = {
  name: "batch_lines",
  table: getTableName(batchLines),
  key: ["account_id", "batch_id", "line"],
  keyOf: ({ accountId, batchId, line }) => [accountId, batchId, String(line)],
  createdAt: "due_at",
  dueAt: "due_at",
  waits,
  claim: {
    seconds: claimSeconds,
    order: sql`due_at, line`,
    among: dueByBatch,
    set: sql`claimed_until = now() + make_interval(secs => ${claimSeconds}::int), failures = t.failures + 1`,
    item: sql`t.account_id as "accountId", t.batch_id as "batchId", t.line,
      t.generation_id as "generationId", t.sealed_request as "sealedRequest", t.failures,
      b.paused_by is not null as "isProbe", b.endpoint, encode(k.hash, 'hex') as "keyHash"`,
    beside: {
      tables: sql`batches b, api_keys k`,
      where: sql`b.account_id = t.account_id and b.id = t.batch_id
        and k.account_id = b.account_id and k.id = b.key_id`,
    },
  },
  // Whether an attempt is followed by another depends on how it ended: see `settle-line.ts`.
  retryAfterSeconds: [],
  done: sql`state = 'completed', claimed_until = null`,
  failed: () => sql`claimed_until = null`,
  givenUp: sql`state = 'failed'`,
  listed: {
    facts: sql`t.account_id as "accountId", t.batch_id as "batchId", t.line`,
    error: sql`null::text`,
    order: sql`due_at`,
  },
  changes: {
    open: waits,
    retried: sql`claimed_until = null, failures = 0`,
    discarded: sql`state = 'cancelled', claimed_until = null`,
    absent: "No such line waits: it has ended, or its batch is over.",
  },
};

function dueByBatch(limit: number): SQL {
  return sql`
    select l.account_id, l.batch_id, l.line from batches b
      cross join lateral (
        select w.account_id, w.batch_id, w.line, w.due_at from batch_lines w
         where w.account_id = b.account_id and w.batch_id = b.id
           and w.state = 'waiting' and w.due_at <= now()
         order by w.due_at, w.line
         limit greatest(0, case when b.paused_by is null then ${perBatchMax} else 1 end - (
           select count(*) from batch_lines c
            where c.account_id = b.account_id and c.batch_id = b.id and c.state = 'waiting'
              and c.due_at > now() and c.claimed_until > now()))) l
     where b.ended_at is null and b.state = 'in_progress' and b.expires_at > now()
       and coalesce(b.paused_until, '-infinity') <= now()
     order by l.due_at, l.line limit ${limit}`;
}
