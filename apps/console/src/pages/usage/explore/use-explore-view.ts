// What Explore shows, all of it in the address: the range and filters of Usage, a measure and two dimensions. So every
// view can be shared and saved as a link.
import { useSearchParams } from "@solidjs/router";
import type { Inputs } from "../../../lib/api.ts";
import { useMay } from "../../../lib/session.ts";
import { useUsageView } from "../use-usage-view.ts";
import { type Dimension, isDimension, isMeasure, type Measure } from "./dimensions.ts";

type Params = { measure?: string; rows?: string; columns?: string; sort?: string };

export type ExploreView = ReturnType<typeof useExploreView>;

export function useExploreView() {
  const usage = useUsageView();
  const [search, setSearch] = useSearchParams<Params>();
  const measure = (): Measure => (isMeasure(search.measure) ? search.measure : "spend");
  const rows = (): Dimension => (isDimension(search.rows) ? search.rows : "model");
  const columns = () => {
    const chosen = isDimension(search.columns) ? search.columns : undefined;
    return chosen === rows() ? undefined : chosen;
  };
  const filters = (now: Date) => {
    const { groupBy: _, compare: __, ...rest } = usage.input(now);
    return rest;
  };
  return {
    ...usage,
    mayReadLogs: useMay("logs.read"),
    measure,
    rows,
    columns,
    sort: () => search.sort,
    setMeasure: (chosen: Measure) =>
      setSearch({ measure: chosen === "spend" ? undefined : chosen, sort: undefined }),
    setRows: (chosen: Dimension) =>
      setSearch({
        rows: chosen === "model" ? undefined : chosen,
        // The two change places where one is chosen for both.
        ...(chosen === columns() && { columns: rows() }),
        sort: undefined,
      }),
    setColumns: (chosen: Dimension | "") =>
      setSearch({ columns: chosen || undefined, sort: undefined }),
    setSort: (sort: string) => setSearch({ sort }, { replace: true }),
    /** Everything the response depends on, except the current time. */
    key: () => [measure(), rows(), columns() ?? "", ...usage.key()],
    input: (now: Date): Inputs["usage"]["explore"] => {
      const across = columns();
      return {
        ...filters(now),
        measure: measure(),
        rows: rows(),
        ...(across && { columns: across }),
      };
    },
    forecastInput: (now: Date): Inputs["usage"]["forecast"] => {
      const { from: _, to: __, ...rest } = filters(now);
      return rest;
    },
  };
}
