// Which free calls get a row in Logs. Such a row costs its caller nothing, so each account has a
// rate of them: calls beyond it are answered like any other call, counted, and not stored.
import type { FreeCallLog, Heartbeat } from "@turnpike/ledger";
import type { Metrics } from "@turnpike/telemetry";
import { type CallLimit, createCallLimiter } from "./http/callers/limit-calls.ts";

const perHour = (calls: number): CallLimit => ({ perSecond: calls / 3_600, burst: calls });

/** Of one account, over all instances. */
export const freeRowLimits = {
  refused: perHour(600),
  /** Answers from the response cache, which their callers asked for. */
  cached: perHour(6_000),
} as const;

type Needs = {
  readonly heartbeat: Pick<Heartbeat, "clockIsWrong" | "share">;
  readonly freeCalls: Pick<FreeCallLog, "record">;
  readonly metrics: Pick<Metrics, "freeCallNotLogged">;
};

/** `now` in milliseconds; tests pass their own clock. */
export function limitFreeCalls(
  { heartbeat, freeCalls, metrics }: Needs,
  now: () => number = () => performance.now(),
): Pick<FreeCallLog, "record"> {
  const instances = () => heartbeat.share().instances;
  const refused = createCallLimiter(freeRowLimits.refused, now, instances);
  const cached = createCallLimiter(freeRowLimits.cached, now, instances);
  return {
    record(free) {
      // The row's id is created from the clock: a wrong one would put the row in another month.
      if (heartbeat.clockIsWrong()) return;
      const limiter = free.errorCode === null ? cached : refused;
      if (limiter.take(free.accountId, 1) === 0) freeCalls.record(free);
      else metrics.freeCallNotLogged();
    },
  };
}
