// The newest requests every three seconds. While the reader reads (has scrolled, or has the focus in
// the list) the rows stand still, their states still follow, and what is new is counted.
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import { api } from "../api.ts";
import { useQuery } from "../use-query.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

export const tailEveryMs = 3_000;
const scrolledPx = 160;

export type LiveTail = {
  /** Undefined until the first answer, and when live is off. */
  readonly rows: Accessor<readonly LogRow[] | undefined>;
  readonly paused: Accessor<boolean>;
  readonly fresh: Accessor<number>;
  /** True where there may be more new ones than the answer holds. */
  readonly manyFresh: Accessor<boolean>;
  /** Shows the new rows; the caller has moved the reader to the top. */
  readonly catchUp: () => void;
};

export function useLiveTail(view: LogsView, isReading: Accessor<boolean>): LiveTail {
  const query = useQuery(() => ({
    queryKey: ["logs", "live", ...view.key()],
    queryFn: ({ signal }) => api.logs.list.query(view.liveInput(new Date()), { signal }),
    enabled: view.live(),
    refetchInterval: tailEveryMs,
    staleTime: 0,
  }));
  const latest = () => (view.live() && query.isSuccess ? query.data.rows : undefined);
  const [held, setHeld] = createSignal<readonly LogRow[]>();
  const scrolled = useScrolled();
  const paused = () => view.live() && (isReading() || scrolled());
  createEffect(on(paused, (now) => setHeld(now ? latest() : undefined)));
  createEffect(
    on(
      () => JSON.stringify(view.key()),
      () => setHeld(undefined),
      { defer: true },
    ),
  );
  return {
    paused,
    rows: () => follow(held() ?? latest(), latest()),
    fresh: () => countFresh(held(), latest()),
    manyFresh: () => {
      const rows = latest() ?? [];
      return rows.length > 0 && countFresh(held(), rows) === rows.length;
    },
    catchUp: () => setHeld(undefined),
  };
}

function countFresh(
  held: readonly LogRow[] | undefined,
  latest: readonly LogRow[] | undefined,
): number {
  if (!held || !latest) return 0;
  const known = new Set(held.map((row) => row.id));
  return latest.filter((row) => !known.has(row.id)).length;
}

/** Rows that were running when they were held are shown as they ended. */
function follow(
  rows: readonly LogRow[] | undefined,
  latest: readonly LogRow[] | undefined,
): readonly LogRow[] | undefined {
  if (!rows || !latest || rows === latest) return rows;
  const known = new Map(latest.map((row) => [row.id, row]));
  return rows.map((row) => known.get(row.id) ?? row);
}

function useScrolled(): Accessor<boolean> {
  const read = () => window.scrollY > scrolledPx;
  const [scrolled, setScrolled] = createSignal(read());
  const update = () => setScrolled(read());
  addEventListener("scroll", update, { passive: true });
  onCleanup(() => removeEventListener("scroll", update));
  return scrolled;
}
