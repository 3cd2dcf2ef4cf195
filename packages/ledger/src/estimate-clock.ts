// How far this machine's clock is from the database's. Ids, and with them the month a row belongs
// to, are made from this clock; expiries are compared with both. The estimate is kept against the
// monotonic clock, so a step of the wall clock shows at once and not with the next heartbeat.

/** Clocks that differ by more than this make an instance stop admitting. */
export const clockSkewMaxMs = 2_000;

export type ClockOffset = {
  /** Positive when this machine is ahead of the database. */
  readonly offsetMs: number;
  /** True when the difference is above `clockSkewMaxMs` however long the question took to arrive. */
  readonly wrong: boolean;
};

export type ClockSample = {
  readonly databaseNowMs: number;
  /** `performance.now()` before the question and after the answer. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
};

/** `wallClockMs` is this machine's clock, in Unix milliseconds. */
export function estimateClock(sample: ClockSample, wallClockMs: () => number): ClockOffset {
  const uncertainMs = (sample.answeredAtMs - sample.askedAtMs) / 2;
  const elapsedMs = performance.now() - (sample.askedAtMs + uncertainMs);
  const offsetMs = wallClockMs() - (sample.databaseNowMs + elapsedMs);
  return { offsetMs, wrong: Math.abs(offsetMs) > clockSkewMaxMs + uncertainMs };
}
