// The menus of a filter bar for lists in the address: projects, keys and models.
import type { Accessor } from "solid-js";
import { useModels } from "../../lib/queries.ts";
import { useKeyNames } from "../keys/use-key-names.ts";
import { useFilterableProjects, useSeveralProjects } from "../projects/projects.tsx";
import type { FilterGroup } from "./request-filters.tsx";

type ListName = "projects" | "keys" | "models";
type ListedView = {
  readonly get: (name: ListName) => readonly string[];
  readonly set: (change: { readonly [Name in ListName]?: string[] }) => void;
};

/** Projects only where there are several, or one is chosen. */
export function useFilterGroups(view: ListedView): Accessor<readonly FilterGroup[]> {
  const several = useSeveralProjects();
  const projects = useFilterableProjects();
  const keys = useKeyNames();
  const models = useModels();
  // Getters: a menu that is open stays open while what it lists changes.
  const groupOf = (id: ListName, label: string, options: () => FilterGroup["options"]) => ({
    id,
    label,
    get options() {
      return options();
    },
    get chosen() {
      return view.get(id);
    },
    onChange: (chosen: string[]) => view.set({ [id]: chosen }),
  });
  const ofProjects = groupOf("projects", "Projects", projects);
  const others = [
    groupOf("keys", "Keys", () => keys().map(({ id, name }) => ({ value: id, label: name }))),
    groupOf("models", "Models", () =>
      (models.data ?? []).map(({ id }) => ({ value: id, label: id })),
    ),
  ];
  return () => (several() || view.get("projects").length > 0 ? [ofProjects, ...others] : others);
}
