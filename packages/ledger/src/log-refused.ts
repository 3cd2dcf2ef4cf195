// Writes a row without money for each call that was refused or answered from the response cache, so that its
// owner sees it in Logs. Rows are inserted in the background in batches; under pressure they are dropped, and no call waits for them.
import type { AccountId, ApiKeyId, GenerationId } from "@turnpike/base";
import type { Db, Refusal, RequestOperation } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { type SQL, sql } from "drizzle-orm";
import { storableJson, storableText, textOrNull } from "./charge-requests.ts";

export type RefusedRequest = {
  readonly id: GenerationId;
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId | null;
  readonly origin: "api" | "playground";
  readonly operation: RequestOperation;
  readonly requestId: string;
  readonly userAgent: string;
  readonly app?: string | undefined;
  readonly endUser?: string | undefined;
  readonly model: string;
  readonly streamed: boolean;
  readonly status: number;
  readonly errorCode: string;
  /** As it was answered. */
  readonly refusal: Refusal;
  readonly totalMs: number;
};

/** A call that was answered with what an earlier one was charged for. */
export type CachedRequest = Omit<RefusedRequest, "errorCode" | "refusal"> & {
  readonly errorCode: null;
  readonly cachedFrom: GenerationId;
};

export type RefusalLog = {
  readonly record: (free: RefusedRequest | CachedRequest) => void;
  /** Resolves when what is waiting was written or dropped. */
  readonly close: () => Promise<void>;
};

const batchMax = 256;
const queueMax = 10_000;
const writeMs = 2_000;

/** The pool of `db` stays open. */
export function openRefusalLog(options: { readonly db: Db; readonly log: Log }): RefusalLog {
  let queue: (RefusedRequest | CachedRequest)[] = [];
  let writing: Promise<void> | undefined;
  let dropped = 0;

  async function write(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchMax);
      queue = queue.slice(batchMax);
      try {
        await withinDeadline(options.db.execute(insertOf(batch)));
      } catch (error) {
        dropped += batch.length;
        options.log.warn({ err: error, dropped }, "refused and cached requests not logged");
      }
    }
    writing = undefined;
  }

  return {
    record(free) {
      if (queue.length >= queueMax) {
        dropped += 1;
        return;
      }
      queue.push(free);
      writing ??= Promise.resolve().then(write);
    },
    async close() {
      await writing;
    },
  };
}

/** The driver has no query timeout, and the rows that wait must not pile up behind one insert. */
async function withinDeadline(insert: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${writeMs} ms`)), writeMs);
  try {
    await Promise.race([insert, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server's role may write such rows through this function only. */
function insertOf(batch: readonly (RefusedRequest | CachedRequest)[]): SQL {
  const rows = batch.map((row) => ({
    account_id: row.accountId,
    id: row.id,
    key_id: row.keyId,
    origin: row.origin,
    operation: row.operation,
    request_id: row.requestId,
    model: storableText(row.model),
    streamed: row.streamed,
    user_agent: storableText(row.userAgent),
    app: textOrNull(row.app),
    end_user: textOrNull(row.endUser),
    status: row.status,
    error_code: row.errorCode,
    details: storableJson(
      "cachedFrom" in row ? { cachedFrom: row.cachedFrom } : { refusal: row.refusal },
    ),
    total_ms: row.totalMs,
  }));
  return sql`select log_free_calls(${JSON.stringify(rows)}::text::jsonb)`;
}
