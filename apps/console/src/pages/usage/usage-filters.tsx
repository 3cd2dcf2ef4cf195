// The one filter bar of the usage page.
import type { Accessor, JSX } from "solid-js";
import { createMemo } from "solid-js";
import { useModels } from "../../lib/queries.ts";
import { Checkbox, SelectControl } from "../../ui/choices.tsx";
import { FilterBar, type FilterGroup } from "../shared/filter-bar.tsx";
import type { Key } from "../shared/key-spend.tsx";
import { useProjectFilter, useSeveralProjects } from "../shared/projects.tsx";
import { usageStatusNames } from "../shared/usage-names.ts";
import { type UsageView, usageStatuses } from "./use-usage-view.ts";

type UsageFiltersProps = { view: UsageView; keys: readonly Key[]; end: JSX.Element };

export function UsageFilters(props: UsageFiltersProps): JSX.Element {
  const { view } = props;
  const several = useSeveralProjects();
  const groups = useUsageFilters(props);
  return (
    <FilterBar view={view} groups={groups()} end={props.end}>
      <SelectControl
        label="Group by"
        small
        value={view.groupBy()}
        onChange={view.setGroupBy}
        choices={[
          { value: "model", label: "By model" },
          { value: "key", label: "By key" },
          ...(several() || view.groupBy() === "project"
            ? [{ value: "project" as const, label: "By project" }]
            : []),
          { value: "provider", label: "By provider" },
        ]}
      />
      <Checkbox
        label={<span class="block text-sm">Compare with previous period</span>}
        checked={view.compare()}
        onChange={view.setCompare}
      />
    </FilterBar>
  );
}

type FilterableView = Pick<
  UsageView,
  | "keyIds"
  | "setKeyIds"
  | "projectIds"
  | "setProjectIds"
  | "models"
  | "setModels"
  | "statuses"
  | "setStatuses"
>;

/** What usage is narrowed by, beside the range. */
export function useUsageFilters(
  props: Pick<UsageFiltersProps, "keys"> & { readonly view: FilterableView },
): Accessor<readonly FilterGroup[]> {
  const { view } = props;
  const models = useModels();
  const projects = useProjectFilter(view.projectIds, view.setProjectIds);
  const modelIds = createMemo(() => models.data?.map(({ id }) => id) ?? []);
  // Getters: a menu that is open stays open while what it lists changes.
  const groups: readonly FilterGroup[] = [
    {
      id: "keys",
      label: "Keys",
      get options() {
        return props.keys.map((key) => ({ value: key.id, label: key.name }));
      },
      get chosen() {
        return view.keyIds();
      },
      onChange: view.setKeyIds,
    },
    {
      id: "models",
      label: "Models",
      get options() {
        return modelIds().map((id) => ({ value: id, label: id }));
      },
      get chosen() {
        return view.models();
      },
      onChange: view.setModels,
    },
    {
      id: "status",
      label: "Status",
      options: usageStatuses.map((value) => ({ value, label: usageStatusNames[value] })),
      get chosen() {
        return view.statuses();
      },
      onChange: view.setStatuses,
    },
  ];
  return () => [...projects(), ...groups];
}
