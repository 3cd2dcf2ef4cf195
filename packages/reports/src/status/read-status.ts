// What the public status is made from: the last ninety days of each model and provider, the incidents of that time, and
// which routes are broken now. Nothing in it is about an account.
import {
  type Db,
  firstTokenBoundsMs,
  type IncidentImpact,
  type IncidentState,
  incidents,
  incidentUpdates,
  routeHealth,
  statusDays,
  statusHistoryDays,
} from "@turnpike/db";
import { asc, desc, gt, gte, inArray, isNull, or, sql } from "drizzle-orm";

export type StatusDay = {
  readonly model: string;
  /** Empty: calls of the model, whichever providers were tried. */
  readonly provider: string;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly answered: number;
  readonly failed: number;
  /** The median of its streams; undefined without one. */
  readonly firstTokenMs: number | undefined;
};

export type Incident = {
  readonly id: number;
  readonly title: string;
  readonly impact: IncidentImpact;
  /** Empty: all of them. */
  readonly model: string;
  readonly provider: string;
  readonly state: IncidentState;
  readonly startedAt: Date;
  readonly updatedAt: Date;
  readonly resolvedAt: Date | null;
  /** Newest first. */
  readonly updates: readonly {
    readonly at: Date;
    readonly state: IncidentState;
    readonly text: string;
  }[];
};

export type BrokenRoute = { readonly provider: string; readonly upstreamModel: string };

export type ReadStatus = {
  readonly days: readonly StatusDay[];
  readonly incidents: readonly Incident[];
  readonly brokenRoutes: readonly BrokenRoute[];
};

/** What readers of `/status` and operators see of an incident. */
export const incidentColumns = {
  id: incidents.id,
  title: incidents.title,
  impact: incidents.impact,
  model: incidents.model,
  provider: incidents.provider,
  state: incidents.state,
  startedAt: incidents.startedAt,
  resolvedAt: incidents.resolvedAt,
};

const incidentsMax = 100;

export async function readStatus(db: Db): Promise<ReadStatus> {
  const [days, shown, brokenRoutes] = await Promise.all([
    readDays(db),
    readIncidents(db),
    readBroken(db),
  ]);
  return { days, incidents: shown, brokenRoutes };
}

async function readDays(db: Db): Promise<StatusDay[]> {
  const rows = await db
    .select({
      model: statusDays.model,
      provider: statusDays.provider,
      day: statusDays.day,
      answered: statusDays.answered,
      failed: statusDays.failed,
      firstTokens: statusDays.firstTokens,
    })
    .from(statusDays)
    .where(gt(statusDays.day, sql`(now() at time zone 'UTC')::date - ${statusHistoryDays}::int`));
  return rows.map(({ firstTokens, ...row }) => ({
    ...row,
    firstTokenMs: medianOf(firstTokens.map(Number)),
  }));
}

/** Within the bucket of the median, linearly; what is later than the last bound counts as the last bound. */
export function medianOf(counts: readonly number[]): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (below + count < total / 2) {
      below += count;
      continue;
    }
    const from = firstTokenBoundsMs[index - 1] ?? 0;
    const to = firstTokenBoundsMs[index] ?? from;
    return Math.round(from + ((total / 2 - below) / count) * (to - from));
  }
  return undefined;
}

/** Unresolved ones, and those of the time that is shown. */
async function readIncidents(db: Db): Promise<Incident[]> {
  const since = sql`now() - ${statusHistoryDays}::int * interval '1 day'`;
  const rows = await db
    .select({ ...incidentColumns, updatedAt: incidents.updatedAt })
    .from(incidents)
    .where(or(isNull(incidents.resolvedAt), gte(incidents.startedAt, since)))
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(incidentsMax);
  const ids = rows.map(({ id }) => id);
  const updates =
    ids.length === 0
      ? []
      : await db
          .select({
            incidentId: incidentUpdates.incidentId,
            at: incidentUpdates.at,
            state: incidentUpdates.state,
            text: incidentUpdates.text,
          })
          .from(incidentUpdates)
          .where(inArray(incidentUpdates.incidentId, ids))
          .orderBy(asc(incidentUpdates.incidentId), desc(incidentUpdates.number));
  const byIncident = Map.groupBy(updates, ({ incidentId }) => incidentId);
  return rows.map((row) => ({
    ...row,
    updates: (byIncident.get(row.id) ?? []).map(({ at, state, text }) => ({ at, state, text })),
  }));
}

function readBroken(db: Db): Promise<BrokenRoute[]> {
  return db
    .select({ provider: routeHealth.provider, upstreamModel: routeHealth.upstreamModel })
    .from(routeHealth)
    .where(or(gt(routeHealth.openUntil, sql`now()`), routeHealth.credentialsRefused));
}
