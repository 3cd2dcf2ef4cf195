// The measures and dimensions of Usage: how they are called, how their values are shown, and which tab has them.
import { type Unit, unitNames, units } from "@turnpike/terms";
import type { Inputs } from "../../lib/api.ts";
import { namesOf } from "../../lib/names-of.ts";
import { operationNames, usageStatusNames } from "../../product/usage/usage-names.ts";
import { fullBucket } from "../../ui/charts/bucket-time.ts";
import type { ChartUnit } from "../../ui/charts/value-text.ts";

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
  units: "Other units",
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

const adding =
  (tab: UsageTab) =>
  (name: string, column: string, title = name, unit: ChartUnit = "count"): MeasureFacts => ({
    name,
    tab,
    title,
    unit,
    isSum: true,
    column,
  });
const [ofSpend, ofTokens, ofErrors] = [adding("spend"), adding("tokens"), adding("errors")];

/** Each is shown as a count; audio as time. */
const unitMeasures = Object.fromEntries(
  unitNames.map((unit) => {
    const chartUnit = unit === "audioMilliseconds" ? "ms" : "count";
    return [unit, adding("units")(units[unit].name, unit, units[unit].name, chartUnit)];
  }),
) as Record<Unit, MeasureFacts>;

const duration = { isSum: false, unit: "ms", tab: "performance", column: "requests" } as const;

/** The first of a tab is what the tab shows at first. */
export const measures: Readonly<Record<ShownMeasure, MeasureFacts>> = {
  spend: ofSpend("Spend", "costUsd", "Spend, USD", "usd"),
  requests: ofSpend("Requests", "requests"),
  tokens: ofTokens("Input and output", "costUsd", "Tokens"),
  inputTokens: ofTokens("Input tokens", "promptTokens"),
  outputTokens: ofTokens("Output tokens", "completionTokens"),
  cachedTokens: ofTokens("Cached tokens", "cachedTokens"),
  ...unitMeasures,
  latency: {
    ...duration,
    name: "All latencies",
    title: "Latency of completed requests,",
    column: "costUsd",
  },
  p50: { ...duration, name: "Duration, p50", title: "Duration, p50" },
  p95: { ...duration, name: "Duration, p95", title: "Duration, p95" },
  errors: ofErrors("Errors", "errors", "Refused and failed requests"),
  errorRate: {
    ...ofErrors("Error rate", "requests", "Error rate", "share"),
    isSum: false,
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
