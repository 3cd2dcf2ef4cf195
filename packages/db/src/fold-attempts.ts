// The attempts of a call. Nearly every call has one, which succeeded, and the columns of its row say most of it already: only
// what they do not say is stored of it, because JSON costs a fifth of a charge.
import type { RequestAttempt, RequestRow } from "./schema/requests.ts";

type Folded = Pick<
  RequestRow,
  "attempts" | "attemptModel" | "attemptStartedMs" | "attemptWaitedMs"
>;
type Known = Pick<RequestRow, "provider" | "model" | "attempts">;

/** What the columns of attempts are written with; `attemptsOf` reads it. */
export function foldAttempts({ provider, model, attempts }: Known): Folded {
  const [only, second] = attempts ?? [];
  if (only === undefined || second !== undefined || !isUsual(only) || only.provider !== provider) {
    return { attempts, attemptModel: null, attemptStartedMs: null, attemptWaitedMs: null };
  }
  return {
    attempts: null,
    attemptModel: only.model === model ? null : only.model,
    attemptStartedMs: only.startedMs ?? null,
    attemptWaitedMs: only.waitedMs ?? null,
  };
}

function isUsual({ status, error, firstByteMs, startedMs, waitedMs }: RequestAttempt): boolean {
  const isTimed = startedMs !== undefined && waitedMs !== undefined;
  return status === 200 && error === null && isTimed && firstByteMs === waitedMs;
}

export function attemptsOf(row: Known & Folded): readonly RequestAttempt[] {
  const { provider, model, attempts, attemptModel, attemptStartedMs, attemptWaitedMs } = row;
  if (attemptStartedMs === null || attemptWaitedMs === null) return attempts ?? [];
  const only: RequestAttempt = {
    provider,
    model: attemptModel ?? model,
    status: 200,
    firstByteMs: attemptWaitedMs,
    error: null,
    startedMs: attemptStartedMs,
    waitedMs: attemptWaitedMs,
  };
  return [only];
}
