// What the pages of usage show, all of it in the address: the range and the filters of both, and of Usage its grouping,
// tab and order.
import { writeQuery } from "../../lib/address-query.ts";
import type { Inputs } from "../../lib/api.ts";
import { given } from "../../lib/given.ts";
import { namesOf } from "../../lib/names-of.ts";
import { useMay, useTimeZone } from "../../lib/session.ts";
import { rangeField, resolveRange } from "../../lib/time-range.ts";
import {
  type Address,
  flag,
  list,
  oneOf,
  someOf,
  sortBy,
  useAddress,
  type ValuesOf,
} from "../../lib/use-address.ts";
import { usageStatusNames } from "../shared/usage-names.ts";

export const usageTabs = ["spend", "tokens", "performance", "errors"] as const;
export const usageGroups = ["model", "key", "project", "provider"] as const;
export type UsageGroup = (typeof usageGroups)[number];

export const narrowFields = {
  range: rangeField,
  keys: list,
  projects: list,
  models: list,
  status: someOf(namesOf(usageStatusNames)),
};

export const usualSort = { column: "costUsd", descending: true };

const usageFields = {
  ...narrowFields,
  group: oneOf("model", usageGroups),
  compare: flag(true),
  tab: oneOf("spend", usageTabs),
  sort: sortBy(
    /^(costUsd|requests|promptTokens|completionTokens|cachedTokens|errorRate|firstTokenP50Ms|p50Ms|p95Ms)$/,
    usualSort,
  ),
};

type Narrowed = Address<ValuesOf<typeof narrowFields>>;
export type NarrowedView = Narrowed & ReturnType<typeof useNarrowed>;

const filterNames = ["keys", "projects", "models", "status"] as const;

/** The range and the filters, which Usage and Explore share. */
export function useNarrowed({ get, set, count, written }: Narrowed) {
  const timeZone = useTimeZone();
  const mayReadLogs = useMay("logs.read");
  return {
    timeZone,
    mayReadLogs,
    filterCount: () => count(filterNames),
    clear: () => set({ keys: [], projects: [], models: [], status: [] }),
    /** Everything the response depends on, except the current time. */
    narrowKey: () => [get("range"), timeZone(), ...filterNames.map((name) => get(name))],
    narrowInput: (now: Date) => {
      const { from, to } = resolveRange(get("range"), timeZone(), now);
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        timeZone: timeZone(),
        ...given({
          keyIds: get("keys"),
          projectIds: get("projects"),
          models: get("models"),
          statuses: get("status"),
        }),
      };
    },
    /** The address of Logs with the same range and filters, and more; undefined for roles that may not read them. */
    logsHref: (more: Readonly<Record<string, string>> = {}) =>
      mayReadLogs()
        ? `/logs${writeQuery({ ...written(["range", "keys", "projects", "models"]), ...more })}`
        : undefined,
  };
}

export type UsageView = ReturnType<typeof useUsageView>;

export function useUsageView() {
  const address = useAddress(usageFields);
  const narrowed = useNarrowed(address);
  const { get } = address;
  return {
    ...address,
    ...narrowed,
    /** The grouping first. */
    key: () => [get("group"), get("compare"), ...narrowed.narrowKey()],
    input: (now: Date): Inputs["usage"]["read"] => ({
      ...narrowed.narrowInput(now),
      groupBy: get("group"),
      compare: get("compare"),
    }),
  };
}
