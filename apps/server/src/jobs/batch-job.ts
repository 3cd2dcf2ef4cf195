// Runs batches: the lines that are due as calls, and the steps between. Any number of instances may do so at the same time. A line gives way
// to the calls of clients: it starts when none of them waits.
import {
  batchQueue,
  beginLine,
  type ClaimedLine,
  lineQueue,
  openRequest,
  settleLine,
  stepBatch,
} from "@turnpike/batches";
import type { Gateway } from "@turnpike/gateway";
import type { Objects } from "@turnpike/objects";
import { failItem, openWorker } from "@turnpike/queue";
import { runLine } from "../batches/run-line.ts";
import type { Services } from "../services.ts";
import { type StopJob, startJob } from "./start-job.ts";

/** In each process. */
const linesAtOnce = 8;
const stepsAtOnce = 2;

/** Does nothing where no files are kept; the returned function stops it once what ran is recorded. */
export function startBatchJob(services: Services): StopJob {
  const { config, jobsDatabase, log, objects, draining } = services;
  if (objects === undefined) return async () => undefined;
  const { db } = jobsDatabase;
  const lines = openWorker(db, lineQueue, {
    atOnce: linesAtOnce,
    log,
    perform: (line) => performLine(services, objects, line),
  });
  const steps = openWorker(db, batchQueue, {
    atOnce: stepsAtOnce,
    log,
    async perform(batch) {
      try {
        await stepBatch(db, objects, batch);
      } catch (thrown) {
        log.warn({ err: thrown, batch: batch.id, state: batch.state }, "a step of a batch failed");
        const error = thrown instanceof Error ? thrown.message : String(thrown);
        await failItem(db, batchQueue, batch, { error, isFinal: false });
      }
    },
  });
  const everyMs = config.times.runBatchesEveryMs;
  const stops = [
    startJob(services, "batch lines", everyMs, lines.work),
    startJob(services, "batches", everyMs, steps.work),
  ];
  const close = async () => {
    await Promise.all([lines.close(), steps.close()]);
  };
  // A process that is about to end starts no more lines: their money would keep it waiting.
  draining.addEventListener("abort", () => void close());
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await close();
  };
}

async function performLine(services: Services, objects: Objects, line: ClaimedLine): Promise<void> {
  const { db } = services.jobsDatabase;
  await giveWay(services.gateway);
  const generationId = await beginLine(db, line);
  if (generationId === undefined) return;
  const { body: text } = openRequest(objects.sealer, line, line.sealedRequest);
  const { keyHash, failures, isProbe, endpoint } = line;
  const call = { generationId, keyHash, text, failures, isProbe };
  const ending = await runLine(services, endpoint, call);
  services.failpoint("line-answered");
  await settleLine(db, objects, line, ending);
}

const turnsMax = 100;
const turnPauseMs = 50;

/** Until no call waits to start, but not forever: a process that is always busy runs lines too. */
async function giveWay({ load }: Pick<Gateway, "load">): Promise<void> {
  for (let turns = 0; turns < turnsMax; turns += 1) {
    const turn = load.enter();
    if (turn === undefined) return;
    await turn;
    await Bun.sleep(turnPauseMs);
  }
}
