// Stored answers are read and written on the console's connections, taking turns with its reports: however
// many calls wait for answers or store them, and however slow the database is, one connection stays free
// for the console.
import type { Sql } from "@turnpike/db";
import type { Bounds, FairQueue } from "../fair-queue.ts";

/** A call that gets no connection in this time is refused, or is answered without what is stored. */
const waitMaxMs = 5_000;

const most = Number.POSITIVE_INFINITY;
const refusal = "Stored answers cannot be read now. Please try again in 2s.";
const readBounds: Bounds = { most, waitMaxMs, refusal };
const writeBounds: Bounds = { most, waitMaxMs: undefined, refusal };

type Query<Result> = (sql: Sql) => Promise<Result>;

/** `payer` is the id of the account or key that the query is for. */
export type SharedConnections = {
  /** Rejects with `overloaded` if no connection becomes free in time. */
  readonly runQuery: <Result>(payer: string, query: Query<Result>) => Promise<Result>;
  /** For what must be stored: waits for a connection as long as it takes. */
  readonly write: <Result>(payer: string, query: Query<Result>) => Promise<Result>;
};

export function shareConnections(sql: Sql, fairQueue: FairQueue): SharedConnections {
  return {
    runQuery: (payer, query) => fairQueue.run(payer, readBounds, () => query(sql)),
    write: (payer, query) => fairQueue.run(payer, writeBounds, () => query(sql)),
  };
}
