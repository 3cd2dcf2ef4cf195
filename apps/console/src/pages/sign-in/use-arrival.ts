// After who is signed in has changed: nothing that was loaded for somebody else stays, and the frame
// sees who is here now.
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
