// What the installation's own calls say about each model and each of its routes, from the rows of the public status. Where
// too few calls were made to say something, it is null; numbers of calls are not published.
import { firstTokenBoundsMs } from "@turnpike/db";

export type ModelFigures = {
  /** Shares of calls that were answered: of this hour and the 23 before it, and of the last thirty UTC days. */
  readonly recentAvailability: number | null;
  readonly monthAvailability: number | null;
  /** The median of the streams of the last thirty days. */
  readonly firstTokenMs: number | null;
  /** A moving average of the newest complete answers. */
  readonly tokensPerSecond: number | null;
};

export type RouteFigures = ModelFigures & { readonly works: boolean };

type RouteNames = {
  readonly provider: { readonly id: string };
  readonly upstreamModel: string;
};

/** In the order in which its routes are tried. */
type RoutedModel = { readonly id: string; readonly routes: readonly RouteNames[] };

export type FiguresBook = {
  readonly ofModel: (model: RoutedModel) => ModelFigures;
  /** Availability and first tokens are counted by provider, whichever of its routes were called. */
  readonly ofRoute: (model: RoutedModel, route: RouteNames) => RouteFigures;
};

export type FiguresInForce = { readonly current: FiguresBook };

export type CountedDay = {
  readonly model: string;
  /** Empty: calls of the model, whichever providers were tried. */
  readonly provider: string;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly answered: number;
  readonly failed: number;
  readonly firstTokens: readonly number[];
  /** By UTC hour, from midnight on. */
  readonly answeredByHour: readonly number[];
  readonly failedByHour: readonly number[];
};

export type RouteState = {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly isBroken: boolean;
  readonly tokensPerSecond: number | null;
  readonly updatedAt: Date;
};

/** A share or a median of fewer calls says little. */
const callsMin = 5;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const recentHours = 24;
const monthDays = 30;
const anyProvider = "";

type Sums = {
  readonly recent: { answered: number; failed: number };
  readonly month: { answered: number; failed: number };
  readonly firstTokens: number[];
};

export function sumFigures(
  days: readonly CountedDay[],
  routes: readonly RouteState[],
  now: Date,
): FiguresBook {
  const sums = sumDays(days, now);
  const states = new Map(
    routes.map((route) => [keyOf(route.provider, route.upstreamModel), route]),
  );
  const speedOf = ({ provider, upstreamModel }: RouteNames) => {
    const state = states.get(keyOf(provider.id, upstreamModel));
    if (state === undefined || state.tokensPerSecond === null) return null;
    const ageMs = now.getTime() - state.updatedAt.getTime();
    return ageMs > monthDays * dayMs ? null : state.tokensPerSecond;
  };
  return {
    ofModel: ({ id, routes: ofModel }) => ({
      ...presentSums(sums.get(keyOf(id, anyProvider))),
      // That of the route a call is sent to first, as far as it is known.
      tokensPerSecond: ofModel.map(speedOf).find((speed) => speed !== null) ?? null,
    }),
    ofRoute: ({ id }, route) => ({
      ...presentSums(sums.get(keyOf(id, route.provider.id))),
      tokensPerSecond: speedOf(route),
      works: states.get(keyOf(route.provider.id, route.upstreamModel))?.isBroken !== true,
    }),
  };
}

/** Of a new installation, or while nothing could be read. */
export const noFigures: FiguresBook = sumFigures([], [], new Date(0));

function sumDays(days: readonly CountedDay[], now: Date): ReadonlyMap<string, Sums> {
  const firstOfMonth = dayOf(now.getTime() - (monthDays - 1) * dayMs);
  const hourNow = Math.floor(now.getTime() / hourMs);
  const sums = new Map<string, Sums>();
  for (const row of days) {
    if (row.day < firstOfMonth) continue;
    const key = keyOf(row.model, row.provider);
    const sum = sums.get(key) ?? noSums();
    sums.set(key, sum);
    sum.month.answered += row.answered;
    sum.month.failed += row.failed;
    const firstHour = Date.parse(row.day) / hourMs;
    for (const [hour, answered] of row.answeredByHour.entries()) {
      if (firstHour + hour <= hourNow - recentHours) continue;
      sum.recent.answered += answered;
      sum.recent.failed += row.failedByHour[hour] ?? 0;
    }
    for (const [index, count] of row.firstTokens.entries()) {
      sum.firstTokens[index] = (sum.firstTokens[index] ?? 0) + count;
    }
  }
  return sums;
}

function noSums(): Sums {
  const none = { answered: 0, failed: 0 };
  return { recent: { ...none }, month: { ...none }, firstTokens: [] };
}

function presentSums(sums: Sums = noSums()): Omit<ModelFigures, "tokensPerSecond"> {
  const streams = sums.firstTokens.reduce((all, count) => all + count, 0);
  return {
    recentAvailability: shareOf(sums.recent),
    monthAvailability: shareOf(sums.month),
    firstTokenMs: streams < callsMin ? null : (medianOf(sums.firstTokens) ?? null),
  };
}

/** Rounded down, so that only a share without failures is 1. */
export function shareOf(row: Pick<CountedDay, "answered" | "failed"> | undefined): number | null {
  if (row === undefined || row.answered + row.failed < callsMin) return null;
  return Math.floor((row.answered / (row.answered + row.failed)) * 100_000) / 100_000;
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

function keyOf(one: string, other: string): string {
  return `${one}\n${other}`;
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
