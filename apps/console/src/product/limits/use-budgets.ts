// The budgets of the account that may be seen, with the time zone in which their periods begin.
import { type Answers, api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";

const liveMs = 30_000;

export type Budget = Answers["budgets"]["list"]["budgets"][number];

export function useBudgets() {
  return useQuery(() => ({
    queryKey: ["budgets", "list"],
    queryFn: ({ signal }) => api.budgets.list.query(undefined, { signal }),
    refetchInterval: liveMs,
  }));
}
