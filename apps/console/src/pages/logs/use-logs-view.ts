// The view of Logs, all of it in the address: range, filters, page, live, open request.
import { type CallerName, callerCharsMax, origins, type StatusClass } from "@turnpike/terms";
import type { Answers, Inputs } from "../../lib/api.ts";
import { namesOf } from "../../lib/names-of.ts";
import { omitEmpty } from "../../lib/omit-empty.ts";
import { useTimeZone } from "../../lib/session.ts";
import { rangeField, resolveRange } from "../../lib/time-range.ts";
import { isUsd, parseUsd } from "../../lib/typed-usd.ts";
import {
  type Address,
  flag,
  list,
  oneOf,
  someOf,
  text,
  useAddress,
  type ValuesOf,
} from "../../lib/use-address.ts";
import { operationNames } from "../../product/usage/usage-names.ts";

export type LogRow = Answers["logs"]["list"]["rows"][number];
export const statusNames = {
  "2xx": "2xx (succeeded)",
  failed: "All errors",
  "4xx": "4xx (rejected)",
  "5xx": "5xx (failed)",
  canceled: "Canceled",
} as const satisfies Record<StatusClass, string>;
/** What a request may be without. */
export const withoutNames = {
  app: "Without an app",
  user: "Without a user",
} as const satisfies Record<CallerName, string>;

const filterFields = {
  status: oneOf("", namesOf(statusNames)),
  keys: list,
  projects: list,
  models: list,
  providers: list,
  origin: oneOf("", origins),
  operation: oneOf("", namesOf(operationNames)),
  code: text,
  app: text,
  user: text,
  without: someOf(namesOf(withoutNames)),
  minCost: text,
  minLatency: text,
  request: text,
};

const fields = {
  ...filterFields,
  range: rangeField,
  /** The cursors of the pages visited, newest first; the last is the current page. */
  cursor: list,
  live: flag(false),
  id: text,
  with: text,
};

const filterNames = namesOf(filterFields);

type LogsAddress = Address<ValuesOf<typeof fields>>;
export type LogsChange = Parameters<LogsAddress["set"]>[0];
export type LogsView = ReturnType<typeof useLogsView>;

export function useLogsView() {
  const address = useAddress(fields);
  const { get } = address;
  const timeZone = useTimeZone();
  const filters = () => readFilters(get);
  const range = (now: Date) => resolveRange(get("range"), timeZone(), now);
  /** Of other requests the first page is shown. Live needs an open end, which another range may not have. */
  const set = (change: LogsChange) =>
    address.set({
      ...change,
      // A request that has one is not among those without any.
      without: (change.without ?? get("without")).filter((name) => !change[name]),
      cursor: [],
      ...("range" in change && { live: false }),
    });
  return {
    ...address,
    set,
    timeZone,
    filterCount: () => address.count(filterNames),
    clear: () => set(Object.fromEntries(filterNames.map((name) => [name, undefined]))),
    /** A range with a fixed end is replaced by the default. */
    setLive: (live: boolean) =>
      address.set({
        live,
        cursor: [],
        ...(live && get("range").name === "custom" && { range: undefined }),
      }),
    turnToNewer: () => address.set({ cursor: get("cursor").slice(0, -1) }),
    turnToOlder: (cursor: string) => address.set({ cursor: [...get("cursor"), cursor] }),
    openId: () => get("id") || undefined,
    open: (id: string, options?: { replace: boolean }) => address.set({ id }, options),
    close: () => address.set({ id: "" }),
    /** Which two are compared: without `id`, the one that was chosen first waits for the next one that is opened. */
    chosenId: () => get("with") || undefined,
    choose: (id: string) => address.set({ id: "", with: id }),
    swap: () => address.set({ id: get("with"), with: get("id") }, { replace: true }),
    endComparison: () => address.set({ id: "", with: "" }),
    /** Everything the response depends on, except the current time. */
    key: () => [get("range"), timeZone(), filters(), get("cursor").at(-1) ?? null],
    input: (now: Date): Inputs["logs"]["list"] => ({
      from: range(now).from.toISOString(),
      to: range(now).to.toISOString(),
      ...filters(),
      ...omitEmpty({ cursor: get("cursor").at(-1) }),
    }),
    /** Without an end, and without the histogram, which costs more than the rows. */
    liveInput: (now: Date): Inputs["logs"]["list"] => ({
      from: range(now).from.toISOString(),
      ...filters(),
    }),
  };
}

function readFilters(get: LogsAddress["get"]): Inputs["logs"]["list"] {
  return omitEmpty({
    statusClass: get("status"),
    origin: get("origin"),
    operation: get("operation"),
    keyIds: get("keys"),
    projectIds: get("projects"),
    models: get("models"),
    providers: get("providers"),
    requestId: get("request").trim(),
    errorCode: get("code").trim(),
    // No longer than what is recorded of them.
    app: get("app").slice(0, callerCharsMax.app),
    user: get("user").slice(0, callerCharsMax.user),
    without: get("without"),
    minCostUsd: isAmount(get("minCost")) ? parseUsd(get("minCost")) : undefined,
    minLatencyMs: isLatency(get("minLatency")) ? Number(get("minLatency")) : undefined,
  });
}

export function isAmount(text: string): boolean {
  return isUsd(parseUsd(text), "nanos");
}

export function isLatency(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}
