// Ends runs whose process has died, and deletes those that have expired. A run that cannot go on is told so within moments after the death
// of its process was noticed.
import { Fault, storedResponseId } from "@turnpike/base";
import { type Objects, readObject } from "@turnpike/objects";
import {
  appendEvents,
  endRun,
  findLostRuns,
  type LostRun,
  lostAtOnce,
  purgeRuns,
} from "@turnpike/runs";
import { backgroundResponse, parseAnswered, readStoredResponse } from "@turnpike/wire";
import { textOf } from "../memory/read-turns.ts";
import type { Services } from "../services.ts";
import { type JobServices, type StopJob, startJob, startSharedJob } from "./start-job.ts";

const purgeEveryMs = 60_000;

/** Where nothing is stored, nothing runs without its client. */
export function startRunJobs(services: Services & JobServices): StopJob {
  const { config, heartbeat, jobsDatabase, liveRuns, log, objects } = services;
  if (objects === undefined) return async () => undefined;
  const { db } = jobsDatabase;
  const stops = [
    // In each instance, because the one whose turn it is may have died: they do it once together.
    startJob(services, "end lost runs", config.times.endLostRunsEveryMs, async () => {
      const own = { instanceId: heartbeat.instanceId, ids: liveRuns.ids() };
      const { silentMs } = config.times;
      for (;;) {
        const lost = await findLostRuns(db, objects.sealer, { ...own, silentMs });
        const ended = await endAll(services, objects, lost);
        if (ended > 0) log.warn({ runs: ended }, "lost runs ended");
        // What could not be ended is tried again with the next run of the job.
        if (lost.length < lostAtOnce || ended < lost.length) return;
      }
    }),
    startSharedJob(services, "purge runs", purgeEveryMs, () => purgeRuns(db)),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Returns how many were ended: one that cannot be does not keep the others waiting. */
async function endAll(
  services: Pick<Services, "jobsDatabase" | "log">,
  objects: Objects,
  lost: readonly LostRun[],
): Promise<number> {
  let ended = 0;
  for (const run of lost) {
    try {
      await endLost(services, objects, run);
      ended += 1;
    } catch (thrown) {
      services.log.warn({ err: thrown, generationId: run.id }, "a lost run was not ended");
    }
  }
  return ended;
}

/** Its events get an end where its last response is known and has none; others break off. */
async function endLost(
  { jobsDatabase: { db } }: Pick<Services, "jobsDatabase">,
  objects: Objects,
  run: LostRun,
): Promise<void> {
  const { sealer } = objects;
  if (run.response === null) {
    await endRun(db, sealer, run, { state: "failed", isCut: true });
    return;
  }
  const told = backgroundResponse.endOf(run.response);
  if (told !== undefined) {
    await endRun(db, sealer, run, { state: told });
    return;
  }
  const ended =
    (await findStored(db, objects, run)) ??
    ({ state: "failed", response: backgroundResponse.writeFailed(run.response, lost()) } as const);
  const number = run.lastNumber + 1;
  const event = backgroundResponse.writeEndEvent(ended, number);
  // With the response, so that who finds it once more adds no second end.
  const { response } = ended;
  await appendEvents(db, sealer, run, { firstNumber: number, events: [event], response });
  await endRun(db, sealer, run, ended);
}

/** Of a response that was stored before the end of its run was. */
async function findStored(db: Services["jobsDatabase"]["db"], objects: Objects, run: LostRun) {
  const viewer = { accountId: run.accountId };
  const found = await readObject(db, objects, viewer, "response", storedResponseId(run.id));
  if (found === undefined) return undefined;
  const response = readStoredResponse(await textOf(found));
  const isWhole = parseAnswered(response)?.isIncomplete !== true;
  return { state: isWhole ? "completed" : "incomplete", response } as const;
}

function lost(): Fault {
  return new Fault(
    "internal_error",
    "The process that ran this response was lost before its end. GET /v1/generation shows whether it was charged; send the request again if it was not.",
  );
}
