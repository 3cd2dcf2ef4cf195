// The input of a chart and the series it draws: at most six and "Other", the largest first, each with a
// color that stays with its name. Sums are exact: values are decimal strings.
import { addDecimals, compareDecimals } from "@turnpike/terms";

export type ChartGroup = {
  /** Groups of one id are one series. */
  readonly id: string;
  readonly label: string;
  /** A decimal string: USD, a count or milliseconds. */
  readonly value: string;
};

export type ChartBucket = {
  /** Start, ISO 8601. */
  readonly at: string;
  readonly groups: readonly ChartGroup[];
};

export type SeriesColor = 1 | 2 | 3 | 4 | 5 | 6 | "other" | "success" | "danger";

export type Series = {
  readonly id: string;
  readonly label: string;
  readonly color: SeriesColor;
  /** One per bucket; null if there is no value, which bars draw as nothing. */
  readonly values: readonly (string | null)[];
  readonly total: string;
};

const seriesMax = 6;
/** Groups of this id are always part of "Other". */
export const otherId = "(other)";
/** The brand's color leads; the reds, which read as errors, come last. */
const palette = [1, 2, 3, 5, 4, 6] as const;

/**
 * `fixed` gives the colors of series whose meaning has one, such as failures; those keep the order
 * in which they are given.
 */
export function seriesOf(
  buckets: readonly ChartBucket[],
  fixed: Readonly<Record<string, SeriesColor>> = {},
): readonly Series[] {
  const all = collect(buckets);
  const ordered = all.some((series) => series.id in fixed);
  const largest = ordered ? all : all.toSorted((a, b) => compareDecimals(b.total, a.total));
  const own = largest.filter(({ id }) => id !== otherId);
  const shown = own.slice(0, seriesMax);
  const colors = colorsOf(shown.map((series) => series.id).filter((id) => !(id in fixed)));
  const series: Series[] = shown.map((one) => ({
    ...one,
    color: fixed[one.id] ?? colors.get(one.id) ?? "other",
  }));
  const rest = largest.filter((one) => !shown.includes(one));
  // A single one keeps its name.
  const [last] = rest;
  if (rest.length <= 1) return last ? [...series, { ...last, color: "other" }] : series;
  return [...series, { ...foldIntoOther(rest), color: "other" }];
}

type Uncolored = Omit<Series, "color">;

/** In the order in which they first appear. */
function collect(buckets: readonly ChartBucket[]): readonly Uncolored[] {
  const found = new Map<string, { label: string; values: (string | null)[] }>();
  buckets.forEach((bucket, index) => {
    for (const { id, label, value } of bucket.groups) {
      const known = found.get(id) ?? { label, values: buckets.map(() => null) };
      known.values[index] = addDecimals([known.values[index] ?? "0", value]);
      found.set(id, known);
    }
  });
  return [...found].map(([id, { label, values }]) => ({ id, label, values, total: sumOf(values) }));
}

function foldIntoOther(rest: readonly Uncolored[]): Uncolored {
  const count = rest[0]?.values.length ?? 0;
  const values = Array.from({ length: count }, (_, index) =>
    sumOf(rest.map((series) => series.values[index] ?? null)),
  );
  return { id: otherId, label: "Other", values, total: sumOf(values) };
}

export function sumOf(values: readonly (string | null)[]): string {
  return addDecimals(values.filter((value) => value !== null));
}

/** The sum of each bucket over the series. */
export function bucketTotals(series: readonly Series[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    sumOf(series.map(({ values }) => values[index] ?? null)),
  );
}

/** The color each name was drawn in before; kept until reload, so that filters do not recolor. */
const remembered = new Map<string, SeriesColor>();

/** `ids` from the largest: it leads with the first color, unless it was seen in another before. */
function colorsOf(ids: readonly string[]): ReadonlyMap<string, SeriesColor> {
  const chosen = new Map<string, SeriesColor>();
  const taken = new Set<SeriesColor>();
  const give = (id: string, color: SeriesColor) => {
    chosen.set(id, color);
    taken.add(color);
    remembered.set(id, color);
  };
  for (const id of ids) {
    const color = remembered.get(id);
    if (color !== undefined && !taken.has(color)) give(id, color);
  }
  for (const id of ids) {
    if (chosen.has(id)) continue;
    give(id, palette.find((color) => !taken.has(color)) ?? "other");
  }
  return chosen;
}
