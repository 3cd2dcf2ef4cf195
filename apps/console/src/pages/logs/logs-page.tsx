// What happened to my requests? The list is one request; bodies are never loaded.
import { keepPreviousData } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { plural } from "../../lib/plural.ts";
import { useQuery } from "../../lib/use-query.ts";
import { FirstCallSnippet } from "../../product/connect/first-call-snippet.tsx";
import { NoRequests } from "../../product/filters/no-requests.tsx";
import { useProjects } from "../../product/projects/use-projects.ts";
import { Updated } from "../../product/usage/updated.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { ChartSkeleton } from "../../ui/charts/charts.tsx";
import { Switch } from "../../ui/forms/choices.tsx";
import { ListIcon } from "../../ui/icons.ts";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { LogFilters } from "./log-filters.tsx";
import { LogHistogram } from "./log-histogram.tsx";
import { LogRows } from "./log-table.tsx";
import { type LogsView, useLogsView } from "./use-logs-view.ts";

const LogSheet = lazy(loadOnce(() => import("./log-sheet.tsx")));
const CompareRequests = lazy(loadOnce(() => import("./compare-requests.tsx")));
const LiveList = lazy(loadOnce(() => import("./live-list.tsx")));

type Page = Answers["logs"]["list"];

export default function LogsPage(): JSX.Element {
  const view = useLogsView();
  // Once loaded it stays: its dialog returns the focus when it closes.
  const compares = createMemo((before: boolean) => before || view.chosenId() !== undefined, false);
  const query = useQuery(() => ({
    queryKey: ["logs", "list", ...view.key()],
    queryFn: ({ signal }) => api.logs.list.query(view.input(new Date()), { signal }),
    placeholderData: keepPreviousData,
  }));
  return (
    <>
      <PageHeader
        description="Every request, its outcome and its cost. If very many are refused, some of those are omitted."
        actions={<Switch label="Live" checked={view.get("live")} onChange={view.setLive} />}
      />
      <StoredNotice />
      <LogFilters view={view} end={<Updated query={query} />} />
      <Loaded query={query} what="your requests" skeleton={<PageSkeleton />}>
        {(page) => <LogList page={page()} view={view} busy={query.isPlaceholderData} />}
      </Loaded>
      <Suspense>
        <LogSheet view={view} />
        <Show when={compares()}>
          <CompareRequests view={view} />
        </Show>
      </Suspense>
    </>
  );
}

type LogListProps = { page: Page; view: LogsView; busy: boolean };

function LogList(props: LogListProps): JSX.Element {
  const empty = () => <NothingThere used={props.page.used} view={props.view} />;
  const plain = () => (
    <LogRows rows={props.page.rows} view={props.view} busy={props.busy} empty={empty()} />
  );
  return (
    <div class="flex flex-col gap-5">
      <Show when={props.page.used && props.page.histogram}>
        {(bars) => <LogHistogram bars={bars()} view={props.view} busy={props.busy} />}
      </Show>
      <Show
        when={props.view.get("live")}
        fallback={
          <>
            {plain()}
            <Pages page={props.page} view={props.view} />
          </>
        }
      >
        <Suspense fallback={plain()}>
          <LiveList
            pageRows={props.page.rows}
            view={props.view}
            busy={props.busy}
            empty={empty()}
          />
        </Suspense>
      </Show>
    </div>
  );
}

function Pages(props: { page: Page; view: LogsView }): JSX.Element {
  const next = () => props.page.nextCursor;
  const hasNewer = () => props.view.get("cursor").length > 0;
  return (
    <Show when={hasNewer() || next() !== null}>
      <nav aria-label="Pages of requests" class="flex justify-center gap-2">
        <Button disabled={!hasNewer()} onClick={() => props.view.turnToNewer()}>
          Newer
        </Button>
        <Button disabled={next() === null} onClick={() => props.view.turnToOlder(next() ?? "")}>
          Older
        </Button>
      </nav>
    </Show>
  );
}

function NothingThere(props: { used: boolean; view: LogsView }): JSX.Element {
  return (
    <Show
      when={props.used}
      fallback={
        <EmptyState title="No requests yet." icon={<ListIcon class="size-5" />}>
          <FirstCallSnippet label="First request" />
        </EmptyState>
      }
    >
      <NoRequests view={props.view} icon={<ListIcon class="size-5" />} />
    </Show>
  );
}

function PageSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <ChartSkeleton title="Requests over time" short />
      <Card flush>
        <SkeletonRows rows={10} />
      </Card>
    </div>
  );
}

/** Tells every member which projects store what is asked and answered. */
function StoredNotice(): JSX.Element {
  const query = useProjects();
  const names = () =>
    (query.data ?? []).filter(({ promptDays }) => promptDays !== null).map(({ name }) => name);
  return (
    <Show when={names().length > 0}>
      <Banner tone="neutral">
        Prompts and answers of {plural(names().length, "", "the projects ")}
        {names().join(", ")} are stored. Owners and admins see all, developers those of their own
        keys.
      </Banner>
    </Show>
  );
}
