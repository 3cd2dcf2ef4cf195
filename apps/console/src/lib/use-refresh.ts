// Loads again what a change on the server concerns.
import { type QueryKey, useQueryClient } from "@tanstack/solid-query";

/** Resolves once everything under these keys that is shown has been loaded. */
export function useRefresh(): (...keys: readonly QueryKey[]) => Promise<void> {
  const client = useQueryClient();
  return async (...keys) => {
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
