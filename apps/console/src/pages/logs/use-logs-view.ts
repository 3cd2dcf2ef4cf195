// The view of Logs, all of it in the address: range, filters, page, live, open request.
import { useSearchParams } from "@solidjs/router";
import { readList, writeList } from "../../lib/address-query.ts";
import type { Answers, Inputs } from "../../lib/api.ts";
import { useTimeZone } from "../../lib/session.ts";
import {
  type ChosenRange,
  type RangeParams,
  rangeParams,
  readRange,
  resolveRange,
} from "../../lib/time-range.ts";

export type LogRow = Answers["logs"]["list"]["rows"][number];
export const operations = ["chat", "embeddings"] as const satisfies readonly LogRow["operation"][];
export const statusClasses = ["2xx", "4xx", "5xx", "canceled"] as const;

const filterNames = [
  "status",
  "keys",
  "projects",
  "models",
  "providers",
  "origin",
  "operation",
  "code",
  "app",
  "user",
  "minCost",
  "minLatency",
  "request",
] as const;
type FilterName = (typeof filterNames)[number];
type Params = RangeParams &
  Partial<Record<FilterName, string>> & { cursor?: string; live?: string; id?: string };

export type LogsView = ReturnType<typeof useLogsView>;

export function useLogsView() {
  const [search, setSearch] = useSearchParams<Params>();
  const timeZone = useTimeZone();
  const range = () => readRange(search);
  const filters = () => readFilters(search);
  /** The cursors of the pages visited, newest first; the last is the current page. */
  const trail = () => readList(search.cursor);
  const filter = (change: Partial<Record<FilterName, string | undefined>>) =>
    setSearch({ ...change, cursor: undefined });
  const none = Object.fromEntries(filterNames.map((name) => [name, undefined]));
  return {
    timeZone,
    range,
    filters,
    filter,
    text: (name: FilterName) => search[name] ?? "",
    list: (name: "keys" | "projects" | "models" | "providers") => readList(search[name]),
    setList: (name: "keys" | "projects" | "models", chosen: readonly string[]) =>
      filter({ [name]: writeList(chosen) }),
    setRange: (chosen: ChosenRange) =>
      setSearch({ ...rangeParams(chosen), cursor: undefined, live: undefined }),
    filterCount: () => filterNames.filter((name) => search[name]).length,
    clear: () => setSearch({ ...none, cursor: undefined }),
    live: () => search.live === "1",
    /** Live needs an open end: a range with a fixed end is replaced by the default. */
    setLive: (on: boolean) =>
      setSearch({
        live: on ? "1" : undefined,
        cursor: undefined,
        ...(on && { from: undefined, to: undefined }),
      }),
    hasNewer: () => trail().length > 0,
    turnToNewer: () => setSearch({ cursor: writeList(trail().slice(0, -1)) }),
    turnToOlder: (cursor: string) => setSearch({ cursor: writeList([...trail(), cursor]) }),
    openId: () => search.id,
    open: (id: string, options?: { replace: boolean }) => setSearch({ id }, options),
    close: () => setSearch({ id: undefined }),
    /** Closes the open request and filters the list by one of its values. */
    narrowTo: (change: Partial<Record<FilterName, string>>) =>
      setSearch({ ...change, id: undefined, cursor: undefined }),
    /** Everything the response depends on, except the current time. */
    key: () => [range(), timeZone(), filters(), trail().at(-1) ?? null],
    input: (now: Date): Inputs["logs"]["list"] => {
      const { from, to } = resolveRange(range(), timeZone(), now);
      const cursor = trail().at(-1);
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        ...filters(),
        ...(cursor !== undefined && { cursor }),
      };
    },
    /** Without an end, and without the histogram, which costs more than the rows. */
    liveInput: (now: Date): Inputs["logs"]["list"] => ({
      from: resolveRange(range(), timeZone(), now).from.toISOString(),
      ...filters(),
    }),
  };
}

/** Invalid values in the address are ignored. */
function readFilters(search: Params): Inputs["logs"]["list"] {
  const { keys, projects, models, providers, request } = search;
  const statusClass = statusClasses.find((known) => known === search.status);
  const operation = operations.find((known) => known === search.operation);
  const origin = (["api", "playground"] as const).find((known) => known === search.origin);
  return {
    ...(statusClass && { statusClass }),
    ...(origin && { origin }),
    ...(operation && { operation }),
    ...(keys && { keyIds: [...readList(keys)] }),
    ...(projects && { projectIds: [...readList(projects)] }),
    ...(models && { models: [...readList(models)] }),
    ...(providers && { providers: [...readList(providers)] }),
    ...(request && { requestId: request.trim() }),
    ...(search.code && { errorCode: search.code.trim() }),
    // No longer than what is recorded of them.
    ...(search.app && { app: search.app.slice(0, 100) }),
    ...(search.user && { user: search.user.slice(0, 128) }),
    ...(isAmount(search.minCost) && { minCostUsd: search.minCost }),
    ...(isLatency(search.minLatency) && { minLatencyMs: Number(search.minLatency) }),
  };
}

export function isAmount(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,10}(\.\d{1,9})?$/.test(text);
}

export function isLatency(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,9}$/.test(text);
}
