// One request in full. A request of another account is missing, like one that never was.
import type { Accessor } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { isMissing } from "../../lib/read-failure.ts";
import { useQuery } from "../../lib/use-query.ts";

export type LogDetail = Answers["logs"]["detail"];

export function useLogDetail(id: Accessor<string>) {
  const query = useQuery(() => ({
    queryKey: ["logs", "detail", id()],
    queryFn: ({ signal }) => api.logs.detail.query({ id: id() }, { signal }),
  }));
  const missing = () => query.isError && isMissing(query.error);
  return { query, missing };
}

export type StoredPrompt = Answers["logs"]["prompt"];

/** What was asked and answered, if it is stored: never loaded before someone wants to see it. */
export function useStoredPrompt(id: Accessor<string>, wanted: Accessor<boolean>) {
  return useQuery(() => ({
    queryKey: ["logs", "prompt", id()],
    queryFn: ({ signal }) => api.logs.prompt.query({ id: id() }, { signal }),
    enabled: wanted(),
    retry: false,
  }));
}
