// The measures and dimensions of Usage: how they are called, how their values are shown, and which tab has them.
import type { Inputs } from "../../lib/api.ts";
import { namesOf } from "../../lib/names-of.ts";
import { fullBucket } from "../../ui/charts/bucket-time.ts";
import type { ChartUnit } from "../../ui/charts/value-text.ts";
import { operationNames, usageStatusNames } from "../shared/usage-names.ts";

type ExploreInput = Inputs["usage"]["explore"];
/** One that can be split by a second dimension. */
export type Measure = ExploreInput["measure"];
/** Several measures in one chart. */
type Overview = "tokens" | "latency";
export type ShownMeasure = Measure | Overview;
export type Dimension = ExploreInput["rows"];
export type UsageGroup = Inputs["usage"]["read"]["groupBy"];

export const tabNames = {
  spend: "Spend",
  tokens: "Tokens",
  performance: "Performance",
  errors: "Errors",
} as const;
export type UsageTab = keyof typeof tabNames;

type MeasureFacts = {
  readonly name: string;
  readonly tab: UsageTab;
  /** Of its chart, before "per day". */
  readonly title: string;
  readonly unit: ChartUnit;
  /** Whether the values of groups add up. */
  readonly isSum: boolean;
  /** The column of the breakdown that is sorted by at first. */
  readonly column: string;
};

const sum = { isSum: true, unit: "count" } as const;
const duration = { isSum: false, unit: "ms", tab: "performance" } as const;

/** The first of a tab is what the tab shows at first. */
export const measures: Readonly<Record<ShownMeasure, MeasureFacts>> = {
  spend: {
    ...sum,
    name: "Spend",
    tab: "spend",
    title: "Spend, USD",
    unit: "usd",
    column: "costUsd",
  },
  requests: { ...sum, name: "Requests", tab: "spend", title: "Requests", column: "requests" },
  tokens: { ...sum, name: "Input and output", tab: "tokens", title: "Tokens", column: "costUsd" },
  inputTokens: {
    ...sum,
    name: "Input tokens",
    tab: "tokens",
    title: "Input tokens",
    column: "promptTokens",
  },
  outputTokens: {
    ...sum,
    name: "Output tokens",
    tab: "tokens",
    title: "Output tokens",
    column: "completionTokens",
  },
  cachedTokens: {
    ...sum,
    name: "Cached tokens",
    tab: "tokens",
    title: "Cached tokens",
    column: "cachedTokens",
  },
  latency: {
    ...duration,
    name: "All latencies",
    title: "Latency of completed requests,",
    column: "costUsd",
  },
  p50: { ...duration, name: "Duration, p50", title: "Duration, p50", column: "requests" },
  p95: { ...duration, name: "Duration, p95", title: "Duration, p95", column: "requests" },
  errors: {
    ...sum,
    name: "Errors",
    tab: "errors",
    title: "Refused and failed requests",
    column: "errors",
  },
  errorRate: {
    name: "Error rate",
    tab: "errors",
    title: "Error rate",
    unit: "share",
    isSum: false,
    column: "requests",
  },
};

export const measureNames = namesOf(measures);

export function measuresOf(tab: UsageTab): readonly ShownMeasure[] {
  return measureNames.filter((name) => measures[name].tab === tab);
}

/** The measure that stands for several where only one can be shown. */
const mainOf = { tokens: "inputTokens", latency: "p95" } as const satisfies Record<
  Overview,
  Measure
>;

export function isOverview(measure: ShownMeasure): measure is Overview {
  return measure in mainOf;
}

export function singleOf(measure: ShownMeasure): Measure {
  return isOverview(measure) ? mainOf[measure] : measure;
}

/** Where the groups of the answer with all sums have a measure. */
export const summed = {
  spend: "costUsd",
  requests: "requests",
  inputTokens: "promptTokens",
  outputTokens: "completionTokens",
  cachedTokens: "cachedTokens",
} as const satisfies Partial<Record<Measure, string>>;
export type Summed = keyof typeof summed;

export function isSummed(measure: ShownMeasure): measure is Summed {
  return measure in summed;
}

const groupNames = {
  model: "Model",
  key: "Key",
  project: "Project",
  provider: "Provider",
  member: "Member",
  operation: "Operation",
  status: "Status",
} as const satisfies Record<UsageGroup, string>;

export const dimensionNames = {
  ...groupNames,
  app: "App",
  user: "User",
  day: "Day",
  hour: "Hour",
} as const satisfies Record<Dimension, string>;

export const dimensions = namesOf(dimensionNames);

/** One whose values have all figures; the others have one measure. */
export function isGroup(dimension: Dimension): dimension is UsageGroup {
  return dimension in groupNames;
}

/** A value of a dimension as people read it; null is everything without a row or column of its own. */
export type Value = { readonly id: string | null; readonly label: string };

export function labelOf(dimension: Dimension, { id, label }: Value, timeZone: string): string {
  if (id === null || id === "") return label;
  switch (dimension) {
    case "day":
    case "hour":
      return fullBucket(id, dimension, timeZone);
    case "status":
      return nameIn(usageStatusNames, id);
    case "operation":
      return nameIn(operationNames, id);
    default:
      return label;
  }
}

function nameIn(names: Readonly<Record<string, string>>, id: string): string {
  return names[id] ?? id;
}
