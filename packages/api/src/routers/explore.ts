// Explore: a measure by two dimensions and over time, from one plan, so that table and chart add up to the same total;
// and the days that are unlike the others, with the key and the model that made them so.
import {
  addAmounts,
  bucketSizeOf,
  findUnusual,
  forecastMonth,
  isSum,
  isTimeDimension,
  type Measure,
  measureOf,
  measures,
  noAmounts,
  type Planned,
  planUsageGroups,
  queryBucketStarts,
  queryUsageTable,
  type UsageDimension,
  type UsageTable,
  usageDimensions,
  usualOf,
  type ZonedUsageQuery,
} from "@turnpike/reports";
import { formatUsd, toNanos } from "@turnpike/terms";
import { z } from "zod";
import { orNull, toIso } from "../present.ts";
import {
  callRangeMessage,
  isReadable,
  labelOf,
  queryLabels,
  type ReadScoped,
} from "./usage-groups.ts";
import { filterUsage, requireUsageRange, usageFilterFields } from "./usage-input.ts";

export const exploreInput = requireUsageRange(
  usageFilterFields.extend({
    measure: z.enum(measures),
    rows: z.enum(usageDimensions),
    columns: z.enum(usageDimensions).optional(),
  }),
)
  .refine(({ rows, columns }) => rows !== columns, {
    path: ["columns"],
    message: "Choose another dimension than that of the rows.",
  })
  .refine(
    ({ rows, columns, from, to }) => isReadable([rows, ...(columns ? [columns] : [])], from, to),
    {
      path: ["from"],
      message: callRangeMessage,
    },
  );

export const forecastInput = usageFilterFields.omit({ from: true, to: true });

const rowsMax = 100;
const columnsMax = 12;
const seriesMax = 6;
/** More rows than that are rarely the reason, and each is compared with its usual. */
const reasonsMax = 200;
const unusualMax = 5;
const remainder = { id: null, label: "Other" } as const;

export async function exploreUsage(ask: ReadScoped, input: z.output<typeof exploreInput>) {
  const { measure, rows, columns } = input;
  const wanted = { ...filterUsage(input), ...ask.scope };
  const dimensions = columns === undefined ? [rows] : [rows, columns];
  const query = await ask.report((db) => planUsageGroups(db, wanted, dimensions));
  const shape = { ...query, measure, rows, columns, rowsMax, columnsMax };
  const table = await ask.report((db) => queryUsageTable(db, shape));
  const series = await querySeries(ask, query, input);
  const rowLabels = await queryLabels(ask, [rows], valuesOf(table.rows));
  const columnLabels = await queryLabels(ask, columns ? [columns] : [], valuesOf(table.columns));
  const show = presentMeasure(measure);
  return {
    /** Null where the whole range is added up. */
    coveredFrom: orNull(query.plan.coveredFrom, toIso),
    total: show(table.cells),
    columns: columns === undefined ? [] : table.columns.map(named(columnLabels, columns)),
    rows: table.rows.map((row) => {
      const cells = table.cells.filter((cell) => cell.row === row);
      return {
        ...named(rowLabels, rows)(row),
        total: show(cells),
        requests: addAmounts(cells).requests,
        /** Beside `columns`. */
        cells: columns
          ? table.columns.map((column) => show(cells.filter((cell) => cell.column === column)))
          : [],
      };
    }),
    ...series,
  };
}

export async function forecastUsage(ask: ReadScoped, input: z.output<typeof forecastInput>) {
  const { keyIds, projectIds: inProjects, models, statuses: classes, timeZone } = input;
  const query = { keyIds, inProjects, models, classes, timeZone, ...ask.scope };
  const forecast = await ask.report((db) => forecastMonth(db, query, new Date()));
  return {
    from: toIso(forecast.from),
    to: toIso(forecast.to),
    spentUsd: formatUsd(forecast.spentNanos),
    expectedUsd: orNull(forecast.expectedNanos, formatUsd),
    basedOnDays: forecast.basedOnDays,
  };
}

/** Over time by the first dimension that is no time. */
async function querySeries(
  ask: ReadScoped,
  query: Planned<ZonedUsageQuery>,
  { measure, rows, columns }: z.output<typeof exploreInput>,
) {
  const bucket = bucketSizeOf(query.from, query.to);
  const starts = await ask.report((db) => queryBucketStarts(db, query));
  const by = [rows, columns].find((each) => each && !isTimeDimension(each));
  const shape = { rows: bucket, columns: by, rowsMax: starts.length, columnsMax: seriesMax };
  const table = await ask.report((db) => queryUsageTable(db, { ...query, measure, ...shape }));
  const labels = await queryLabels(ask, by ? [by] : [], valuesOf(table.columns));
  const show = presentMeasure(measure);
  const byTime = cellsByTime(table.cells);
  const isExplained = bucket === "day" && isSum(measure);
  return {
    bucket,
    by: by ?? null,
    series: starts.map((at) => ({
      at: new Date(at).toISOString(),
      groups: byTime(at).flatMap((cell) => {
        const value = show([cell]);
        return value === null ? [] : [{ ...named(labels, by ?? bucket)(cell.column), value }];
      }),
    })),
    unusual: isExplained ? await explainDays(ask, query, measure, { starts, byTime }) : [],
  };
}

