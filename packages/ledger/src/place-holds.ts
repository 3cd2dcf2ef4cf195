// Sends one batch of holds to the SQL function `place_holds` and reads its answers, in order.
import { type Failpoint, type InstanceId, parseNanos } from "@turnpike/base";
import { arrayLiteral, elementsOf, type Sql } from "@turnpike/db";
import type { HoldDecision, HoldRefusal, HoldRequest } from "./hold.ts";
import { storableText } from "./storable-text.ts";

type Verdict = "held" | "busy" | HoldRefusal;

/** Arrays as PostgreSQL writes them; one element per hold. */
type Answer = {
  readonly verdicts: string;
  readonly granted: string;
  readonly available: string;
  readonly resets_ms: string;
};

const statement = `select verdicts::text, granted::text, available::text, resets_ms::text
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
    .unsafe<Answer[]>(
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
  const [answer] = await pending;
  options.failpoint("hold-committed");
  return answer === undefined ? [] : readAnswer(answer);
}

function readAnswer(answer: Answer): (HoldDecision | "busy")[] {
  const granted = elementsOf(answer.granted);
  const available = elementsOf(answer.available);
  const resets = elementsOf(answer.resets_ms);
  return elementsOf<Verdict>(answer.verdicts).map((verdict, index) => {
    if (verdict === "busy") return "busy";
    const availableNanos = parseNanos(available[index] ?? "");
    if (verdict === "held") {
      return { verdict, grantedNanos: parseNanos(granted[index] ?? ""), availableNanos };
    }
    const resetsMs = resets[index] ?? "NULL";
    const resetsAt = resetsMs === "NULL" ? null : new Date(Number(resetsMs));
    return { verdict, availableNanos, resetsAt };
  });
}
