// Usage: what it cost and why. One response feeds cards, charts and table, so they cannot disagree.

import type { JSX } from "solid-js";
import { lazy, Match, Show, Suspense, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Asked } from "../../ui/asked.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ChartSkeleton } from "../../ui/charts/charts.tsx";
import { ChartNoAxesColumn } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { CoverageNote } from "../shared/coverage-note.tsx";
import { NoRequests } from "../shared/no-requests.tsx";
import { Updated } from "../shared/updated.tsx";
import { useKeyNames } from "../shared/use-key-names.ts";
import { Breakdown } from "./breakdown.tsx";
import { exportCsv, exportJson } from "./export-usage.ts";
import { LimitsPanel } from "./limits-panel.tsx";
import { CardsSkeleton, type Usage, UsageCards } from "./usage-cards.tsx";
import { PerformanceView, SpendView, TokensView } from "./usage-charts.tsx";
import { UsageFilters } from "./usage-filters.tsx";
import { type UsageView, usageTabs, useUsageView } from "./use-usage-view.ts";

const ErrorsView = lazy(() => import("./errors-view.tsx"));

const tabNames = {
  spend: "Spend",
  tokens: "Tokens",
  performance: "Performance",
  errors: "Errors",
} as const;

export default function UsagePage(): JSX.Element {
  const view = useUsageView();
  const keys = useKeyNames();
  const query = useQuery(() => ({
    queryKey: ["usage", "read", ...view.key()],
    queryFn: ({ signal }) => api.usage.read.query(view.input(new Date()), { signal }),
    // Rows of another grouping would be shown under the title of this one.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === view.get("group") ? previous : undefined,
  }));
  const shown = () => query.data;
  return (
    <>
      <PageHeader
        description="What your requests cost and why, exactly as in your Wallet."
        actions={
          <Show when={shown()?.used !== false}>
            <Asked as="export-usage">
              <ExportMenu usage={shown()} view={view} />
            </Asked>
          </Show>
        }
      />
      <UsageFilters view={view} end={<Updated query={query} />} />
      <Loaded query={query} what="your usage" skeleton={<PageSkeleton />}>
        {(usage) => (
          <Show
            when={usage().cards.requests > 0}
            fallback={<NothingThere used={usage().used} view={view} />}
          >
            <UsageBody usage={usage()} view={view} busy={query.isPlaceholderData} />
          </Show>
        )}
      </Loaded>
      <div class="mt-5">
        <LimitsPanel keys={keys()} />
      </div>
    </>
  );
}

type UsageBodyProps = { usage: Usage; view: UsageView; busy: boolean };

function UsageBody(props: UsageBodyProps): JSX.Element {
  const tabs = usageTabs.map((id) => ({ id, label: tabNames[id] }));
  return (
    <div class="flex flex-col gap-5">
      <CoverageNote from={props.usage.coveredFrom} />
      <UsageCards usage={props.usage} view={props.view} />
      <Tabs
        label="Views"
        tabs={tabs}
        value={props.view.get("tab")}
        onChange={(tab) => props.view.set({ tab })}
        panelClass="pt-4"
      >
        <Switch fallback={<SpendView {...props} />}>
          <Match when={props.view.get("tab") === "tokens"}>
            <TokensView {...props} />
          </Match>
          <Match when={props.view.get("tab") === "performance"}>
            <PerformanceView {...props} />
          </Match>
          <Match when={props.view.get("tab") === "errors"}>
            <Suspense fallback={<ChartSkeleton title="errors" />}>
              <ErrorsView {...props} />
            </Suspense>
          </Match>
        </Switch>
      </Tabs>
      <Breakdown {...props} />
    </div>
  );
}

function PageSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <CardsSkeleton />
      <div class="pt-[57px]">
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

function ExportMenu(props: { usage: Usage | undefined; view: UsageView }): JSX.Element {
  const save = (write: (usage: Usage) => void) => {
    if (props.usage) write(props.usage);
  };
  return (
    <Menu text="Export">
      <MenuItem onSelect={() => save((usage) => exportCsv(usage, props.view.get("group")))}>
        CSV
      </MenuItem>
      <MenuItem onSelect={() => save(exportJson)}>JSON</MenuItem>
    </Menu>
  );
}
