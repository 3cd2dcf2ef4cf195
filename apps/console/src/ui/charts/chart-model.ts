// The state of one chart, derived from its props: its series, which are visible, the sum of each bucket,
// and the texts that name or announce a bucket.
import { compareDecimals } from "@turnpike/terms";
import { type Accessor, createMemo, createSignal } from "solid-js";
import {
  type AxisName,
  axisNames,
  type BucketSize,
  bucketEnd,
  fullBucket,
  isRunning,
} from "./bucket-time.ts";
import {
  bucketTotals,
  type ChartBucket,
  type Series,
  type SeriesColor,
  seriesOf,
} from "./chart-series.ts";
import { type ChartUnit, formatValue } from "./value-text.ts";

export type ChartProps = {
  /** With its unit: "Spend, USD per day". */
  title: string;
  /** Bars are stacked and sum to a total; lines are drawn independently. */
  kind: "bars" | "lines";
  unit: ChartUnit;
  size: BucketSize;
  timeZone: string;
  /** Every bucket of the range, including empty ones, in order. */
  buckets: readonly ChartBucket[];
  /** One sentence that says what the chart shows. */
  summary: string;
  /** Colors with a meaning, by series id. */
  colors?: Readonly<Record<string, SeriesColor>> | undefined;
  /** What the legend shows for a series instead of its sum, by series id; lines have no sums. */
  headlines?: Readonly<Record<string, string>> | undefined;
  /** Totals of the period before, bucket by bucket: a dashed line. */
  previous?: readonly string[] | undefined;
  /** Buckets that are unlike the others, by their starts: marked, and said to be unusual. */
  marked?: ReadonlySet<string> | undefined;
  /** Of the downloaded file, without `.csv`. */
  fileName: string;
  /** Narrows the page to a bucket (Enter, a click) or to several (a drag). */
  onNarrow?: ((range: ChartRange) => void) | undefined;
  /** Given while the page is narrowed: undoes it. */
  onReset?: (() => void) | undefined;
  /** A histogram above a list takes less room. */
  short?: boolean | undefined;
  /** Old values stay, dimmed, while new ones load. */
  busy?: boolean | undefined;
};

/** ISO; `to` is where the last bucket ends. */
export type ChartRange = { readonly from: string; readonly to: string };

export type ChartModel = {
  readonly props: ChartProps;
  readonly series: Accessor<readonly Series[]>;
  readonly visible: Accessor<readonly Series[]>;
  readonly isHidden: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** Of the visible series. */
  readonly totals: Accessor<readonly string[]>;
  readonly count: Accessor<number>;
  /** Which bucket is not over yet. */
  readonly running: Accessor<number | undefined>;
  /** All buckets are empty, regardless of hidden series. */
  readonly isEmpty: Accessor<boolean>;
  readonly axisNames: Accessor<readonly AxisName[]>;
  readonly fullName: (index: number) => string;
  readonly isMarked: (index: number) => boolean;
  readonly rangeOf: (first: number, last: number) => ChartRange | undefined;
  readonly readOut: (index: number) => string;
};

export function createChartModel(props: ChartProps): ChartModel {
  const [hidden, setHidden] = createSignal<ReadonlySet<string>>(new Set());
  const series = createMemo(() => seriesOf(props.buckets, props.colors));
  const visible = createMemo(() => series().filter(({ id }) => !hidden().has(id)));
  const totals = createMemo(() => bucketTotals(visible(), props.buckets.length));
  const at = (index: number) => props.buckets[index]?.at ?? new Date(0).toISOString();
  const running = createMemo(() => {
    const last = props.buckets.length - 1;
    const runs = last >= 0 && isRunning(at(last), props.size, props.timeZone, new Date());
    return runs ? last : undefined;
  });
  const isEmpty = createMemo(() =>
    series().every(({ values }) => values.every((value) => hasNothing(props.kind, value))),
  );
  const names = createMemo(() =>
    axisNames(
      props.buckets.map((bucket) => bucket.at),
      props.size,
      props.timeZone,
    ),
  );
  const isMarked = (index: number) => props.marked?.has(at(index)) === true;
  const fullName = (index: number) => {
    const bucket = fullBucket(at(index), props.size, props.timeZone);
    const shown = isMarked(index) ? `${bucket}, unusual` : bucket;
    return index === running() ? `${shown} (so far)` : shown;
  };
  const model: Omit<ChartModel, "readOut"> = {
    props,
    series,
    visible,
    totals,
    running,
    isEmpty,
    fullName,
    isMarked,
    count: () => props.buckets.length,
    isHidden: (id) => hidden().has(id),
    toggle: (id) =>
      setHidden((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
    axisNames: names,
    rangeOf: (first, last) => {
      const [from, end] = [props.buckets[first]?.at, props.buckets[last]?.at];
      if (from === undefined || end === undefined) return undefined;
      return { from, to: bucketEnd(end, props.size, props.timeZone).toISOString() };
    },
  };
  return { ...model, readOut: (index) => readOut(model, index) };
}

/** A bar of zero is not drawn; a line may run at zero. */
function hasNothing(kind: ChartProps["kind"], value: string | null): boolean {
  return value === null || (kind === "bars" && compareDecimals(value, "0") === 0);
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...set].filter((known) => known !== id));
}

export type BucketPart = { readonly series: Series; readonly value: string | null };

/** The parts of a bucket, largest first, without zeros. */
export function partsOf(model: Pick<ChartModel, "visible" | "props">, index: number) {
  const parts: readonly BucketPart[] = model
    .visible()
    .map((series) => ({ series, value: series.values[index] ?? null }));
  if (model.props.kind === "lines") return parts;
  return parts
    .filter(({ value }) => value !== null && compareDecimals(value, "0") !== 0)
    .toSorted((a, b) => compareDecimals(b.value ?? "0", a.value ?? "0"));
}

function readOut(model: Omit<ChartModel, "readOut">, index: number): string {
  const { unit, kind } = model.props;
  const parts = partsOf(model, index).map(
    ({ series, value }) =>
      `${series.label} ${value === null ? "no data" : formatValue(unit, value)}`,
  );
  const bucket = model.fullName(index);
  const list = parts.join(", ");
  if (kind === "lines") return `${bucket}: ${list}`;
  const total = formatValue(unit, model.totals()[index] ?? "0");
  return parts.length === 0 ? `${bucket}: ${total}` : `${bucket}: ${total}; ${list}`;
}
