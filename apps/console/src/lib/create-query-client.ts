// The query client: refetches on focus, pauses in hidden tabs, retries once if no answer came, and
// detects an expired session in one place.
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
        // The browser's online flag is often wrong: send the request, and show its outcome.
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
