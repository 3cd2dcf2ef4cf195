// Reads a run and its events. A run of another project or account is answered as one that never existed.
import type { GenerationId, Sealer } from "@turnpike/base";
import { type Db, runEvents, runs } from "@turnpike/db";
import { belongsTo, type ObjectViewer } from "@turnpike/objects";
import { and, asc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import {
  placeOfEvents,
  type RunPlace,
  runColumns,
  type StoredRun,
  toStoredRun,
} from "./stored-run.ts";

export function isVisibleRun(viewer: ObjectViewer, id: GenerationId): SQL | undefined {
  const isKept = or(isNull(runs.expiresAt), gt(runs.expiresAt, sql`now()`));
  return and(belongsTo(runs, viewer), eq(runs.id, id), isKept);
}

/** Undefined if the viewer sees no such run, or no longer. Throws SealBroken. */
export async function queryRun(
  db: Db,
  sealer: Sealer,
  viewer: ObjectViewer,
  id: GenerationId,
): Promise<StoredRun | undefined> {
  const [row] = await db.select(runColumns).from(runs).where(isVisibleRun(viewer, id));
  return row && toStoredRun(sealer, viewer.accountId, row);
}

/** As `queryRun`, without the response, which may be large. */
export async function queryRunState(
  db: Db,
  viewer: ObjectViewer,
  id: GenerationId,
): Promise<Pick<StoredRun, "state" | "isCut"> | undefined> {
  const { state, isCut } = runColumns;
  const [row] = await db.select({ state, isCut }).from(runs).where(isVisibleRun(viewer, id));
  return row;
}

export type RunEvents = {
  /** In order, behind the number that was asked for. */
  readonly events: readonly string[];
  /** Of the last one of them; what was asked for if there are none. */
  readonly lastNumber: number;
};

/** A row has 64 KiB, or one event. */
const rowsAtOnce = 16;

/** Those behind `after`, or the first of them. Throws SealBroken. */
export async function readEvents(
  db: Db,
  sealer: Sealer,
  place: RunPlace,
  after: number,
): Promise<RunEvents> {
  const rows = await db
    .select({
      firstNumber: runEvents.firstNumber,
      lastNumber: runEvents.lastNumber,
      sealed: runEvents.sealed,
    })
    .from(runEvents)
    .where(
      and(
        eq(runEvents.accountId, place.accountId),
        eq(runEvents.runId, place.id),
        gt(runEvents.lastNumber, after),
      ),
    )
    .orderBy(asc(runEvents.firstNumber))
    .limit(rowsAtOnce);
  const events = rows.flatMap(({ firstNumber, sealed }) => {
    const stored: readonly string[] = JSON.parse(
      sealer.open(placeOfEvents(place, firstNumber), sealed),
    );
    return stored.slice(Math.max(0, after + 1 - firstNumber));
  });
  return { events, lastNumber: rows.at(-1)?.lastNumber ?? after };
}
