// The one filter bar of the usage page.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { useModels } from "../../lib/queries.ts";
import { Checkbox, SelectControl } from "../../ui/choices.tsx";
import { FilterBar, type FilterGroup } from "../shared/filter-bar.tsx";
import type { Key } from "../shared/key-spend.tsx";
import { useProjectFilter, useSeveralProjects } from "../shared/projects.tsx";
import { type UsageView, usageStatuses } from "./use-usage-view.ts";

const statusNames = {
  ok: "Succeeded",
  client_error: "Refused (4xx)",
  server_error: "Failed (5xx)",
  canceled: "Canceled",
} as const;

type UsageFiltersProps = { view: UsageView; keys: readonly Key[]; end: JSX.Element };

export function UsageFilters(props: UsageFiltersProps): JSX.Element {
  const { view } = props;
  const models = useModels();
  const projects = useProjectFilter(view.projectIds, view.setProjectIds);
  const several = useSeveralProjects();
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
      options: usageStatuses.map((value) => ({ value, label: statusNames[value] })),
      get chosen() {
        return view.statuses();
      },
      onChange: view.setStatuses,
    },
  ];
  return (
    <FilterBar view={view} groups={[...projects(), ...groups]} end={props.end}>
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
