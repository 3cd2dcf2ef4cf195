// The one filter bar of the usage page.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { useModels } from "../../lib/queries.ts";
import { Checkbox, SelectControl } from "../../ui/choices.tsx";
import { FilterBar, type FilterGroup } from "../shared/filter-bar.tsx";
import type { Key } from "../shared/key-spend.tsx";
import { useProjectFilter, useSeveralProjects } from "../shared/projects.tsx";
import { t } from "./texts.ts";
import { type UsageView, usageStatuses } from "./use-usage-view.ts";

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
      label: t("filter.keys"),
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
      label: t("filter.models"),
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
      label: t("filter.status"),
      options: usageStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
      get chosen() {
        return view.statuses();
      },
      onChange: view.setStatuses,
    },
  ];
  return (
    <FilterBar view={view} groups={[...projects(), ...groups]} end={props.end}>
      <SelectControl
        label={t("filter.groupBy")}
        small
        value={view.groupBy()}
        onChange={view.setGroupBy}
        choices={[
          { value: "model", label: t("filter.byModel") },
          { value: "key", label: t("filter.byKey") },
          ...(several() || view.groupBy() === "project"
            ? [{ value: "project" as const, label: t("filter.byProject") }]
            : []),
          { value: "provider", label: t("filter.byProvider") },
        ]}
      />
      <Checkbox
        label={<span class="block text-sm">{t("filter.compare")}</span>}
        checked={view.compare()}
        onChange={view.setCompare}
      />
    </FilterBar>
  );
}
