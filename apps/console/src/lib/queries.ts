// Queries that several pages share, so that they are fetched once.
import { type Answers, api } from "./api.ts";
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

type Model = Answers["models"]["list"][number];
export type Operation = Model["operation"];

/** Without those of the sandbox, unless there are no others. */
export function realModelsOf(models: readonly Model[] | undefined): readonly Model[] {
  const real = (models ?? []).filter(({ lab }) => lab !== "sandbox");
  return real.length > 0 ? real : (models ?? []);
}

/** Those for one operation, in the order of the catalog. */
export function modelsFor(
  operation: Operation,
  models: readonly Model[] | undefined,
): readonly Model[] {
  return (models ?? []).filter((model) => model.operation === operation);
}

/** Those that answer chat completions, in the order of the catalog. */
export function chatModelsOf(models: readonly Model[] | undefined): readonly Model[] {
  return modelsFor("chat", models);
}
