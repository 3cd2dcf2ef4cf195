// Usage: what was used, what did it cost, and why? A measure by one dimension or two, each number a link to its
// requests.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { namesOf } from "../../lib/names-of.ts";
import { NoRequests } from "../../product/filters/no-requests.tsx";
import type { Key } from "../../product/keys/key-spend.tsx";
import { useKeyNames } from "../../product/keys/use-key-names.ts";
import { CoverageNote } from "../../product/usage/coverage-note.tsx";
import { Updated } from "../../product/usage/updated.tsx";
import { Button, ButtonLink } from "../../ui/buttons/button.tsx";
import { ChartSkeleton } from "../../ui/charts/charts.tsx";
import { ChartNoAxesColumn } from "../../ui/icons.ts";
import { Asked } from "../../ui/layout/asked.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Tabs } from "../../ui/menus/tabs.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { tabNames } from "./measures.ts";
import { CardsSkeleton, UsageCards } from "./usage-cards.tsx";
import { Shape, UsageFilters } from "./usage-filters.tsx";
import { type ExploredQuery, type Usage, useUsage } from "./use-usage.ts";
import { type UsageView, useUsageView } from "./use-usage-view.ts";

const loadBreakdown = loadOnce(() => import("./breakdown.tsx"));
const Breakdown = lazy(loadBreakdown);
const ErrorsView = lazy(loadOnce(() => import("./errors-view.tsx")));
const ExportMenu = lazy(loadOnce(() => import("./export-menu.tsx")));
const LimitsPanel = lazy(loadOnce(() => import("./limits-panel.tsx")));
const loadChart = loadOnce(() => import("./measure-chart.tsx"));
const MeasureChart = lazy(loadChart);
const PivotTable = lazy(loadOnce(() => import("./pivot-table.tsx")));
const SavedViews = lazy(loadOnce(() => import("./saved-views.tsx")));
const UnusualDays = lazy(loadOnce(() => import("./unusual-days.tsx")));

const tabs = namesOf(tabNames).map((id) => ({ id, label: tabNames[id] }));

export default function UsagePage(): JSX.Element {
  const view = useUsageView();
  const keys = useKeyNames();
  const { usage, explored, age } = useUsage(view);
  // While the numbers load. A failure here recurs, and is shown, where it is drawn.
  Promise.all([loadChart(), loadBreakdown()]).catch(() => undefined);
  return (
    <>
      <PageHeader
        description="What your requests cost and why, exactly as in your Wallet."
        actions={
          <Show when={usage.data?.used !== false}>
            <Suspense fallback={<Button disabled>Views</Button>}>
              <SavedViews />
            </Suspense>
            <Asked as="export-usage">
              <Suspense fallback={<Button disabled>Export</Button>}>
                <ExportMenu usage={usage.data} explored={explored.data} view={view} />
              </Suspense>
            </Asked>
          </Show>
        }
      />
      <UsageFilters view={view} end={<Updated query={age} />} />
      <Loaded query={usage} what="your usage" skeleton={<PageSkeleton />}>
        {(found) => (
          <Show
            when={found().cards.requests > 0}
            fallback={<NothingThere used={found().used} view={view} />}
          >
            <UsageBody
              usage={found()}
              explored={explored}
              view={view}
              keys={keys()}
              busy={usage.isPlaceholderData}
            />
          </Show>
        )}
      </Loaded>
      <div class="mt-5">
        <Suspense>
          <LimitsPanel keys={keys()} />
        </Suspense>
      </div>
    </>
  );
}

type UsageBodyProps = {
  usage: Usage;
  explored: ExploredQuery;
  view: UsageView;
  keys: readonly Key[];
  busy: boolean;
};

function UsageBody(props: UsageBodyProps): JSX.Element {
  const hasUnits = () =>
    props.view.tab() === "units" || Object.keys(props.usage.cards.units).length > 0;
  const unusual = () => props.explored.data?.unusual ?? [];
  return (
    <div class="flex flex-col gap-5">
      <CoverageNote from={props.usage.coveredFrom} />
      <UsageCards usage={props.usage} view={props.view} />
      <Tabs
        label="Views"
        tabs={tabs.filter(({ id }) => id !== "units" || hasUnits())}
        value={props.view.tab()}
        onChange={props.view.setTab}
        panelClass="flex flex-col gap-4 pt-4"
      >
        <Shape view={props.view} />
        <Suspense fallback={<ChartSkeleton title="Usage" />}>
          <MeasureChart {...props} />
        </Suspense>
        <Show when={unusual().length > 0}>
          <Suspense>
            <UnusualDays days={unusual()} view={props.view} />
          </Suspense>
        </Show>
        <Show when={props.view.tab() === "errors"}>
          <Suspense fallback={<SkeletonRows />}>
            <ErrorsView {...props} />
          </Suspense>
        </Show>
      </Tabs>
      <Suspense fallback={<SkeletonRows />}>
        <Show when={props.view.isPivot()} fallback={<Breakdown {...props} />}>
          <Loaded query={props.explored} what="your usage">
            {(found) => (
              <PivotTable
                found={found()}
                view={props.view}
                keys={props.keys}
                busy={props.explored.isPlaceholderData}
              />
            )}
          </Loaded>
        </Show>
      </Suspense>
    </div>
  );
}

function PageSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <CardsSkeleton />
      <div class="pt-[105px]">
        <ChartSkeleton title="Spend" />
      </div>
    </div>
  );
}

function NothingThere(props: { used: boolean; view: UsageView }): JSX.Element {
  return (
    <Card flush>
      <Show
        when={props.used}
        fallback={
          <EmptyState
            title="No usage yet."
            icon={<ChartNoAxesColumn class="size-5" />}
            action={
              <ButtonLink href="/docs/quickstart" variant="primary">
                Open quickstart
              </ButtonLink>
            }
          />
        }
      >
        <NoRequests view={props.view} icon={<ChartNoAxesColumn class="size-5" />} />
      </Show>
    </Card>
  );
}
