// What a caller is told of the rates that its call counts against, named as in OpenAI's API.
import type { RateDimension } from "@turnpike/ledger";
import { noHeaders, type RateHeaders } from "./rate-limit-fault.ts";
import type { RateSlice } from "./rate-slice.ts";

const dimensions = ["requests", "tokens"] as const satisfies readonly RateDimension[];

/**
 * The whole limit, what is left of it in whole units, and how long until that is full, as Go writes durations: of
 * the limit of key, project and account that is nearest to being reached.
 */
export function rateHeadersOf(slices: readonly RateSlice[], nowMs: number): RateHeaders {
  let headers: Record<string, string> | undefined;
  for (const dimension of dimensions) {
    let least: ReturnType<RateSlice["describe"]> | undefined;
    let limit = 0;
    for (const slice of slices) {
      if (slice.owner.dimension !== dimension) continue;
      const found = slice.describe(nowMs);
      if (least !== undefined && least.remaining <= found.remaining) continue;
      least = found;
      limit = slice.limit;
    }
    if (least === undefined) continue;
    headers ??= {};
    headers[`x-ratelimit-limit-${dimension}`] = String(limit);
    headers[`x-ratelimit-remaining-${dimension}`] = String(least.remaining);
    headers[`x-ratelimit-reset-${dimension}`] = formatDuration(least.resetMs);
  }
  return headers ?? noHeaders;
}

/** `12ms`, `1.5s`, `6m0s`. */
function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 100) / 10;
  if (seconds < 60) return `${seconds}s`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}m${whole % 60}s`;
}
