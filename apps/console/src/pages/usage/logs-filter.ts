// Which requests in Logs a number of Usage counts. Where Logs cannot show exactly these, there is no filter, and so no
// link.
import { filteredKeysMax } from "@turnpike/terms";
import { resolveRange } from "../../lib/time-range.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { bucketEnd } from "../../ui/charts/bucket-time.ts";
import type { Dimension, Value } from "./measures.ts";
import type { UsageView } from "./use-usage-view.ts";

type Filter = Readonly<Record<string, string>>;
type Instants = { readonly from: Date; readonly to: Date };

type Narrowed = {
  /** Those of the account. */
  readonly keys: readonly Key[];
  readonly timeZone: string;
  /** What the page is narrowed to. */
  readonly range: Instants;
  readonly keyIds: readonly string[];
};

const statusFilters: Filter = {
  ok: "2xx",
  client_error: "4xx",
  server_error: "5xx",
  canceled: "canceled",
};

type Place = { readonly view: UsageView; readonly keys: readonly Key[] };

/** The address of the requests behind a row, or behind a cell of it. */
export function requestsHref(
  { view, keys }: Place,
  [row, column]: readonly [Value, Value?],
): string | undefined {
  if (!view.mayReadLogs()) return undefined;
  const across = view.columns();
  const timeZone = view.timeZone();
  const filter = logsFilterOf(
    [[view.rows(), row], ...(column && across ? ([[across, column]] as const) : [])],
    {
      keys,
      timeZone,
      range: resolveRange(view.get("range"), timeZone, new Date()),
      keyIds: view.get("keys"),
    },
  );
  const isErrors = view.measure() === "errors";
  const ofPage = filter?.status ? {} : statusFilterOf(view.get("status"), isErrors);
  return filter && ofPage && view.logsHref({ ...ofPage, ...filter });
}

/** For the values of a row, and of a column of it. */
export function logsFilterOf(
  values: readonly (readonly [dimension: Dimension, value: Value])[],
  narrowed: Narrowed,
): Filter | undefined {
  const filter: Record<string, string> = {};
  let { range, keyIds } = narrowed;
  for (const [dimension, { id }] of values) {
    if (id === null) return undefined;
    if (id === "") {
      if (dimension !== "app" && dimension !== "user") return undefined;
      filter.without = [filter.without, dimension].filter(Boolean).join(",");
    } else if (dimension === "day" || dimension === "hour") {
      range = overlapOf(range, bucketOf(id, dimension, narrowed.timeZone));
      Object.assign(filter, {
        range: "",
        from: range.from.toISOString(),
        to: range.to.toISOString(),
      });
    } else if (dimension === "member" || (dimension === "key" && id !== "playground")) {
      const own = dimension === "key" ? [id] : keysOf(id, narrowed.keys);
      keyIds = keyIds.length === 0 ? own : own.filter((one) => keyIds.includes(one));
      if (keyIds.length === 0 || keyIds.length > filteredKeysMax) return undefined;
      filter.keys = keyIds.join(",");
    } else Object.assign(filter, filterOf(dimension, id));
  }
  return filter;
}

function filterOf(dimension: Exclude<Dimension, "day" | "hour" | "member">, id: string): Filter {
  switch (dimension) {
    case "key":
      return { origin: "playground" };
    case "status":
      return { status: statusFilters[id] ?? "" };
    case "model":
    case "provider":
    case "project":
      return { [`${dimension}s`]: id };
    default:
      return { [dimension]: id };
  }
}

function keysOf(email: string, keys: readonly Key[]): readonly string[] {
  return keys.filter(({ createdBy }) => createdBy === email).map((key) => key.id);
}

function bucketOf(id: string, size: "day" | "hour", timeZone: string): Instants {
  return { from: new Date(id), to: bucketEnd(id, size, timeZone) };
}

function overlapOf(one: Instants, other: Instants): Instants {
  const ms = (at: Date) => at.getTime();
  return {
    from: new Date(Math.max(ms(one.from), ms(other.from))),
    to: new Date(Math.min(ms(one.to), ms(other.to))),
  };
}

const errors = ["client_error", "server_error"];

/** The one filter by status of Logs for those of the page; undefined where it has none. */
export function statusFilterOf(statuses: readonly string[], isErrors: boolean): Filter | undefined {
  if (statuses.length === 0) return isErrors ? { status: "failed" } : {};
  const counted = isErrors ? statuses.filter((each) => errors.includes(each)) : statuses;
  const [only, ...others] = counted;
  if (only === undefined) return undefined;
  if (others.length === 0) return { status: statusFilters[only] ?? "" };
  const isBoth = counted.length === errors.length && counted.every((each) => errors.includes(each));
  return isBoth ? { status: "failed" } : undefined;
}
