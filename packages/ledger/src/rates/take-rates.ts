// Sends one batch of waiting calls to the SQL function `take_rates` and reads its answers. It has a connection of
// its own, so that no call waits behind money, and what is counted is in no transaction with it.
import type { AccountId, ApiKeyId, InstanceId, ProjectId } from "@turnpike/base";
import { arrayLiteral, elementsOf, type Sql } from "@turnpike/db";
import { openBoundedConnection } from "../batches/bounded-connection.ts";

export type RateSubjectKind = "key" | "project" | "account";
export type RateDimension = "requests" | "tokens" | "concurrency";

/** A bucket that all instances share, and what this one settles with it. */
export type RateBucketChange = {
  readonly accountId: AccountId;
  readonly subjectId: ApiKeyId | ProjectId | AccountId;
  readonly name: `${RateSubjectKind}_${RateDimension}`;
  readonly limit: number;
  /** Of a rate: used without asking, less what is returned. Of concurrency: the slots that are kept. */
  readonly settled: number;
  /** Wanted beyond the calls, for those that follow. */
  readonly ahead: number;
};

export type RateNeed = {
  /** From 1, ascending. */
  readonly call: number;
  /** The position of its bucket, from 1. */
  readonly bucket: number;
  readonly amount: number;
};

export type TakenRates = {
  /** By call: the position of the bucket that has too little; 0 if the call was granted. */
  readonly refused: readonly number[];
  /** By bucket: the head start that was taken. */
  readonly extra: readonly number[];
  /** By bucket: what is left for all instances. */
  readonly remaining: readonly number[];
};

export type RateBuckets = {
  /** Throws the database's errors. */
  readonly take: (
    buckets: readonly RateBucketChange[],
    needs: readonly RateNeed[],
  ) => Promise<TakenRates>;
  readonly close: () => Promise<void>;
};

/** Calls wait much less; a statement that runs longer is abandoned with its connection. */
const statementMs = 1_000;

export function openRateBuckets(options: {
  readonly url: string;
  readonly instanceId: InstanceId;
  /** Slots of an instance that is silent for so long are free. */
  readonly silentMs: number;
}): RateBuckets {
  const connection = openBoundedConnection({
    url: options.url,
    max: 1,
    deadlineMs: statementMs,
    applicationName: "turnpike rates",
  });
  return {
    take: (buckets, needs) => connection.run((sql) => takeRates(sql, options, buckets, needs)),
    close: connection.close,
  };
}

type Row = { readonly refused: string; readonly extra: string; readonly remaining: string };

const statement = `select refused::text, extra::text, remaining::text
  from take_rates($1, $2::int * interval '1 millisecond', $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

async function takeRates(
  sql: Sql,
  { instanceId, silentMs }: { readonly instanceId: InstanceId; readonly silentMs: number },
  buckets: readonly RateBucketChange[],
  needs: readonly RateNeed[],
): Promise<TakenRates> {
  const [row] = await sql.unsafe<Row[]>(
    statement,
    [
      instanceId,
      silentMs,
      arrayLiteral(buckets.map((bucket) => bucket.accountId)),
      arrayLiteral(buckets.map((bucket) => bucket.subjectId)),
      arrayLiteral(buckets.map((bucket) => bucket.name)),
      arrayLiteral(buckets.map((bucket) => bucket.limit)),
      arrayLiteral(buckets.map((bucket) => bucket.settled)),
      arrayLiteral(buckets.map((bucket) => bucket.ahead)),
      arrayLiteral(needs.map((need) => need.call)),
      arrayLiteral(needs.map((need) => need.bucket)),
      arrayLiteral(needs.map((need) => need.amount)),
    ],
    { prepare: true },
  );
  if (row === undefined) throw new Error("the function returned no row");
  const numbers = (literal: string) => elementsOf(literal).map(Number);
  return {
    refused: numbers(row.refused),
    extra: numbers(row.extra),
    remaining: numbers(row.remaining),
  };
}

/** Few, so that a call whose bucket is locked meanwhile waits for milliseconds. */
const purgedAtOnce = 1_000;

/** Forgets buckets that nobody used for a day: they are full again. */
export async function purgeRateBuckets(sql: Sql): Promise<void> {
  const isOld = sql`counted_at < now() - interval '1 day'`;
  for (;;) {
    const { count } = await sql`
      delete from rate_buckets
       where ${isOld} and (account_id, subject_id, name) in (
         select account_id, subject_id, name from rate_buckets where ${isOld} limit ${purgedAtOnce})`;
    if (count < purgedAtOnce) return;
  }
}
