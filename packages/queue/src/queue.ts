// What a queue is: a table whose rows wait until they are due, and end. A queue names its columns and says what it means to
// end; everything that is done with it is written once for all queues, in the files beside this one. An item is enqueued by
// inserting its row, in the transaction that causes it.
import type { Db } from "@turnpike/db";
import type { QueueName } from "@turnpike/telemetry";
import { type SQL, sql } from "drizzle-orm";

/** What a claim returns of an item; queues add what their workers need. */
export type Claimed = {
  /** Including this one. */
  readonly attempts: number;
};

/** SQL names columns of the table, or of its alias `t`. The table has an integer column `attempts`. */
export type Queue<Item extends Claimed, Facts = unknown> = {
  readonly name: QueueName;
  readonly table: string;
  /** The columns that name an item. */
  readonly key: readonly string[];
  readonly keyOf: (item: Item) => readonly string[];
  readonly createdAt: string;
  /** A claim moves it forward, so that no other worker runs the item. */
  readonly dueAt: string;
  /** Neither done nor given up: the condition of the index. */
  readonly waits: SQL;
  readonly claim: {
    /** A worker that dies delays its items by this long; an attempt takes less. */
    readonly seconds: number;
    /** First is claimed first. */
    readonly order: SQL;
    /** Selects the keys that may be claimed now, where not everything that is due may. */
    readonly among?: (limit: number) => SQL;
    readonly set?: SQL;
    /** What the worker gets, of the claimed row and of `beside`. */
    readonly item: SQL;
    readonly beside?: { readonly tables: SQL; readonly where: SQL };
  };
  /** The pauses after the first, second, … failure; after the last one an item is given up. */
  readonly retryAfterSeconds: readonly number[];
  /** What is assigned when an item is done, when an attempt failed, and besides when it was the last one. */
  readonly done: SQL;
  readonly failed: (error: string) => SQL;
  readonly givenUp: SQL;
  readonly listed: {
    /** What the list shows of an item besides its state. */
    readonly facts: SQL;
    readonly error: SQL;
    readonly order: SQL;
    /** The items that were given up, and when; absent where those are not listed. */
    readonly givenUp?: { readonly is: SQL; readonly at: string };
  };
  readonly changes: {
    /** The items that operators can retry and discard. */
    readonly open: SQL;
    readonly retried?: SQL;
    readonly discarded: SQL;
    /** Why there is no such item. */
    readonly absent: string;
  };
  /** For the types only: what `listed.facts` selects. */
  readonly facts?: Facts;
};

export function named(name: string): SQL {
  return sql`${sql.identifier(name)}`;
}

export function isItem({ key }: Pick<Queue<never>, "key">, values: readonly string[]): SQL {
  const parts = key.map((name, index) => sql`${named(name)} = ${values[index]}`);
  return sql.join(parts, sql` and `);
}

/** An assignment more, if there is one. */
export const andSet = (assignment: SQL | undefined): SQL =>
  assignment === undefined ? sql`` : sql`, ${assignment}`;

/** Of a claim: so long an attempt may take. What is left is for the claim itself, so that no two workers run an item. */
export const attemptShare = 5 / 6;

export const inSeconds = (seconds: number): SQL =>
  sql`now() + make_interval(secs => ${seconds}::float8)`;

/** Guarantee: a queue selects what its types say. */
export async function selectRows<Row>(db: Db, statement: SQL): Promise<readonly Row[]> {
  const rows: unknown = await db.execute(statement);
  return rows as readonly Row[];
}
