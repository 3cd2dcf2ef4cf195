// What the usage page shows, all of it in the address: range, filters, grouping, tab and order.
import { useSearchParams } from "@solidjs/router";
import { readList, writeList, writeQuery } from "../../lib/address-query.ts";
import type { Inputs } from "../../lib/api.ts";
import { useTimeZone } from "../../lib/session.ts";
import {
  type ChosenRange,
  type RangeParams,
  rangeParams,
  readRange,
  resolveRange,
} from "../../lib/time-range.ts";

export const usageTabs = ["spend", "tokens", "performance", "errors"] as const;
export type UsageTab = (typeof usageTabs)[number];
export const usageGroups = ["model", "key", "project", "provider"] as const;
export type UsageGroup = (typeof usageGroups)[number];
export const usageStatuses = ["ok", "client_error", "server_error", "canceled"] as const;
type UsageStatus = (typeof usageStatuses)[number];

type Params = RangeParams & {
  keys?: string;
  projects?: string;
  models?: string;
  status?: string;
  group?: string;
  compare?: string;
  tab?: string;
  sort?: string;
};

export type UsageView = ReturnType<typeof useUsageView>;

export function useUsageView() {
  const [search, setSearch] = useSearchParams<Params>();
  const timeZone = useTimeZone();
  const range = () => readRange(search);
  const keyIds = () => readList(search.keys);
  const projectIds = () => readList(search.projects);
  const models = () => readList(search.models);
  const statuses = () =>
    readList(search.status).flatMap((text): UsageStatus[] =>
      usageStatuses.filter((known) => known === text),
    );
  const groupBy = () => usageGroups.find((known) => known === search.group) ?? "model";
  const compare = () => search.compare !== "0";
  return {
    timeZone,
    range,
    keyIds,
    projectIds,
    models,
    statuses,
    groupBy,
    compare,
    tab: () => usageTabs.find((known) => known === search.tab) ?? "spend",
    sort: () => search.sort,
    filterCount: () => keyIds().length + projectIds().length + models().length + statuses().length,
    setRange: (chosen: ChosenRange) => setSearch(rangeParams(chosen)),
    setKeyIds: (chosen: readonly string[]) => setSearch({ keys: writeList(chosen) }),
    setProjectIds: (chosen: readonly string[]) => setSearch({ projects: writeList(chosen) }),
    setModels: (chosen: readonly string[]) => setSearch({ models: writeList(chosen) }),
    setStatuses: (chosen: readonly string[]) => setSearch({ status: writeList(chosen) }),
    setGroupBy: (group: UsageGroup) => setSearch({ group: group === "model" ? undefined : group }),
    setCompare: (on: boolean) => setSearch({ compare: on ? undefined : "0" }),
    setTab: (tab: UsageTab) => setSearch({ tab: tab === "spend" ? undefined : tab }),
    setSort: (sort: string) => setSearch({ sort }, { replace: true }),
    clear: () =>
      setSearch({ keys: undefined, projects: undefined, models: undefined, status: undefined }),
    /** Everything the response depends on, except the current time; the grouping first. */
    key: () => [
      groupBy(),
      range(),
      timeZone(),
      keyIds(),
      projectIds(),
      models(),
      statuses(),
      compare(),
    ],
    input: (now: Date): Inputs["usage"]["read"] => {
      const { from, to } = resolveRange(range(), timeZone(), now);
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        timeZone: timeZone(),
        groupBy: groupBy(),
        compare: compare(),
        ...(keyIds().length > 0 && { keyIds: [...keyIds()] }),
        ...(projectIds().length > 0 && { projectIds: [...projectIds()] }),
        ...(models().length > 0 && { models: [...models()] }),
        ...(statuses().length > 0 && { statuses: [...statuses()] }),
      };
    },
    /** The address of Logs with the same range and filters, and more. */
    logsHref: (more: Readonly<Record<string, string>> = {}) => {
      const { range, from, to } = rangeParams(readRange(search));
      const params = {
        range,
        from,
        to,
        keys: search.keys,
        projects: search.projects,
        models: search.models,
        ...more,
      };
      return `/logs${writeQuery(params)}`;
    },
  };
}
