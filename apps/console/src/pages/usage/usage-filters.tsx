// What narrows the pages of usage beside the range, and the filter bar of Usage.
import type { Accessor, JSX } from "solid-js";
import { namesOf } from "../../lib/names-of.ts";
import { Checkbox, choicesOf, SelectControl } from "../../ui/choices.tsx";
import { FilterBar, type FilterGroup } from "../shared/filter-bar.tsx";
import { useFilterGroups } from "../shared/filter-groups.ts";
import { useSeveralProjects } from "../shared/projects.tsx";
import { usageStatusNames } from "../shared/usage-names.ts";
import type { NarrowedView, UsageView } from "./use-usage-view.ts";

type UsageFiltersProps = { view: UsageView; end: JSX.Element };

export function UsageFilters(props: UsageFiltersProps): JSX.Element {
  const { view } = props;
  const several = useSeveralProjects();
  const groups = useUsageFilters(view);
  return (
    <FilterBar view={view} groups={groups()} end={props.end}>
      <SelectControl
        label="Group by"
        small
        value={view.get("group")}
        onChange={(group) => view.set({ group })}
        choices={choicesOf({
          model: "By model",
          key: "By key",
          project: "By project",
          provider: "By provider",
        }).filter(({ value }) => several() || value !== "project" || view.get("group") === value)}
      />
      <Checkbox
        label={<span class="block text-sm">Compare with previous period</span>}
        checked={view.get("compare")}
        onChange={(compare) => view.set({ compare })}
      />
    </FilterBar>
  );
}

export function useUsageFilters(view: NarrowedView): Accessor<readonly FilterGroup[]> {
  const groups = useFilterGroups(view);
  const status: FilterGroup = {
    id: "status",
    label: "Status",
    options: choicesOf(usageStatusNames),
    get chosen() {
      return view.get("status");
    },
    onChange: (chosen) =>
      view.set({ status: namesOf(usageStatusNames).filter((known) => chosen.includes(known)) }),
  };
  return () => [...groups(), status];
}
