// Refused calls get a row too, without money, so that their owner sees them in the logs. They are
// written in the background in batches; under pressure they are dropped, never waited for.
import type { AccountId, ApiKeyId, GenerationId } from "@turnpike/base";
import type { Log } from "@turnpike/telemetry";
import { type SQL, sql } from "drizzle-orm";
import { openBoundedConnection } from "./bounded-connection.ts";

export type RefusedRequest = {
  readonly id: GenerationId;
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId | null;
  readonly origin: "api" | "playground";
  readonly requestId: string;
  readonly userAgent: string;
  readonly model: string;
  readonly streamed: boolean;
  readonly status: number;
  readonly errorCode: string;
  readonly totalMs: number;
};

export type RefusalLog = {
  readonly record: (refused: RefusedRequest) => void;
  /** Writes what is waiting, then closes. */
  readonly close: () => Promise<void>;
};

const batchMax = 256;
const queueMax = 10_000;
const writeMs = 2_000;

export function openRefusalLog(options: { readonly url: string; readonly log: Log }): RefusalLog {
  const connection = openBoundedConnection({
    url: options.url,
    max: 1,
    deadlineMs: writeMs,
    applicationName: "turnpike refusals",
  });
  let queue: RefusedRequest[] = [];
  let writing: Promise<void> | undefined;
  let dropped = 0;

  async function write(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchMax);
      queue = queue.slice(batchMax);
      try {
        await connection.run(async (_sql, db) => {
          await db.execute(insertOf(batch));
        });
      } catch (error) {
        dropped += batch.length;
        options.log.warn({ err: error, dropped }, "refused requests not logged");
      }
    }
    writing = undefined;
  }

  return {
    record(refused) {
      if (queue.length >= queueMax) {
        dropped += 1;
        return;
      }
      queue.push(refused);
      writing ??= Promise.resolve().then(write);
    },
    async close() {
      await writing;
      await connection.close();
    },
  };
}

/** By hand: the server's role may set these columns and none that tells of money. */
function insertOf(batch: readonly RefusedRequest[]): SQL {
  const rows = batch.map(
    (
      row,
    ) => sql`(${row.accountId}, ${row.id}, ${row.keyId}, 'refused', ${row.origin}, ${row.requestId},
      ${row.model}, ${row.streamed}, ${row.userAgent}, ${row.status}, 'refused', ${row.errorCode},
      ${row.totalMs}, now())`,
  );
  return sql`
    insert into requests (account_id, id, key_id, state, origin, trace_id, model, streamed, user_agent,
                          status, outcome, error_code, total_ms, ended_at)
    values ${sql.join(rows, sql`, `)} on conflict do nothing`;
}
