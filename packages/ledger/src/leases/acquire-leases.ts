// Sends one batch of waiting calls to the SQL function `acquire_leases` and reads its answers, in order.
import type { InstanceId } from "@turnpike/base";
import { arrayLiteral, elementsOf, type Sql } from "@turnpike/db";
import { type Nanos, parseNanos } from "@turnpike/terms";
import type { HoldRefusal } from "../hold.ts";
import type { Lease } from "./lease.ts";

/** One call that its lease does not cover. */
export type Acquisition = {
  readonly lease: Lease;
  readonly wantNanos: Nanos;
  readonly floorNanos: Nanos;
  /** Headroom of the lease that was set aside for this call. */
  readonly ownNanos: bigint;
  /** Wanted beyond the call, for those that follow. */
  readonly aheadNanos: bigint;
  readonly atMostHalf: boolean;
  readonly allOrNothing: boolean;
};

export type Acquired =
  | {
      readonly verdict: "held";
      readonly grantedNanos: Nanos;
      readonly extraNanos: Nanos;
      readonly availableNanos: Nanos;
    }
  | { readonly verdict: "closed" }
  | {
      readonly verdict: HoldRefusal;
      readonly availableNanos: Nanos;
      /** Reserved by other leases: a recall may free some of it. */
      readonly elsewhereNanos: Nanos;
      readonly resetsAt: Date | null;
    };

export type AcquiredBatch = {
  readonly answers: readonly (Acquired | "busy")[];
  /**
   * How long the leases' hour still lasted when the database answered; undefined if it locked no
   * account, because then it says nothing about any lease.
   */
  readonly hourLeftMs: number | undefined;
};

/** Arrays as PostgreSQL writes them; one element per call. */
type Row = {
  readonly verdicts: string;
  readonly granted: string;
  readonly extra: string;
  readonly available: string;
  readonly elsewhere: string;
  readonly resets_ms: string;
  readonly hour_left_ms: number | null;
};

const statement = `select verdicts::text, granted::text, extra::text, available::text,
    elsewhere::text, resets_ms::text, hour_left_ms
  from acquire_leases($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

/**
 * One durable commit for all of `calls`. `late` charges calls that already ran. Throws the
 * database's errors.
 */
export async function acquireLeases(
  sql: Sql,
  calls: readonly Acquisition[],
  options: { readonly instanceId: InstanceId; readonly wait: boolean; readonly late: boolean },
): Promise<AcquiredBatch> {
  const [row] = await sql.unsafe<Row[]>(
    statement,
    [
      options.instanceId,
      options.wait,
      options.late,
      arrayLiteral(calls.map((call) => call.lease.id)),
      arrayLiteral(calls.map((call) => call.lease.accountId)),
      arrayLiteral(calls.map((call) => call.lease.keyId)),
      arrayLiteral(calls.map((call) => call.wantNanos)),
      arrayLiteral(calls.map((call) => call.floorNanos)),
      arrayLiteral(calls.map((call) => call.ownNanos)),
      arrayLiteral(calls.map((call) => call.aheadNanos)),
      arrayLiteral(calls.map((call) => call.atMostHalf)),
      arrayLiteral(calls.map((call) => call.allOrNothing)),
      arrayLiteral(calls.map((call) => call.lease.personId ?? null)),
    ],
    { prepare: true },
  );
  if (row === undefined) throw new Error("the function returned no row");
  return { answers: parseAnswers(row), hourLeftMs: row.hour_left_ms ?? undefined };
}

function parseAnswers(row: Row): (Acquired | "busy")[] {
  const granted = elementsOf(row.granted);
  const extra = elementsOf(row.extra);
  const available = elementsOf(row.available);
  const elsewhere = elementsOf(row.elsewhere);
  const resets = elementsOf(row.resets_ms);
  return elementsOf<"busy" | "held" | "closed" | HoldRefusal>(row.verdicts).map(
    (verdict, index) => {
      if (verdict === "busy") return "busy";
      if (verdict === "closed") return { verdict };
      const availableNanos = parseNanos(available[index] ?? "");
      if (verdict === "held") {
        const extraNanos = parseNanos(extra[index] ?? "");
        return {
          verdict,
          grantedNanos: parseNanos(granted[index] ?? ""),
          extraNanos,
          availableNanos,
        };
      }
      const resetsMs = resets[index] ?? "NULL";
      return {
        verdict,
        availableNanos,
        elsewhereNanos: parseNanos(elsewhere[index] ?? ""),
        resetsAt: resetsMs === "NULL" ? null : new Date(Number(resetsMs)),
      };
    },
  );
}
