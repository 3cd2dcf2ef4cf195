// The list's state in the address: what narrows it, its order, and which models are selected to be compared.
import { useSearchParams } from "@solidjs/router";
import { createMemo } from "solid-js";
import type { Sort } from "../../ui/table.tsx";
import { readIds } from "./compared-ids.ts";
import { type AbilityId, readModelQuery } from "./model-query.ts";

export type ShownModels = ReturnType<typeof useModelQuery>;

type Filters = {
  q?: string | undefined;
  lab?: string | undefined;
  provider?: string | undefined;
  context?: string | undefined;
  price?: string | undefined;
};

export function useModelQuery() {
  const [search, setSearch] = useSearchParams();
  const query = createMemo(() => readModelQuery(search));
  const chosen = createMemo(() => readIds(search.compare));
  const choose = (ids: readonly string[]) =>
    setSearch({ compare: ids.join(",") || undefined }, { replace: true });
  return {
    query,
    /** An empty text removes the filter. */
    filter(filters: Filters) {
      const entries = Object.entries(filters).map(([name, value]) => [name, value || undefined]);
      setSearch(Object.fromEntries(entries), { replace: "q" in filters });
    },
    toggle(ability: AbilityId) {
      const { can } = query();
      const next = can.includes(ability) ? can.filter((one) => one !== ability) : [...can, ability];
      setSearch({ can: next.join(",") || undefined });
    },
    sort: ({ column, descending }: Sort) =>
      setSearch({
        sort: column === "catalog" ? undefined : `${column}-${descending ? "desc" : "asc"}`,
      }),
    clear: () =>
      setSearch({
        q: undefined,
        lab: undefined,
        provider: undefined,
        can: undefined,
        context: undefined,
        price: undefined,
      }),
    /** Ids to compare, in the order they were chosen. */
    chosen,
    choose,
    toggleChosen(id: string) {
      const ids = chosen();
      choose(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
    },
  };
}
