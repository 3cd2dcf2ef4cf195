// The projects of the account that may be seen, archived ones too: old requests still belong to them.
import { type Answers, api } from "../../lib/api.ts";
import { useMay } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";

const minuteMs = 60_000;

export const projectsKey = ["projects", "list"] as const;

export type Project = Answers["projects"]["list"][number];

export function useProjects() {
  const mayRead = useMay("projects.read");
  return useQuery(() => ({
    queryKey: projectsKey,
    queryFn: ({ signal }) => api.projects.list.query(undefined, { signal }),
    staleTime: minuteMs,
    enabled: mayRead(),
  }));
}
