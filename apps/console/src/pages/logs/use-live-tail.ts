// Fetches the newest requests every three seconds. The list takes a bounded number of them each time, so that it stays
// readable, and says how many it left out; while someone reads it, nothing moves and new ones are counted.
import { type Accessor, createEffect, createSignal, on } from "solid-js";
import { api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

export const tailEveryMs = 3_000;
const rowsMax = 50;
/** More new rows than these within one refresh cannot be read. */
export const newRowsMax = 20;
/** The server counts up to one more. */
export const countMax = 500;

export type LiveTail = {
  /** The rows of the page until the first response. */
  readonly rows: Accessor<readonly LogRow[]>;
  /** While paused: how many have arrived, up to one more than `countMax`. */
  readonly fresh: Accessor<number>;
  /** How many requests of the last refresh are not in the list, likewise. */
  readonly leftOut: Accessor<number>;
  /** Shows the newest requests, whether paused or not. */
  readonly catchUp: () => void;
};

type LiveTailOptions = {
  readonly view: Pick<LogsView, "key" | "liveInput">;
  readonly pageRows: Accessor<readonly LogRow[]>;
  readonly isPaused: Accessor<boolean>;
};

type Latest = {
  readonly rows: readonly LogRow[];
  /** How many are newer than `than`. */
  readonly newer: number | null;
  readonly than: string | undefined;
};

/** Of one view: another filter needs another tail. */
export function useLiveTail({ view, pageRows, isPaused }: LiveTailOptions): LiveTail {
  const [shown, setShown] = createSignal<readonly LogRow[]>();
  const [leftOut, setLeftOut] = createSignal(0);
  const query = useQuery(() => ({
    queryKey: ["logs", "live", ...view.key()],
    queryFn: async ({ signal }): Promise<Latest> => {
      const than = shown()?.[0]?.id;
      const input = { ...view.liveInput(new Date()), ...(than && { newerThan: than }) };
      const { rows, newer } = await api.logs.list.query(input, { signal });
      return { rows, newer, than };
    },
    refetchInterval: tailEveryMs,
    staleTime: 0,
    gcTime: 0,
  }));
  const news = () => findNews(query.data, shown() ?? []);
  const take = () => {
    const before = shown();
    if (before === undefined || query.data === undefined) return setShown(query.data?.rows);
    const { count, rows } = news();
    const taken = rows.slice(0, newRowsMax);
    setLeftOut(count - taken.length);
    if (taken.length > 0) setShown(newestFirst([...taken, ...before]).slice(0, rowsMax));
  };
  const update = () => {
    if (shown() === undefined || !isPaused()) take();
  };
  createEffect(on(() => query.dataUpdatedAt, update));
  return {
    rows: () => shown() ?? pageRows(),
    fresh: () => (isPaused() && shown() !== undefined ? news().count : 0),
    leftOut,
    catchUp: () => {
      if (query.data === undefined) return;
      const { count, rows } = news();
      setLeftOut(count - rows.length);
      setShown(query.data.rows);
    },
  };
}

/** What is not in the list: how many, and those of them that were sent. */
function findNews(latest: Latest | undefined, shown: readonly LogRow[]) {
  const known = new Set(shown.map(({ id }) => id));
  const rows = (latest?.rows ?? []).filter(({ id }) => !known.has(id));
  // The list may have changed since they were counted.
  const counted = latest?.than === shown[0]?.id ? (latest?.newer ?? 0) : 0;
  return { rows, count: Math.max(counted, rows.length) };
}

/** Ids begin with the time. A request that took long is not the newest when it ends. */
function newestFirst(rows: readonly LogRow[]): readonly LogRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}
