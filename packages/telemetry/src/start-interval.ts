// Runs a task periodically: one run at a time, and a failed run ends neither the loop nor the process. Failures are
// logged with growing gaps, so that an outage does not fill the log, and so is the first success after.
import type { JobMeters } from "./job-meters.ts";
import type { Log } from "./log.ts";

export type LoopOptions = {
  /** Names the task in the log. */
  readonly job: string;
  readonly log: Log;
  /** Counts each run. */
  readonly metrics?: Pick<JobMeters, "jobRan"> | undefined;
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
export function startInterval(everyMs: number, run: () => unknown, options: LoopOptions): Loop {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  const { job, metrics } = options;
  const failures = new Failures(options);

  async function runOnce(): Promise<void> {
    try {
      await (metrics === undefined ? run() : measureRun(metrics, job, run));
      failures.end();
    } catch (error) {
      failures.add(error);
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

/** Counts a run that may be one of several that a loop decides about; rejects as it does. */
export async function measureRun<Result>(
  metrics: Pick<JobMeters, "jobRan">,
  job: string,
  run: () => Result,
): Promise<Awaited<Result>> {
  const startedAtMs = performance.now();
  let failed = true;
  try {
    const result = await run();
    failed = false;
    return result;
  } finally {
    metrics.jobRan({ job, failed, durationMs: performance.now() - startedAtMs });
  }
}

/**
 * For work of microseconds that is synchronous: no promise for each run, otherwise like `startInterval`. The returned function
 * stops it.
 */
export function tick(
  everyMs: number,
  run: () => void,
  options: Omit<LoopOptions, "metrics">,
): () => void {
  const failures = new Failures(options);
  const timer = setInterval(() => {
    // What a timer throws would end the process.
    try {
      run();
      failures.end();
    } catch (error) {
      failures.add(error);
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The failures of one task since its last success. */
class Failures {
  readonly #options: Pick<LoopOptions, "job" | "log">;
  #count = 0;

  constructor(options: Pick<LoopOptions, "job" | "log">) {
    this.#options = options;
  }

  add(error: unknown): void {
    this.#count += 1;
    const { job, log } = this.#options;
    const failures = this.#count;
    if (isPowerOfTwo(failures)) log.warn({ err: error, job, failures }, "job failed");
  }

  end(): void {
    if (this.#count === 0) return;
    const { job, log } = this.#options;
    log.info({ job, failures: this.#count }, "job works again");
    this.#count = 0;
  }
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}
