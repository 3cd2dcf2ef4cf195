// Runs a task periodically: one run at a time, and a failed run never ends the loop. Failures are
// logged with growing gaps, so that an outage does not fill the log, and so is the first success after.
import type { Log } from "./log.ts";

export type LoopOptions = {
  /** Names the task in the log. */
  readonly job: string;
  readonly log: Log;
};

export type Loop = {
  /**
   * Runs now; when a run is under way, once more after it, because that one may have started before
   * the reason for this call. Resolves when the run has ended; never rejects.
   */
  readonly runNow: () => Promise<void>;
  /** Starts no further run; resolves when the one under way has ended. */
  readonly stop: () => Promise<void>;
};

/** Runs `run` every `everyMs`; a tick that comes while it still runs is skipped. */
export function every(everyMs: number, run: () => unknown, { job, log }: LoopOptions): Loop {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let failures = 0;

  async function runOnce(): Promise<void> {
    try {
      await run();
      if (failures > 0) log.info({ job, failures }, "job works again");
      failures = 0;
    } catch (error) {
      failures += 1;
      if (isPowerOfTwo(failures)) log.warn({ err: error, job, failures }, "job failed");
    }
  }

  async function runUntilDone(): Promise<void> {
    do {
      again = false;
      await runOnce();
    } while (again && !stopped);
    running = undefined;
  }

  function start(): Promise<void> {
    running ??= runUntilDone();
    return running;
  }

  const timer = setInterval(start, everyMs);
  // The work itself keeps a process alive when it must; the wait for the next run does not.
  timer.unref();
  return {
    async runNow() {
      if (stopped) return;
      again = running !== undefined;
      await start();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}
