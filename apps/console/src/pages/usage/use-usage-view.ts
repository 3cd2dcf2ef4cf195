// What Usage shows, all of it in the address: the range and filters, a measure and two dimensions. So every view can be
// shared and saved as a link, also one with the parameters of earlier versions, `tab` and `group`.
import { writeQuery } from "../../lib/address-query.ts";
import type { Inputs } from "../../lib/api.ts";
import { namesOf } from "../../lib/names-of.ts";
import { omitEmpty } from "../../lib/omit-empty.ts";
import { useMay, useTimeZone } from "../../lib/session.ts";
import { rangeField, resolveRange } from "../../lib/time-range.ts";
import {
  type Field,
  flag,
  list,
  oneOf,
  someOf,
  sortBy,
  useAddress,
} from "../../lib/use-address.ts";
import { usageStatusNames } from "../../product/usage/usage-names.ts";
import {
  type Dimension,
  dimensions,
  isGroup,
  isOverview,
  measureNames,
  measures,
  measuresOf,
  type ShownMeasure,
  singleOf,
  tabNames,
  type UsageTab,
} from "./measures.ts";

const oneMeasure = oneOf("spend", measureNames);
const oneTab = oneOf("spend", namesOf(tabNames));
const oneDimension = oneOf("model", dimensions);

/** `?measure=errors`, or `?tab=errors` for the first of a tab. */
const measureField: Field<ShownMeasure> = {
  read: (param, name) =>
    param(name) === "" ? firstOf(oneTab.read(param, "tab")) : oneMeasure.read(param, name),
  write: (measure, name) => ({ ...oneMeasure.write(measure, name), tab: undefined }),
};

/** `?rows=key`, or `?group=key`. */
const rowsField: Field<Dimension> = {
  read: (param, name) => oneDimension.read(param, param(name) === "" ? "group" : name),
  write: (rows, name) => ({ ...oneDimension.write(rows, name), group: undefined }),
};

const fields = {
  range: rangeField,
  keys: list,
  projects: list,
  models: list,
  status: someOf(namesOf(usageStatusNames)),
  compare: flag(true),
  measure: measureField,
  rows: rowsField,
  columns: oneOf("", dimensions),
  // Without one, rows are in the order of the measure.
  sort: sortBy(/^\w+$/, undefined),
};

const filterNames = ["keys", "projects", "models", "status"] as const;

export type UsageView = ReturnType<typeof useUsageView>;

export function useUsageView() {
  const { get, set, narrowedBy, written } = useAddress(fields);
  const timeZone = useTimeZone();
  const mayReadLogs = useMay("logs.read");
  const rows = () => get("rows");
  const columns = () => {
    const chosen = get("columns");
    return chosen === "" || chosen === rows() ? undefined : chosen;
  };
  /** What has all its figures in one row is no pivot. */
  const isPivot = () => columns() !== undefined || !isGroup(rows());
  const measure = () => (isPivot() ? singleOf(get("measure")) : get("measure"));
  /** Everything an answer depends on, except the current time. */
  const narrowKey = () => [get("range"), timeZone(), ...filterNames.map((name) => get(name))];
  const narrowInput = (now: Date) => {
    const { from, to } = resolveRange(get("range"), timeZone(), now);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      timeZone: timeZone(),
      ...omitEmpty({
        keyIds: get("keys"),
        projectIds: get("projects"),
        models: get("models"),
        statuses: get("status"),
      }),
    };
  };
  /** The others are drawn from the answer with all sums. */
  const chartsExplored = () =>
    !isOverview(measure()) && !(measure() === "spend" && isGroup(rows()));
  const groupBy = () => {
    const by = rows();
    return isGroup(by) ? by : "model";
  };
  return {
    get,
    set,
    timeZone,
    mayReadLogs,
    rows,
    columns,
    isPivot,
    chartsExplored,
    /** Whether the page has nothing to show in its place. */
    needsExplored: () => isPivot() || chartsExplored(),
    measure,
    groupBy,
    tab: () => measures[measure()].tab,
    setTab: (tab: UsageTab) => set({ measure: firstOf(tab) }),
    setRows: (chosen: Dimension) =>
      set({
        rows: chosen,
        // The two change places where one is chosen for both.
        ...(chosen === columns() && { columns: rows() }),
        sort: undefined,
      }),
    ...narrowedBy(filterNames),
    /** The grouping first. */
    key: () => [groupBy(), get("compare"), ...narrowKey()],
    input: (now: Date): Inputs["usage"]["read"] => ({
      ...narrowInput(now),
      groupBy: groupBy(),
      compare: get("compare"),
    }),
    /** What is shown first. */
    exploredKey: () => [measure(), rows(), columns() ?? "", ...narrowKey()],
    exploredInput: (now: Date): Inputs["usage"]["explore"] => {
      const across = columns();
      return {
        ...narrowInput(now),
        measure: singleOf(measure()),
        rows: rows(),
        ...(across && { columns: across }),
      };
    },
    forecastKey: narrowKey,
    forecastInput: (now: Date): Inputs["usage"]["forecast"] => {
      const { from: _, to: __, ...rest } = narrowInput(now);
      return rest;
    },
    /** The address of Logs with the same range and filters, and more; undefined for roles that may not read them. */
    logsHref: (more: Readonly<Record<string, string>> = {}) =>
      mayReadLogs()
        ? `/logs${writeQuery({ ...written(["range", "keys", "projects", "models"]), ...more })}`
        : undefined,
  };
}

function firstOf(tab: UsageTab): ShownMeasure {
  return measuresOf(tab)[0] ?? "spend";
}
