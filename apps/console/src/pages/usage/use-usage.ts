// What Usage asks: one answer with all sums of the range, from which cards, charts and breakdown are drawn, so that they
// cannot disagree; and the measure by two dimensions. The page waits for the latter only where it shows nothing else.
import type { QueryObserverResult } from "@tanstack/solid-query";
import { type Answers, api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { isOverview } from "./measures.ts";
import type { UsageView } from "./use-usage-view.ts";

export type Usage = Answers["usage"]["read"];
export type Explored = Answers["usage"]["explore"];
export type ExploredQuery = QueryObserverResult<Explored, Error>;

export function useUsage(view: UsageView) {
  const usage = useQuery(() => ({
    queryKey: ["usage", "read", ...view.key()],
    queryFn: ({ signal }) => api.usage.read.query(view.input(new Date()), { signal }),
    // Rows of another grouping would be shown under the title of this one.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === view.groupBy() ? previous : undefined,
  }));
  const explored = useQuery(() => ({
    queryKey: ["usage", "explore", ...view.exploredKey()],
    queryFn: ({ signal }) => api.usage.explore.query(view.exploredInput(new Date()), { signal }),
    enabled: !isOverview(view.measure()) && (view.needsExplored() || usage.data !== undefined),
    // Numbers of one measure would be shown in the unit of another.
    placeholderData: (previous, query) =>
      [2, 3, 4].every((at) => query?.queryKey[at] === view.exploredKey()[at - 2])
        ? previous
        : undefined,
  }));
  const refetch = async () => {
    const [found] = await Promise.all([
      usage.refetch(),
      ...(explored.data === undefined ? [] : [explored.refetch()]),
    ]);
    return found;
  };
  /** Of both. */
  const age = {
    get data() {
      return usage.data;
    },
    get dataUpdatedAt() {
      return usage.dataUpdatedAt;
    },
    get isFetching() {
      return usage.isFetching || explored.isFetching;
    },
    refetch,
  };
  return { usage, explored, age };
}
