// What the public status is made from: the last ninety days of each model and provider, the incidents of that time, and
// how the routes are doing now, with the figures of models that follow from both. Nothing in it is about an account.
import {
  type Db,
  incidents,
  incidentUpdates,
  routeHealth,
  statusDays,
  statusHistoryDays,
} from "@turnpike/db";
import type { IncidentImpact, IncidentState } from "@turnpike/terms";
import { asc, desc, gt, gte, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import {
  type CountedDay,
  type FiguresBook,
  medianOf,
  type RouteState,
  sumFigures,
} from "./model-figures.ts";

/** Is notified when an incident was published. */
export const statusChannel = "status";

export type StatusDay = Omit<CountedDay, "firstTokens" | "answeredByHour" | "failedByHour"> & {
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

export type ReadStatus = {
  readonly days: readonly StatusDay[];
  readonly incidents: readonly Incident[];
  readonly routes: readonly RouteState[];
  readonly figures: FiguresBook;
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

export async function queryStatus(db: Db): Promise<ReadStatus> {
  const [counted, shown, routes] = await Promise.all([
    queryDays(db),
    queryIncidents(db),
    queryRoutes(db),
  ]);
  const days = counted.map(({ firstTokens, answeredByHour, failedByHour, ...row }) => ({
    ...row,
    firstTokenMs: medianOf(firstTokens),
  }));
  return { days, incidents: shown, routes, figures: sumFigures(counted, routes, new Date()) };
}

async function queryDays(db: Db): Promise<CountedDay[]> {
  const rows = await db
    .select({
      model: statusDays.model,
      provider: statusDays.provider,
      day: statusDays.day,
      answered: statusDays.answered,
      failed: statusDays.failed,
      firstTokens: statusDays.firstTokens,
      answeredByHour: ofLastDays("answeredByHour"),
      failedByHour: ofLastDays("failedByHour"),
    })
    .from(statusDays)
    .where(gt(statusDays.day, sql`(now() at time zone 'UTC')::date - ${statusHistoryDays}::int`));
  return rows.map((row) => ({
    ...row,
    firstTokens: row.firstTokens.map(Number),
    answeredByHour: row.answeredByHour.map(Number),
    failedByHour: row.failedByHour.map(Number),
  }));
}

/** The hours of days that can have some of the last 24: of a long history all others would be read for nothing. */
function ofLastDays(column: "answeredByHour" | "failedByHour"): SQL<number[]> {
  const yesterday = sql`(now() at time zone 'UTC')::date - 1`;
  const counts = statusDays[column];
  return sql`case when ${statusDays.day} >= ${yesterday} then ${counts} else '{}' end`.mapWith(
    counts,
  );
}

/** Unresolved ones, and those of the time that is shown. */
async function queryIncidents(db: Db): Promise<Incident[]> {
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

function queryRoutes(db: Db): Promise<RouteState[]> {
  const isOpen = sql`coalesce(${routeHealth.openUntil} > now(), false)`;
  return db
    .select({
      provider: routeHealth.provider,
      upstreamModel: routeHealth.upstreamModel,
      isBroken: sql<boolean>`${isOpen} or ${routeHealth.credentialsRefused} or ${routeHealth.modelRefused}`,
      tokensPerSecond: routeHealth.tokensPerSecond,
      updatedAt: routeHealth.updatedAt,
    })
    .from(routeHealth);
}
