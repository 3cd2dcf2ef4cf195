import { expect, test } from "bun:test";
import type { Log } from "./log.ts";
import { startInterval, tick } from "./start-interval.ts";

/** Keeps what is logged. The cast is safe: the loop calls nothing but `warn` and `info`. */
function keepingLog() {
  const lines: { level: string; failures: unknown; job: unknown }[] = [];
  const keep = (level: string) => (facts: { failures?: unknown; job?: unknown }) =>
    void lines.push({ level, failures: facts.failures, job: facts.job });
  return { log: { warn: keep("warn"), info: keep("info") } as unknown as Log, lines };
}

/** Resolves when `run` has been called `count` times. */
function countedRuns(count: number, run: (nth: number) => unknown = () => undefined) {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  return {
    done,
    runs: () => runs,
    run: () => {
      runs += 1;
      if (runs === count) resolve();
      return run(runs);
    },
  };
}

test("a task runs again and again, one run at a time, until it is stopped", async () => {
  let underWay = 0;
  let most = 0;
  const counted = countedRuns(5, async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Bun.sleep(7);
    underWay -= 1;
  });
  const loop = startInterval(1, counted.run, { job: "test", log: keepingLog().log });
  await counted.done;
  await loop.stop();
  const runs = counted.runs();
  expect(underWay).toBe(0);
  expect(most).toBe(1);
  await loop.runNow();
  expect(counted.runs()).toBe(runs);
});

test("failures never end the loop; the log has the first one, then progressively fewer, then the recovery", async () => {
  const { log, lines } = keepingLog();
  const counted = countedRuns(10, (nth) => {
    if (nth < 10) throw new Error("the database is unreachable");
  });
  const loop = startInterval(1, counted.run, { job: "test", log });
  await counted.done;
  await loop.stop();
  expect(lines.map(({ level, failures }) => `${level} ${failures}`)).toEqual([
    "warn 1",
    "warn 2",
    "warn 4",
    "warn 8",
    "info 9",
  ]);
  expect(new Set(lines.map(({ job }) => job))).toEqual(new Set(["test"]));
});

test("a call while a run is under way starts one more run after it", async () => {
  const gate = Promise.withResolvers<void>();
  const counted = countedRuns(2, (nth) => (nth === 1 ? gate.promise : undefined));
  const loop = startInterval(1_000_000, counted.run, { job: "test", log: keepingLog().log });
  const first = loop.runNow();
  const second = loop.runNow();
  const third = loop.runNow();
  expect(counted.runs()).toBe(1);
  gate.resolve();
  await Promise.all([first, second, third]);
  expect(counted.runs()).toBe(2);
  await loop.stop();
});

test("an exception of a tick ends neither the ticks nor the process, and is logged like that of a task", async () => {
  const { log, lines } = keepingLog();
  const counted = countedRuns(6, (nth) => {
    if (nth < 6) throw new Error("no descriptor is left");
  });
  const stop = tick(1, counted.run, { job: "test", log });
  await counted.done;
  stop();
  const runs = counted.runs();
  expect(lines.map(({ level, failures }) => `${level} ${failures}`)).toEqual([
    "warn 1",
    "warn 2",
    "warn 4",
    "info 5",
  ]);
  await Bun.sleep(5);
  expect(counted.runs()).toBe(runs);
});
