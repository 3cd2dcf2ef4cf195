// `WORKERS=n`: the parent of n serving processes on one port. It serves nothing itself: it passes on
// signals, replaces workers that end, and ends when all of them have ended.
import { join } from "node:path";
import { createLog, type Log } from "@turnpike/telemetry";
import type { Config } from "./config.ts";
import { joinOutput, type Output, writeStdout } from "./join-output.ts";
import { isWorkerReport, type WorkerCommand, writeWorkerArguments } from "./worker-link.ts";

const workerPath = join(import.meta.dirname, "worker.ts");

/** After more replacements than this within the window, with none listening, the parent gives up. */
const replacementsMax = 10;
const replacementsWithinMs = 60_000;
const firstDelayMs = 100;
const delayMaxMs = 5_000;

type Worker = {
  readonly process: Bun.Subprocess<"ignore", "pipe", "inherit">;
  listening: boolean;
};

type Fleet = {
  readonly config: Config;
  readonly log: Log;
  readonly output: Output;
  readonly workers: Map<number, Worker>;
  /** Of the first worker; undefined until it listens. */
  port: number | undefined;
  /** All have been listening at the same time once. */
  complete: boolean;
  leaving: boolean;
  failed: boolean;
  replacedAt: readonly number[];
};

/** Starts the first worker, and the others once it has the port. Ends the process with the last one. */
export function superviseWorkers(config: Config): void {
  process.stdout.on("error", () => undefined);
  const output = joinOutput(writeStdout);
  const log = createLog({ level: config.LOG_LEVEL, name: "turnpike", destination: output });
  const state = { port: undefined, complete: false, leaving: false, failed: false };
  const fleet: Fleet = { config, log, output, workers: new Map(), replacedAt: [], ...state };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => leave(fleet));
  // `bun run start` was killed: our workers drain as if we were.
  process.on("disconnect", () => process.exit(1));
  process.on("SIGHUP", () => commandAll(fleet, "reload"));
  // Only the first claims the port, migrates, and reports a wrong configuration.
  startWorker(fleet, 1);
}

function startWorker(fleet: Fleet, number: number): void {
  const { config, port } = fleet;
  const sharedPort = { port: port ?? config.PORT, claim: port === undefined };
  const child = Bun.spawn(
    [
      process.execPath,
      ...process.execArgv,
      workerPath,
      ...writeWorkerArguments(number, sharedPort),
      ...process.argv.slice(2),
    ],
    {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
      // Its own session: Ctrl-C reaches workers only once, through us.
      detached: true,
      serialization: "json",
      ipc: (message) => {
        if (isWorkerReport(message)) noteListening(fleet, worker, message.listeningOn);
      },
    },
  );
  const worker: Worker = { process: child, listening: false };
  fleet.workers.set(number, worker);
  void Promise.all([child.exited, fleet.output.copyFrom(child.stdout)]).then(() =>
    noteEnd(fleet, number, worker),
  );
}

function noteListening(fleet: Fleet, worker: Worker, port: number): void {
  worker.listening = true;
  const { config, log, workers } = fleet;
  const isFirst = fleet.port === undefined;
  fleet.port = port;
  if (fleet.leaving) {
    tell(worker, "drain");
    return;
  }
  if (isFirst) {
    for (let number = 2; number <= config.WORKERS; number += 1) startWorker(fleet, number);
  }
  const listening = [...workers.values()].filter((each) => each.listening).length;
  if (fleet.complete || listening < config.WORKERS) return;
  fleet.complete = true;
  log.info({ workers: listening, port, host: config.HOST }, "all workers are listening");
}

function noteEnd(fleet: Fleet, number: number, worker: Worker): void {
  const { log, workers } = fleet;
  const { exitCode: code, signalCode: signal } = worker.process;
  workers.delete(number);
  if (fleet.leaving) {
    // One that was not serving yet was ended by our signal and had nothing to lose.
    if (code !== 0 && worker.listening) fleet.failed = true;
    if (workers.size === 0) void exit(fleet, fleet.failed ? 1 : 0);
    return;
  }
  // The first start failed; the worker has printed why.
  if (fleet.port === undefined) return void exit(fleet, code === null || code === 0 ? 1 : code);
  const facts = { worker: number, code, signal };
  const now = performance.now();
  const isServing = [...workers.values()].some((each) => each.listening);
  const delayMs = replacementDelay(fleet.replacedAt, now, isServing);
  if (delayMs === undefined) {
    log.fatal(facts, "workers end as soon as they start: giving up");
    fleet.failed = true;
    leave(fleet);
    return;
  }
  fleet.replacedAt = [...recent(fleet.replacedAt, now), now];
  log.error({ ...facts, delayMs }, "a worker ended: starting another");
  setTimeout(() => {
    if (!fleet.leaving) startWorker(fleet, number);
  }, delayMs);
}

/**
 * How long to wait before a worker is replaced, doubling with each replacement of the last minute;
 * undefined if there were too many and no other worker is serving.
 */
export function replacementDelay(
  replacedAt: readonly number[],
  now: number,
  isServing: boolean,
): number | undefined {
  const count = recent(replacedAt, now).length;
  if (count >= replacementsMax && !isServing) return undefined;
  return count === 0 ? 0 : Math.min(firstDelayMs * 2 ** (count - 1), delayMaxMs);
}

function recent(replacedAt: readonly number[], now: number): readonly number[] {
  return replacedAt.filter((at) => now - at < replacementsWithinMs);
}

/** Drains all workers; called again, it ends their answers immediately. */
function leave(fleet: Fleet): void {
  const command = fleet.leaving ? "end" : "drain";
  fleet.leaving = true;
  commandAll(fleet, command);
  if (fleet.workers.size === 0) void exit(fleet, fleet.failed ? 1 : 0);
}

function commandAll(fleet: Fleet, command: WorkerCommand): void {
  for (const worker of fleet.workers.values()) {
    if (worker.listening) tell(worker, command);
    else if (command !== "reload") worker.process.kill("SIGTERM");
  }
}

function tell(worker: Worker, command: WorkerCommand): void {
  try {
    worker.process.send(command);
  } catch {
    // It has just ended; `noteEnd` follows.
  }
}

async function exit({ output }: Fleet, code: number): Promise<void> {
  await output.written();
  process.exit(code);
}
