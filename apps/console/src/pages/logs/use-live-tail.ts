// Fetches the newest requests every three seconds. While the reader has scrolled or has the focus in the
// list, the rows stay as they are and new ones are counted.
import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

export const tailEveryMs = 3_000;
const scrolledPx = 160;

export type LiveTail = {
  /** The rows of the page until the first response, and when live is off. */
  readonly rows: Accessor<readonly LogRow[]>;
  readonly paused: Accessor<boolean>;
  readonly fresh: Accessor<number>;
  /** True if there may be more new rows than the response holds. */
  readonly manyFresh: Accessor<boolean>;
  /** Shows the new rows; the caller has moved the reader to the top. */
  readonly catchUp: () => void;
};

type LiveTailOptions = {
  readonly view: LogsView;
  readonly pageRows: Accessor<readonly LogRow[]>;
  readonly isReading: Accessor<boolean>;
};

export function useLiveTail({ view, pageRows, isReading }: LiveTailOptions): LiveTail {
  const query = useQuery(() => ({
    queryKey: ["logs", "live", ...view.key()],
    queryFn: ({ signal }) => api.logs.list.query(view.liveInput(new Date()), { signal }),
    enabled: view.live(),
    refetchInterval: tailEveryMs,
    staleTime: 0,
  }));
  const latest = () => (view.live() ? query.data?.rows : undefined) ?? pageRows();
  const [held, setHeld] = createSignal<readonly LogRow[]>();
  const scrolled = useScrolled();
  const paused = createMemo(() => view.live() && (isReading() || scrolled()));
  createEffect(on(paused, (now) => setHeld(now ? latest() : undefined)));
  const question = createMemo(() => JSON.stringify(view.key()));
  createEffect(on(question, () => setHeld(undefined), { defer: true }));
  const fresh = () => countFresh(held(), latest());
  return {
    paused,
    fresh,
    rows: () => held() ?? latest(),
    manyFresh: () => fresh() > 0 && fresh() === latest().length,
    catchUp: () => setHeld(undefined),
  };
}

function countFresh(held: readonly LogRow[] | undefined, latest: readonly LogRow[]): number {
  if (!held) return 0;
  const known = new Set(held.map((row) => row.id));
  return latest.filter((row) => !known.has(row.id)).length;
}

function useScrolled(): Accessor<boolean> {
  const read = () => window.scrollY > scrolledPx;
  const [scrolled, setScrolled] = createSignal(read());
  const update = () => setScrolled(read());
  addEventListener("scroll", update, { passive: true });
  onCleanup(() => removeEventListener("scroll", update));
  return scrolled;
}
