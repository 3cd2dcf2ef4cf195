// Logs: what happened to each request. The list is one request; bodies are never loaded.

import { keepPreviousData } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { chatModelsOf, useModels } from "../../lib/queries.ts";
import { useConfig } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ChartSkeleton } from "../../ui/charts/charts.tsx";
import { Switch } from "../../ui/choices.tsx";
import { CodeSnippet } from "../../ui/code-snippet.tsx";
import { ListIcon } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { firstCallSnippets } from "../shared/snippets.ts";
import { Updated } from "../shared/updated.tsx";
import { useKeyNames } from "../shared/use-key-names.ts";
import { LogFilters } from "./log-filters.tsx";
import { LogHistogram } from "./log-histogram.tsx";
import { LogRows } from "./log-rows.tsx";
import { StoredNotice } from "./stored-notice.tsx";
import { useComparison } from "./use-comparison.ts";
import { type LogsView, useLogsView } from "./use-logs-view.ts";

const LogSheet = lazy(
  loadOnce(async () => ({ default: (await import("./log-sheet.tsx")).LogSheet })),
);
const CompareRequests = lazy(
  loadOnce(async () => ({ default: (await import("./compare-requests.tsx")).CompareRequests })),
);
const LiveList = lazy(
  loadOnce(async () => ({ default: (await import("./live-list.tsx")).LiveList })),
);

type Page = Answers["logs"]["list"];

export default function LogsPage(): JSX.Element {
  const view = useLogsView();
  const comparison = useComparison();
  // Once loaded it stays: its dialog returns the focus when it closes.
  const compares = createMemo(
    (before: boolean) => before || comparison.chosen() !== undefined,
    false,
  );
  const keys = useKeyNames();
  const query = useQuery(() => ({
    queryKey: ["logs", "list", ...view.key()],
    queryFn: ({ signal }) => api.logs.list.query(view.input(new Date()), { signal }),
    placeholderData: keepPreviousData,
  }));
  return (
    <>
      <PageHeader
        description="Every request, its outcome and its cost. If very many are refused, some of those are omitted."
        actions={<Switch label="Live" checked={view.live()} onChange={view.setLive} />}
      />
      <StoredNotice />
      <LogFilters view={view} keys={keys()} end={<Updated query={query} />} />
      <Loaded query={query} what="your requests" skeleton={<PageSkeleton />}>
        {(page) => <LogList page={page()} view={view} busy={query.isPlaceholderData} />}
      </Loaded>
      <Suspense>
        <LogSheet view={view} comparison={comparison} />
        <Show when={compares()}>
          <CompareRequests comparison={comparison} />
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
        when={props.view.live()}
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
  return (
    <Show when={props.view.hasNewer() || next() !== null}>
      <nav aria-label="Pages of requests" class="flex justify-center gap-2">
        <Button disabled={!props.view.hasNewer()} onClick={() => props.view.turnToNewer()}>
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
  const filtered = () => props.view.filterCount() > 0;
  return (
    <Show
      when={props.used}
      fallback={
        <EmptyState title="No requests yet." icon={<ListIcon class="size-5" />}>
          <FirstCall />
        </EmptyState>
      }
    >
      <EmptyState
        title={filtered() ? "No requests match." : "No requests in this range."}
        icon={<ListIcon class="size-5" />}
        action={
          <Show
            when={filtered()}
            fallback={
              <Button onClick={() => props.view.setRange({ name: "30d" })}>Last 30 days</Button>
            }
          >
            <Button onClick={() => props.view.clear()}>Clear filters</Button>
          </Show>
        }
      />
    </Show>
  );
}

function FirstCall(): JSX.Element {
  const config = useConfig();
  const models = useModels();
  const facts = () => {
    const model = chatModelsOf(models.data)[0]?.id;
    if (config.data === undefined || model === undefined) return undefined;
    return { baseUrl: config.data.apiBaseUrl, model };
  };
  return (
    <Show when={facts()}>
      {(known) => <CodeSnippet snippets={firstCallSnippets(known())} label="First request" />}
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
