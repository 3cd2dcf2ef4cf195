// What narrows Usage, and what it shows of that: the measure and the two dimensions.
import type { JSX } from "solid-js";
import { namesOf } from "../../lib/names-of.ts";
import { useFilterGroups } from "../../product/filters/filter-groups.ts";
import { type FilterGroup, RequestFilters } from "../../product/filters/request-filters.tsx";
import { useSeveralProjects } from "../../product/projects/projects.tsx";
import { usageStatusNames } from "../../product/usage/usage-names.ts";
import { Checkbox, choicesOf, SelectControl } from "../../ui/forms/choices.tsx";
import {
  type Dimension,
  dimensionNames,
  dimensions,
  isGroup,
  isOverview,
  measures,
  measuresOf,
} from "./measures.ts";
import type { UsageView } from "./use-usage-view.ts";

export function UsageFilters(props: { view: UsageView; end: JSX.Element }): JSX.Element {
  const { view } = props;
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
  return (
    <RequestFilters view={view} groups={[...groups(), status]} end={props.end}>
      <Checkbox
        label={<span class="block text-sm">Compare with previous period</span>}
        checked={view.get("compare")}
        onChange={(compare) => view.set({ compare })}
      />
    </RequestFilters>
  );
}

export function Shape(props: { view: UsageView }): JSX.Element {
  const { view } = props;
  const several = useSeveralProjects();
  const offered = (shown: Dimension | undefined) =>
    dimensions.filter((value) => several() || value !== "project" || value === shown);
  const choiceOf = (value: Dimension, before: string) => ({
    value,
    label: `${before} ${dimensionNames[value].toLowerCase()}`,
  });
  return (
    <div class="flex flex-wrap items-center gap-2">
      <SelectControl
        label="Measure"
        small
        value={view.measure()}
        onChange={(measure) => view.set({ measure, sort: undefined })}
        choices={measuresOf(view.tab())
          .filter((measure) => !(view.isPivot() && isOverview(measure)))
          .map((value) => ({ value, label: measures[value].name }))}
      />
      <SelectControl
        label="Group by"
        small
        value={view.rows()}
        onChange={view.setRows}
        choices={offered(view.rows()).map((value) => choiceOf(value, "By"))}
      />
      <SelectControl
        label="Columns"
        small
        value={view.columns() ?? ""}
        onChange={(columns) => view.set({ columns, sort: undefined })}
        choices={[
          { value: "" as const, label: isGroup(view.rows()) ? "All figures" : "One column" },
          ...offered(view.columns())
            .filter((value) => value !== view.rows())
            .map((value) => choiceOf(value, "and by")),
        ]}
      />
    </div>
  );
}
