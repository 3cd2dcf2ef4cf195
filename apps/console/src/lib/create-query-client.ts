// How the console asks: fresh on focus, quiet in hidden tabs, one more try where no answer of the server came, and
// one place that notices an expired session.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/solid-query";
import { isUnauthenticated, readFailure } from "./read-failure.ts";
import { balanceKey, meKey } from "./session.ts";

const freshMs = 5_000;
const retryAfterMs = 400;

/** `onExpired` is called once per expiry: any 401 leads to the sign-in page. */
export function createQueryClient(onExpired: () => void): QueryClient {
  const expire = (error: unknown) => {
    if (!isUnauthenticated(error)) return;
    onExpired();
    client.setQueryData(meKey, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: expire }),
    mutationCache: new MutationCache({
      onError: expire,
      onSuccess: () => {
        void client.invalidateQueries({ queryKey: balanceKey });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        refetchOnWindowFocus: true,
        refetchIntervalInBackground: false,
        // The browser's own idea of being offline is often wrong: ask, and show what came of it.
        networkMode: "always",
        retry: (failures, error) => failures < 1 && isWorthAnotherTry(error),
        retryDelay: retryAfterMs,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
  return client;
}

function isWorthAnotherTry(error: Error): boolean {
  const { code } = readFailure(error);
  return ["offline", "overloaded", "unreadable"].includes(code);
}
