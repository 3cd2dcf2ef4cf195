// Projects where other pages name, choose or filter by them. Where there is only the default one, they show nothing.
import type { Accessor, JSX } from "solid-js";
import { createMemo } from "solid-js";
import { noData } from "../../lib/format.ts";
import { type Project, useProjects } from "./use-projects.ts";

/** False until it is known. */
export function useSeveralProjects(): Accessor<boolean> {
  const query = useProjects();
  return () => (query.data?.length ?? 0) > 1;
}

/** Those that keys can be created in and moved to, as choices. */
export function useProjectChoices() {
  const query = useProjects();
  return createMemo(() => (query.data ?? []).filter(isOpen).map(choiceOf));
}

function isOpen({ archivedAt }: Project): boolean {
  return archivedAt === null;
}

function choiceOf({ id, name, archivedAt }: Project) {
  const label = archivedAt === null ? name : `${name} (archived)`;
  return { value: String(id), label };
}

/** With archived ones, whose requests are still there. */
export function useFilterableProjects() {
  const query = useProjects();
  return createMemo(() => (query.data ?? []).map(choiceOf));
}

export function ProjectName(props: { id: string }): JSX.Element {
  const query = useProjects();
  return <>{query.data?.find(({ id }) => id === props.id)?.name ?? noData}</>;
}
