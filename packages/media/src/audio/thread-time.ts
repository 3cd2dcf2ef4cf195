// For how long a thread has computed: on a busy machine that is much less than the time that passed.
import { readFileSync, readlinkSync } from "node:fs";

export type ThreadTime = {
  /** Where Linux says it; undefined elsewhere. */
  readonly path: string | undefined;
  readonly computedMs: number;
};

/** Of the thread that calls this, until now. */
export function ownTime(): ThreadTime {
  try {
    const path = `/proc/${readlinkSync("/proc/thread-self")}/schedstat`;
    return { path, computedMs: readMs(path) };
  } catch {
    return { path: undefined, computedMs: 0 };
  }
}

/** For how long the same thread has computed since then; zero where that is not known. */
export function computedSince({ path, computedMs }: ThreadTime): number {
  if (path === undefined) return 0;
  try {
    return readMs(path) - computedMs;
  } catch {
    // It has ended.
    return 0;
  }
}

function readMs(path: string): number {
  const [nanos] = readFileSync(path, "utf8").split(" ");
  return Number(nanos) / 1_000_000;
}
