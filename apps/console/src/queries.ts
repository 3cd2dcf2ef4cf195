// Queries that several pages share, so that they are asked once.
import { useQuery } from "@tanstack/solid-query";
import { api } from "./api.ts";

const minuteMs = 60_000;

/** The models of this instance with their prices; public. */
export function useModels() {
  return useQuery(() => ({
    queryKey: ["models", "list"],
    queryFn: ({ signal }) => api.models.list.query(undefined, { signal }),
    staleTime: minuteMs,
  }));
}
