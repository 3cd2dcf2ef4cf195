// Which two requests are compared, in the address: `id` and `with`. Without `id`, the request that was chosen first waits
// for the next one that is opened.
import { useSearchParams } from "@solidjs/router";

export type Comparison = ReturnType<typeof useComparison>;

export function useComparison() {
  const [search, setSearch] = useSearchParams<{ id?: string; with?: string }>();
  return {
    /** Chosen first. */
    chosen: () => search.with,
    opened: () => search.id,
    /** The other one is opened next. */
    choose: (id: string) => setSearch({ id: undefined, with: id }),
    complete: (id: string) => setSearch({ id }),
    /** The first one waits again. */
    reopen: () => setSearch({ id: undefined }),
    swap: () => setSearch({ id: search.with, with: search.id }, { replace: true }),
    end: () => setSearch({ id: undefined, with: undefined }),
  };
}
