// Asking the server and showing what came. Solid Query's own `useQuery` suspends, also for a moment on
// data that is cached: that takes the page out of the document and the focus with it. This one never
// suspends, and keeps the objects of unchanged rows, so that a refetch moves nothing.
import {
  type DefaultError,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
  useQueryClient,
} from "@tanstack/solid-query";
import type { Accessor } from "solid-js";
import { createComputed, createMemo, on, onCleanup } from "solid-js";
import { createStore } from "solid-js/store";

/**
 * `data` is undefined until the first success, or what was there before while `isPlaceholderData`. It
 * stays when a later try fails, while `isSuccess` does not: ask for `data`.
 */
export function useQuery<Data>(
  options: Accessor<QueryObserverOptions<Data, DefaultError>>,
): QueryObserverResult<Data, DefaultError> {
  const client = useQueryClient();
  const complete = createMemo(() => {
    const defaulted = client.defaultQueryOptions(options());
    // The first result says already that it is fetching, or what the cache has.
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
