// Sends one batch of holds to the SQL function `place_holds` and reads its answers, in order.
import { type Failpoint, type InstanceId, parseNanos } from "@turnpike/base";
import { arrayLiteral, type Sql } from "@turnpike/db";
import type { HoldDecision, HoldRefusal, HoldRequest } from "./hold.ts";
import { storableText } from "./storable-text.ts";

type Row = {
  readonly verdict: "held" | "busy" | HoldRefusal;
  readonly granted: string;
  readonly available: string;
  readonly resets_ms: number | null;
};

const statement = `select verdict, granted, available,
    (extract(epoch from resets_at) * 1000)::float8 as resets_ms
  from place_holds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;

export type BatchOptions = {
  /** Wait for locked accounts instead of answering `busy`. */
  readonly wait: boolean;
  /** An earlier call with the same ids may have succeeded without our learning of it. */
  readonly retry: boolean;
};

/** One durable commit for all of `holds`. Throws what the database throws. */
export async function placeHolds(
  sql: Sql,
  holds: readonly HoldRequest[],
  options: BatchOptions & {
    readonly instanceId: InstanceId;
    readonly lifetimeMs: number;
    readonly failpoint: Failpoint;
  },
): Promise<(HoldDecision | "busy")[]> {
  const pending = sql
    .unsafe<Row[]>(
      statement,
      [
        options.instanceId,
        options.lifetimeMs,
        options.wait,
        options.retry,
        arrayLiteral(holds.map((hold) => hold.id)),
        arrayLiteral(holds.map((hold) => hold.accountId)),
        arrayLiteral(holds.map((hold) => hold.keyId)),
        arrayLiteral(holds.map((hold) => hold.wantNanos)),
        arrayLiteral(holds.map((hold) => hold.floorNanos)),
        arrayLiteral(holds.map((hold) => hold.halve)),
        arrayLiteral(holds.map((hold) => hold.exact)),
        arrayLiteral(holds.map((hold) => storableText(hold.model))),
        arrayLiteral(holds.map((hold) => hold.provider)),
        arrayLiteral(holds.map((hold) => hold.priceId)),
        arrayLiteral(holds.map((hold) => hold.streamed)),
        arrayLiteral(holds.map((hold) => hold.origin)),
        arrayLiteral(holds.map((hold) => storableText(hold.traceId))),
        arrayLiteral(holds.map((hold) => storableText(hold.userAgent))),
      ],
      { prepare: true },
    )
    .execute();
  options.failpoint("hold-sent");
  const rows = await pending;
  options.failpoint("hold-committed");
  return rows.map(readRow);
}

function readRow(row: Row): HoldDecision | "busy" {
  if (row.verdict === "busy") return "busy";
  const availableNanos = parseNanos(row.available);
  if (row.verdict === "held") {
    return { verdict: "held", grantedNanos: parseNanos(row.granted), availableNanos };
  }
  const resetsAt = row.resets_ms === null ? null : new Date(row.resets_ms);
  return { verdict: row.verdict, availableNanos, resetsAt };
}
