// The `Server-Timing` header: how long each part of a call took, in milliseconds, so that a caller sees
// what is the gateway's time and what is the provider's. `gateway` is all but the wait for the provider; it
// begins when the head of the request was read, so a body that arrives slowly is part of it.

export type CompletionTimes = {
  readonly authMs: number;
  readonly holdMs: number;
  readonly upstreamMs: number;
  readonly elapsedMs: number;
};

/** For an answer, as far as it is known when the answer begins. */
export function completionTiming(times: CompletionTimes): string {
  const { authMs, holdMs, upstreamMs, elapsedMs } = times;
  const gatewayMs = elapsedMs - upstreamMs;
  return `auth;dur=${authMs.toFixed(2)}, hold;dur=${holdMs.toFixed(2)}, upstream;dur=${upstreamMs.toFixed(2)}, gateway;dur=${gatewayMs.toFixed(2)}`;
}

/** For a refusal, all of which is our own time. */
export function refusalTiming(elapsedMs: number, authMs: number | undefined): string {
  const gateway = part("gateway", elapsedMs);
  return authMs === undefined ? gateway : `${part("auth", authMs)}, ${gateway}`;
}

function part(name: string, ms: number): string {
  return `${name};dur=${ms.toFixed(2)}`;
}
