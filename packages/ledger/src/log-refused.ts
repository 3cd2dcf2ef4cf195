// Refused calls get a row too, without money, so that their owner sees them in the logs. They are
// written in the background in batches; under pressure they are dropped, never waited for.
import type { AccountId, ApiKeyId, RequestId } from "@turnpike/base";
import { requests } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { openBoundedConnection } from "./bounded-connection.ts";

export type RefusedRequest = {
  readonly id: RequestId;
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId | null;
  readonly origin: "api" | "playground";
  readonly traceId: string;
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
          await db.insert(requests).values(batch.map(readRow)).onConflictDoNothing();
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

function readRow(refused: RefusedRequest): typeof requests.$inferInsert {
  return { ...refused, state: "refused", outcome: "refused", endedAt: new Date() };
}
