// How many requests keys made in hours of the ledger, counted as Overview, Usage and Logs count them: every one that was
// recorded, whether it was answered, free, refused or failed.
import type { AccountId, ApiKeyId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";
import { bucketOf } from "./bucket-starts.ts";
import { planUsage } from "./plan-usage.ts";
import { usage, usageFrom } from "./usage-rows.ts";

const hourMs = 3_600_000;

/** One key's, or without one those of the playground, in the hour that begins then. */
export type KeyHour = { readonly keyId: ApiKeyId | null; readonly hour: Date };

/** Undefined where requests are not added up yet after an upgrade. */
export type CountOf = (line: KeyHour) => number | undefined;

export async function countRequests(
  db: Db,
  accountId: AccountId,
  lines: readonly KeyHour[],
): Promise<CountOf> {
  // The first instant of each hour, and the first one after it.
  const starts = [
    ...new Set(lines.flatMap(({ hour }) => [hour.getTime(), hour.getTime() + hourMs])),
  ].sort((a, b) => a - b);
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined) return () => undefined;
  const range = { accountId, from: new Date(first), to: new Date(last) };
  const planned = await planUsage(db, range);
  const rows = await db.execute<{ keyId: ApiKeyId | null; bucket: number; requests: number }>(sql`
    select ${usage.keyId} as "keyId", ${bucketOf(starts)} as bucket, sum(u.calls)::float8 as requests
      ${usageFrom(planned, starts)} group by 1, 2`);
  const counts = new Map(
    rows.map(({ keyId, bucket, requests }) => [nameOf(keyId, starts[bucket - 1] ?? 0), requests]),
  );
  const { coveredFrom } = planned.plan;
  return ({ keyId, hour }) =>
    coveredFrom !== null && hour <= coveredFrom
      ? undefined
      : counts.get(nameOf(keyId, hour.getTime()));
}

function nameOf(keyId: ApiKeyId | null, hourAtMs: number): string {
  return `${keyId ?? "playground"} ${hourAtMs}`;
}
