// What was asked and answered in one request, if it is stored: never loaded before someone wants to see it.
import type { Accessor } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";

export type StoredPrompt = Answers["logs"]["prompt"];

export function useStoredPrompt(id: Accessor<string>, wanted: Accessor<boolean>) {
  return useQuery(() => ({
    queryKey: ["logs", "prompt", id()],
    queryFn: ({ signal }) => api.logs.prompt.query({ id: id() }, { signal }),
    enabled: wanted(),
    retry: false,
  }));
}
