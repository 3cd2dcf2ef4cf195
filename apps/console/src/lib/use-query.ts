// Queries that never suspend. Solid Query's own `useQuery` suspends, briefly even on cached data, which
// removes the page from the document and loses the focus. This one also keeps the objects of unchanged
// rows, so that a refetch redraws only what changed.
import {
  type DefaultError,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
  useQueryClient,
} from "@tanstack/solid-query";
import type { Accessor } from "solid-js";
import { createComputed, createMemo, on, onCleanup } from "solid-js";
import { createStore } from "solid-js/store";

/**
 * `data` is undefined until the first success, or the previous data while `isPlaceholderData`. It stays
 * when a later fetch fails, while `isSuccess` turns false: check `data`.
 */
export function useQuery<Data>(
  options: Accessor<QueryObserverOptions<Data, DefaultError>>,
): QueryObserverResult<Data, DefaultError> {
  const client = useQueryClient();
  const complete = createMemo(() => {
    const defaulted = client.defaultQueryOptions(options());
    // The first result already reports fetching, or the cached data.
    defaulted._optimisticResults = "optimistic";
    return defaulted;
  });
  const observer = new QueryObserver(client, complete());
  const [result, setResult] = createStore(observer.getOptimisticResult(complete()));
  createComputed(
    on(
      complete,
      (next) => {
        observer.setOptions(next);
        setResult(observer.getOptimisticResult(next));
      },
      { defer: true },
    ),
  );
  onCleanup(observer.subscribe((next) => setResult(next)));
  return result;
}

/** What the server answers to one call, shared under its key by all who read it. */
export function useAnswer<Data>(
  key: QueryKey | Accessor<QueryKey>,
  ask: (call: { signal: AbortSignal }) => Promise<Data>,
): QueryObserverResult<Data, DefaultError> {
  return useQuery(() => ({ queryKey: typeof key === "function" ? key() : key, queryFn: ask }));
}