type Days = {
  readonly starts: readonly number[];
  readonly byTime: (at: number) => UsageTable["cells"];
};

/** The days that are unlike the others, with what differs most from its own usual among keys and among models. */
async function explainDays(
  ask: ReadScoped,
  query: Planned<ZonedUsageQuery>,
  measure: Measure,
  { starts, byTime }: Days,
) {
  const totals = starts.map((at) => sumOf(byTime(at), measure));
  const [last] = await ask.report((db) =>
    queryBucketStarts(db, { ...query, from: new Date(), to: new Date(Date.now() + 1) }, "day"),
  );
  const found = findUnusual(totals, last === starts.at(-1)).slice(0, unusualMax);
  if (found.length === 0) return [];
  const keys = await queryReasons(ask, query, measure, "key", starts);
  const models = await queryReasons(ask, query, measure, "model", starts);
  return found
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, usual }) => ({
      at: new Date(starts[index] ?? 0).toISOString(),
      value: presentSum(totals[index] ?? 0n, measure),
      usual: presentSum(usual, measure),
      key: keys(index),
      model: models(index),
    }));
}

async function queryReasons(
  ask: ReadScoped,
  query: Planned<ZonedUsageQuery>,
  measure: Measure,
  by: "key" | "model",
  starts: readonly number[],
) {
  const shape = {
    rows: "day",
    columns: by,
    rowsMax: starts.length,
    columnsMax: reasonsMax,
  } as const;
  const table = await ask.report((db) => queryUsageTable(db, { ...query, measure, ...shape }));
  const labels = await queryLabels(ask, [by], valuesOf(table.columns));
  const groups = [...Map.groupBy(table.cells, ({ column }) => column)].flatMap(([id, cells]) => {
    if (id === null) return [];
    const byTime = cellsByTime(cells);
    const values = starts.map((at) => sumOf(byTime(at), measure));
    return [{ id, values, usualAt: usualOf(values) }];
  });
  return (index: number) => {
    const away = ({ values, usualAt }: (typeof groups)[number]) => {
      const difference = (values[index] ?? 0n) - usualAt(index);
      return difference < 0n ? -difference : difference;
    };
    const [first, ...others] = groups;
    if (first === undefined) return null;
    const most = others.reduce((best, group) => (away(group) > away(best) ? group : best), first);
    return {
      id: most.id,
      label: labels.get(most.id) ?? labelOf(most.id, by),
      value: presentSum(most.values[index] ?? 0n, measure),
      usual: presentSum(most.usualAt(index), measure),
    };
  };
}

/** Of a table whose rows are hours or days. */
function cellsByTime(cells: UsageTable["cells"]): Days["byTime"] {
  const byRow = Map.groupBy(cells, ({ row }) => row);
  return (at) => byRow.get(`${new Date(at).toISOString().slice(0, 19)}Z`) ?? [];
}

function sumOf(cells: UsageTable["cells"], measure: Measure): bigint {
  return BigInt(measureOf(addAmounts(cells), measure) ?? 0);
}

function valuesOf(ids: readonly (string | null)[]) {
  return ids.flatMap((id) => (id === null ? [] : [{ values: [id] }]));
}

function named(labels: ReadonlyMap<string, string>, dimension: UsageDimension) {
  return (id: string | null) =>
    id === null ? remainder : { id, label: labels.get(id) ?? labelOf(id, dimension) };
}

/** A decimal string in USD, a count, a share or milliseconds; null where there is nothing to measure. */
function presentMeasure(measure: Measure) {
  return (cells: UsageTable["cells"]): string | null => {
    if (cells.length === 0) return isSum(measure) ? "0" : null;
    const value = measureOf(
      cells.length === 1 ? (cells[0] ?? noAmounts) : addAmounts(cells),
      measure,
    );
    if (value === null) return null;
    if (typeof value === "bigint") return formatUsd(toNanos(value));
    return Number.isInteger(value) ? `${value}` : value.toFixed(6);
  };
}

function presentSum(value: bigint, measure: Measure): string {
  return measure === "spend" ? formatUsd(toNanos(value)) : `${value}`;
}
