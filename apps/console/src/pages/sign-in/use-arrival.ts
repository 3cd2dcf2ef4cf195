// After a change of the signed-in person: drops everything loaded for someone else, and lets the frame see
// who is signed in now.
import { useQueryClient } from "@tanstack/solid-query";
import { meKey } from "../../lib/session.ts";

export function useArrival(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    client.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== "auth" && queryKey[0] !== "config",
    });
    await client.refetchQueries({ queryKey: meKey });
  };
}
