// What the last successful heartbeat tells this process, read for every hold: whether it may admit, how
// far its clock is from the database's, and its position among the live instances. The clock is estimated
// relative to the monotonic clock, so a step of the wall clock shows immediately and not with the next
// heartbeat.
import type { Beat } from "./send-beat.ts";

/**
 * Clocks that differ by more than this make an instance stop admitting calls. Ids, and with them the month
 * a row belongs to, are created from this machine's clock; expiries are compared with both.
 */
export const clockSkewMaxMs = 2_000;

export type ClockOffset = {
  /** Positive when this machine is ahead of the database. */
  readonly offsetMs: number;
  /** True when the difference is above `clockSkewMaxMs` however long the request took to arrive. */
  readonly wrong: boolean;
};

type ClockSample = {
  readonly databaseNowMs: number;
  /** `performance.now()` before the request and after the response. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
};

export type MeasuredBeat = Beat & ClockSample;

/** The position of this instance among the live ones, of which there are `instances`. */
export type InstanceShare = {
  readonly instances: number;
  /** 0 … instances - 1, the same for all instances that have seen the same ones. */
  readonly rank: number;
};

export type HeartbeatState = {
  /** False once the last successful beat is older than `lapseMs`. */
  readonly isAlive: () => boolean;
  readonly clock: () => ClockOffset;
  /** Whether money may be granted: the heartbeat is fresh and the clock is right. */
  readonly mayAdmit: () => boolean;
  readonly share: () => InstanceShare;
  /** The database's clock, which all instances have in common, in Unix milliseconds. */
  readonly databaseNowMs: () => number;
  readonly update: (beat: MeasuredBeat) => void;
};

/** `wallClockMs` is this machine's clock, in Unix milliseconds. */
export function createHeartbeatState(
  first: MeasuredBeat,
  lapseMs: number,
  wallClockMs: () => number = Date.now,
): HeartbeatState {
  let last = first;
  const isAlive = () => performance.now() - last.askedAtMs <= lapseMs;
  const clock = () => estimateClock(last, wallClockMs);
  return {
    isAlive,
    clock,
    mayAdmit: () => isAlive() && !clock().wrong,
    share: () => last,
    databaseNowMs: () => estimateDatabaseNow(last),
    update(beat) {
      last = beat;
    },
  };
}

/** The response is assumed to have been made halfway between request and arrival. */
function estimateDatabaseNow({ databaseNowMs, askedAtMs, answeredAtMs }: ClockSample): number {
  return databaseNowMs + performance.now() - (askedAtMs + answeredAtMs) / 2;
}

export function estimateClock(sample: ClockSample, wallClockMs: () => number): ClockOffset {
  const uncertainMs = (sample.answeredAtMs - sample.askedAtMs) / 2;
  const offsetMs = wallClockMs() - estimateDatabaseNow(sample);
  return { offsetMs, wrong: Math.abs(offsetMs) > clockSkewMaxMs + uncertainMs };
}
