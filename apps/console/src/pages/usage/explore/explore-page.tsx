// Explore: any measure by any two dimensions over any range, as a chart and as a table, each number a link to its
// requests in Logs.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { api } from "../../../lib/api.ts";
import { loadOnce } from "../../../lib/load-once.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { Asked } from "../../../ui/asked.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ChartSkeleton } from "../../../ui/charts/charts.tsx";
import { SelectControl } from "../../../ui/choices.tsx";
import { ChartNoAxesColumn } from "../../../ui/icons.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { CoverageNote } from "../../shared/coverage-note.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import type { Key } from "../../shared/key-spend.tsx";
import { NoRequests } from "../../shared/no-requests.tsx";
import { Updated } from "../../shared/updated.tsx";
import { useKeyNames } from "../../shared/use-key-names.ts";
import { useUsageFilters } from "../usage-filters.tsx";
import {
  type Dimension,
  dimensionNames,
  dimensions,
  measureNames,
  measures,
} from "./dimensions.ts";
import { ExploreChart, type Explored } from "./explore-chart.tsx";
import { ExploreTable, exportTable } from "./explore-table.tsx";
import { UnusualDays } from "./unusual-days.tsx";
import { type ExploreView, useExploreView } from "./use-explore-view.ts";

const SavedViews = lazy(loadOnce(() => import("./saved-views.tsx")));

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
  const groups = useUsageFilters(view);
  return (
    <>
      <PageHeader
        description="Any measure by any two dimensions. Numbers lead to their requests."
        actions={
          <>
            <Suspense fallback={<Button disabled>Views</Button>}>
              <SavedViews />
            </Suspense>
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
          <Show
            when={found().rows.length > 0}
            fallback={
              <Card flush>
                <NoRequests view={view} icon={<ChartNoAxesColumn class="size-5" />} />
              </Card>
            }
          >
            <Found found={found()} view={view} keys={keys()} busy={query.isPlaceholderData} />
          </Show>
        )}
      </Loaded>
    </>
  );
}

function Shape(props: { view: ExploreView }): JSX.Element {
  const { view } = props;
  return (
    <div class="mb-4 flex flex-wrap items-center gap-2">
      <SelectControl
        label="Measure"
        small
        value={view.measure()}
        onChange={(measure) => view.set({ measure, sort: undefined })}
        choices={measureNames.map((value) => ({ value, label: measures[value].name }))}
      />
      <SelectControl
        label="Rows"
        small
        value={view.rows()}
        onChange={view.setRows}
        choices={dimensions.map((value) => ({ value, label: `By ${lower(value)}` }))}
      />
      <SelectControl
        label="Columns"
        small
        value={view.columns() ?? ""}
        onChange={(columns) => view.set({ columns, sort: undefined })}
        choices={[
          { value: "" as const, label: "One column" },
          ...dimensions
            .filter((value) => value !== view.rows())
            .map((value) => ({ value, label: `and by ${lower(value)}` })),
        ]}
      />
    </div>
  );
}

function lower(dimension: Dimension): string {
  return dimensionNames[dimension].toLowerCase();
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
