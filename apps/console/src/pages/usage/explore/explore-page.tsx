// Explore: any measure by any two dimensions over any range, as a chart and as a table, each number a link to its
// requests in Logs.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../../lib/api.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { Asked } from "../../../ui/asked.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ChartSkeleton } from "../../../ui/charts/charts.tsx";
import { SelectControl } from "../../../ui/choices.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { CoverageNote } from "../../shared/coverage-note.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import type { Key } from "../../shared/key-spend.tsx";
import { Updated } from "../../shared/updated.tsx";
import { useKeyNames } from "../../shared/use-key-names.ts";
import { NoRequests } from "../no-requests.tsx";
import { useUsageFilters } from "../usage-filters.tsx";
import { type Dimension, dimensionNames, type Measure, measures } from "./dimensions.ts";
import { ExploreChart, type Explored } from "./explore-chart.tsx";
import { ExploreTable, exportTable } from "./explore-table.tsx";
import { SavedViews } from "./saved-views.tsx";
import { UnusualDays } from "./unusual-days.tsx";
import { type ExploreView, useExploreView } from "./use-explore-view.ts";

export default function ExplorePage(): JSX.Element {
  const view = useExploreView();
  const keys = useKeyNames();
  const query = useQuery(() => ({
    queryKey: ["usage", "explore", ...view.key()],
    queryFn: ({ signal }) => api.usage.explore.query(view.input(new Date()), { signal }),
    // Numbers of one measure would be shown in the unit of another.
    placeholderData: (previous, query) =>
      [2, 3, 4].every((at) => query?.queryKey[at] === view.key()[at - 2]) ? previous : undefined,
  }));
  const groups = useUsageFilters({
    view,
    get keys() {
      return keys();
    },
  });
  return (
    <>
      <PageHeader
        description="Any measure by any two dimensions. Numbers lead to their requests."
        actions={
          <>
            <SavedViews />
            <Asked as="export-explored">
              <Button
                disabled={query.data === undefined}
                onClick={() => query.data && exportTable(query.data, view)}
              >
                Export CSV
              </Button>
            </Asked>
          </>
        }
      />
      <FilterBar view={view} groups={groups()} end={<Updated query={query} />} />
      <Shape view={view} />
      <Loaded query={query} what="your usage" skeleton={<ChartSkeleton title="Usage" />}>
        {(found) => (
          <Show when={found().rows.length > 0} fallback={<Nothing view={view} />}>
            <Found found={found()} view={view} keys={keys()} busy={query.isPlaceholderData} />
          </Show>
        )}
      </Loaded>
    </>
  );
}

function Shape(props: { view: ExploreView }): JSX.Element {
  const dimensions = entriesOf<Dimension>(dimensionNames, (name) => name);
  return (
    <div class="mb-4 flex flex-wrap items-center gap-2">
      <SelectControl
        label="Measure"
        small
        value={props.view.measure()}
        onChange={props.view.setMeasure}
        choices={entriesOf<Measure, { name: string }>(measures, ({ name }) => name)}
      />
      <SelectControl
        label="Rows"
        small
        value={props.view.rows()}
        onChange={props.view.setRows}
        choices={dimensions.map(({ value, label }) => ({ value, label: `By ${lower(label)}` }))}
      />
      <SelectControl
        label="Columns"
        small
        value={props.view.columns() ?? ""}
        onChange={props.view.setColumns}
        choices={[
          { value: "" as const, label: "One column" },
          ...dimensions
            .filter(({ value }) => value !== props.view.rows())
            .map(({ value, label }) => ({ value, label: `and by ${lower(label)}` })),
        ]}
      />
    </div>
  );
}

function lower(name: string): string {
  return name.toLowerCase();
}

/** The entries of a complete table, in its order. */
function entriesOf<Name extends string, Facts = string>(
  table: Readonly<Record<Name, Facts>>,
  print: (facts: Facts) => string,
): readonly { readonly value: Name; readonly label: string }[] {
  return namesOf(table).map((value) => ({ value, label: print(table[value]) }));
}

/** `Object.keys` of an object literal that has exactly the keys of its type. */
function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}

type FoundProps = { found: Explored; view: ExploreView; keys: readonly Key[]; busy: boolean };

function Found(props: FoundProps): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <CoverageNote from={props.found.coveredFrom} />
      <ExploreChart found={props.found} view={props.view} busy={props.busy} />
      <UnusualDays days={props.found.unusual} view={props.view} />
      <ExploreTable {...props} />
    </div>
  );
}

function Nothing(props: { view: ExploreView }): JSX.Element {
  return (
    <Card flush>
      <NoRequests view={props.view} />
    </Card>
  );
}
