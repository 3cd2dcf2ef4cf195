// What the ledger is told when a call ends: its cost, and the facts of its row. Pure: the exchange
// says how it went, the bill says what is charged.
import { type Nanos, toNanos } from "@turnpike/base";
import type { RequestAttempt } from "@turnpike/db";
import type { Charge, RequestFacts } from "@turnpike/ledger";
import type { BilledUsage, Ending } from "./bill-ending.ts";
import type { Reservation } from "./gateway.ts";

export type EndedCall = {
  readonly reservation: Reservation;
  readonly ending: Ending;
  readonly billed: BilledUsage | undefined;
  readonly costNanos: Nanos;
  readonly attempts: readonly RequestAttempt[];
  /** Whether the status line was out, and said 200. */
  readonly committed: boolean;
  readonly finish: { readonly reason: string; readonly native: string } | undefined;
  readonly upstreamId: string | undefined;
  readonly firstByteMs: number | null;
  readonly upstreamWaitMs: number;
  readonly elapsedMs: number;
};

export function describeCharge(ended: EndedCall): Charge {
  const { reservation, ending, costNanos } = ended;
  return {
    hold: reservation.hold,
    state: costNanos === 0n && ending.outcome !== "completed" ? "released" : "settled",
    costNanos: toNanos(costNanos),
    facts: describeFacts(ended),
  };
}

function describeFacts(ended: EndedCall): RequestFacts {
  const { ending, billed, attempts, finish, firstByteMs, elapsedMs } = ended;
  const usage = billed?.usage;
  const fault = ending.outcome === "completed" ? undefined : ending.fault;
  return {
    promptTokens: usage?.promptTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
    cachedTokens: usage?.cachedTokens ?? 0,
    cacheWriteTokens: usage?.cacheWriteTokens ?? 0,
    reasoningTokens: usage?.reasoningTokens ?? 0,
    usageSource: billed?.source ?? "none",
    maxTokens: ended.reservation.maxTokens ?? null,
    status: statusOf(ending, ended.committed),
    outcome: ending.outcome,
    errorCode: fault?.code ?? null,
    finishReason: finish?.reason ?? null,
    nativeFinishReason: finish?.native ?? null,
    provider: attempts.at(-1)?.provider ?? null,
    upstreamId: ended.upstreamId ?? null,
    attempts,
    firstByteMs,
    overheadMs: Math.max(0, (firstByteMs ?? elapsedMs) - ended.upstreamWaitMs),
    totalMs: elapsedMs,
  };
}

/** What the client saw, or 499 where it did not wait for it. */
export function statusOf(ending: Ending, committed: boolean): number {
  if (ending.outcome === "completed") return 200;
  if (ending.outcome === "client_closed") return 499;
  if (committed) return 200;
  return ending.fault.details.status ?? 502;
}
