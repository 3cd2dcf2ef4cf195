// Writes a row without money for each call that was refused or answered from the response cache, so that its
// owner sees it in Logs. Rows are inserted in the background in batches; under pressure they are dropped, and no call waits for them.
import { arrayLiteral, type Db } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";
import type { CallFacts } from "./call-facts.ts";
import { requestMembers, writeRequest } from "./write-request.ts";

export type FreeCallLog = {
  /** `free` must not change afterwards. */
  readonly record: (free: CallFacts) => void;
  /** Resolves when what is waiting was written or dropped. */
  readonly close: () => Promise<void>;
};

const batchMax = 256;
const queueMax = 10_000;
const writeMs = 2_000;

/** The pool of `db` stays open. */
export function openFreeCallLog(options: { readonly db: Db; readonly log: Log }): FreeCallLog {
  let queue: CallFacts[] = [];
  let writing: Promise<void> | undefined;
  let dropped = 0;

  async function write(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchMax);
      queue = queue.slice(batchMax);
      try {
        await withinDeadline(insert(options.db, batch));
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
async function withinDeadline(inserting: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${writeMs} ms`)), writeMs);
  try {
    await Promise.race([inserting, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server's role may write such rows through this function only, which sets the rest itself. */
function insert(db: Db, batch: readonly CallFacts[]): Promise<unknown> {
  const rows = batch.map((facts) => writeRequest(facts));
  return db.execute(sql`select log_calls(${requestMembers}::int, ${arrayLiteral(rows)}::text)`);
}
