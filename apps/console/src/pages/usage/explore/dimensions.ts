// The measures and dimensions of Explore: how they are called and how their values are shown.
import type { Inputs } from "../../../lib/api.ts";
import { namesOf } from "../../../lib/names-of.ts";
import { fullBucket } from "../../../ui/charts/bucket-time.ts";
import type { ChartUnit } from "../../../ui/charts/value-text.ts";
import { operationNames, usageStatusNames } from "../../shared/usage-names.ts";

type ExploreInput = Inputs["usage"]["explore"];
export type Measure = ExploreInput["measure"];
export type Dimension = ExploreInput["rows"];

type MeasureFacts = {
  readonly name: string;
  /** Of its chart, before "per day". */
  readonly title: string;
  readonly unit: ChartUnit;
  /** Whether the values of groups add up. */
  readonly isSum: boolean;
};

export const measures = {
  spend: { name: "Spend", title: "Spend, USD", unit: "usd", isSum: true },
  requests: { name: "Requests", title: "Requests", unit: "count", isSum: true },
  errors: { name: "Errors", title: "Refused and failed requests", unit: "count", isSum: true },
  inputTokens: { name: "Input tokens", title: "Input tokens", unit: "count", isSum: true },
  outputTokens: { name: "Output tokens", title: "Output tokens", unit: "count", isSum: true },
  cachedTokens: { name: "Cached tokens", title: "Cached tokens", unit: "count", isSum: true },
  errorRate: { name: "Error rate", title: "Error rate", unit: "share", isSum: false },
  p50: { name: "Duration, p50", title: "Duration, p50", unit: "ms", isSum: false },
  p95: { name: "Duration, p95", title: "Duration, p95", unit: "ms", isSum: false },
} as const satisfies Record<Measure, MeasureFacts>;

export const dimensionNames = {
  model: "Model",
  key: "Key",
  project: "Project",
  provider: "Provider",
  member: "Member",
  operation: "Operation",
  status: "Status",
  app: "App",
  user: "User",
  day: "Day",
  hour: "Hour",
} as const satisfies Record<Dimension, string>;

export const measureNames = namesOf(measures);
export const dimensions = namesOf(dimensionNames);

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
