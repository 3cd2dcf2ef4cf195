// Queries that several pages share, so that they are fetched once.
import { api } from "./api.ts";
import { useQuery } from "./use-query.ts";

const minuteMs = 60_000;

/** The models of this instance with their prices; public. */
export function useModels() {
  return useQuery(() => ({
    queryKey: ["models", "list"],
    queryFn: ({ signal }) => api.models.list.query(undefined, { signal }),
    staleTime: minuteMs,
  }));
}
