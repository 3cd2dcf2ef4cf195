// Reports a run however it ends: what was measured is printed and kept when a row fails, when a later stage
// crashes and when the run is interrupted. Only a run in which nothing failed exits with 0.
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import type { BenchOptions } from "./bench-options.ts";
import { compareAims } from "./compare-aims.ts";
import { messageOf } from "./count-failures.ts";
import { hasFailed } from "./find-failures.ts";
import type { Measured, RunRecord } from "./record-run.ts";
import { type Results, reportResults } from "./report-results.ts";
import { writeDocument } from "./write-document.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Ending = { signal: NodeJS.Signals } | { error: unknown } | "complete";

/** Returns the exit code once `work` has ended or the process was told to end. */
export async function reportRun(
  options: Pick<BenchOptions, "rows" | "json" | "write">,
  record: RunRecord,
  work: () => Promise<void>,
): Promise<number> {
  const ending = await runToEnd(work);
  if (ending !== "complete") {
    const why = "signal" in ending ? `${ending.signal} ended the run` : messageOf(ending.error);
    console.error(why);
    record.fail(options.rows, why);
    record.end(why);
  }
  const measured = record.measured();
  if (measured !== undefined) {
    const report = reportResults(withAims(measured));
    console.log(report);
    keepJson(options.json, measured);
    // An interrupted run does not replace the figures of a complete one.
    if (options.write && ending === "complete") writeDocument(report);
  }
  if (ending !== "complete" && "signal" in ending) return 128 + constants.signals[ending.signal];
  return measured === undefined || hasFailed(measured) ? 1 : 0;
}

/** Written after each row too: a process that is killed has not measured for nothing. */
export function keepJson(path: string | undefined, measured: Measured): void {
  if (path === undefined) return;
  const text = JSON.stringify(withAims(measured), (_, value) => asJson(value), 2);
  writeFileSync(path, `${text}\n`);
}

/** Figures by name are in maps, which JSON does not have. */
function asJson(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}

function withAims(measured: Measured): Results {
  return { ...measured, aims: compareAims(measured.rows, measured.machine) };
}

async function runToEnd(work: () => Promise<void>): Promise<Ending> {
  const ended = Promise.withResolvers<Ending>();
  const onSignal = (signal: NodeJS.Signals) => ended.resolve({ signal });
  const onError = (error: unknown) => ended.resolve({ error });
  for (const signal of signals) process.on(signal, onSignal);
  process.on("uncaughtException", onError).on("unhandledRejection", onError);
  try {
    work().then(() => ended.resolve("complete"), onError);
    return await ended.promise;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    process.off("uncaughtException", onError).off("unhandledRejection", onError);
  }
}
