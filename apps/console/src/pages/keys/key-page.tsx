// What does this key do, and what may it do? Its spending, its limits and when they reset, its models, its errors.
import { A, useParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { counted } from "../../lib/plural.ts";
import { isMissing } from "../../lib/read-failure.ts";
import { useMay, useTimeZone } from "../../lib/session.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useQuery } from "../../lib/use-query.ts";
import { ProjectName, useSeveralProjects } from "../../product/projects/projects.tsx";
import { SpendChart } from "../../product/usage/spend-chart.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button, ButtonLink } from "../../ui/buttons/button.tsx";
import { Chart } from "../../ui/charts/charts.tsx";
import { Time } from "../../ui/figures/figures.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { MenuPlace } from "../../ui/states/skeleton.tsx";
import { countColumn, sumColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { changeKey } from "./change-key.tsx";
import { LimitReached, NoMoney } from "./key-banners.tsx";
import { KeyHistory } from "./key-history.tsx";
import { LimitsCard } from "./key-limits-card.tsx";
import { KeyStatus } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";

// Menus and dialogs load after the page is drawn.
const KeyMenu = lazy(loadOnce(() => import("./key-menu.tsx")));

const GuardrailCard = lazy(loadOnce(() => import("../../product/guardrails/guardrail-card.tsx")));

type Detail = Answers["keys"]["detail"];

const liveMs = 30_000;

export default function KeyPage(): JSX.Element {
  const params = useParams<{ id: string }>();
  const timeZone = useTimeZone();
  const mayChange = useMay("keys.change");
  const query = useQuery(() => ({
    queryKey: [...keysQueryKey, "detail", params.id, timeZone()],
    queryFn: ({ signal }) =>
      api.keys.detail.query({ id: params.id, timeZone: timeZone() }, { signal }),
    refetchInterval: liveMs,
  }));
  usePageTitle(() => query.data?.key.name);
  for (const kind of ["edit", "move", "rotate", "revoke"] as const) {
    const begin = () => {
      const key = query.data?.key;
      if (key && key.status !== "revoked" && mayChange()) changeKey[kind](key);
    };
    useAsked(`key-${kind}`, begin, () => query.data !== undefined);
  }
  const missing = () => query.isError && isMissing(query.error);
  return (
    <Show when={!missing()} fallback={<NotFoundPage />}>
      <Loaded query={query} what="this key">
        {(detail) => <KeyDetail detail={detail()} />}
      </Loaded>
    </Show>
  );
}

type KeyDetailProps = { detail: Detail };

function KeyDetail(props: KeyDetailProps): JSX.Element {
  const key = () => props.detail.key;
  const timeZone = useTimeZone();
  const mayChange = useMay("keys.change");
  const several = useSeveralProjects();
  return (
    <div class="flex flex-col gap-5">
      <PageHeader
        description={
          <span class="inline-flex flex-wrap items-center gap-3">
            <span translate="no" class="font-mono text-xs">
              {key().masked}
            </span>
            <KeyStatus of={key()} />
            <Show when={several()}>
              <A href={`/keys?projects=${key().projectId}`} class="link text-sm wrap-anywhere">
                <span class="sr-only">Project </span>
                <ProjectName id={key().projectId} />
              </A>
            </Show>
            <Show when={mayChange() && key().previousUntil}>
              <Button size="small" changes onClick={() => changeKey.endPrevious(key())}>
                Revoke old secret
              </Button>
            </Show>
          </span>
        }
        actions={
          <div class="flex items-center gap-2">
            <ButtonLink href={`/usage?range=30d&keys=${key().id}`} class="grow">
              View usage
            </ButtonLink>
            <ButtonLink href={`/logs?keys=${key().id}`} class="grow">
              View logs
            </ButtonLink>
            <Show when={mayChange()}>
              <Suspense fallback={<MenuPlace />}>
                <KeyMenu of={key()} />
              </Suspense>
            </Show>
          </div>
        }
      />
      <NoMoney of={key()} />
      <LimitReached of={key()} onRaise={() => changeKey.edit(key())} />
      <KeyCharts series={props.detail.series} name={key().name} timeZone={timeZone()} />
      <LimitsCard
        of={key()}
        onEdit={mayChange() && key().status !== "revoked" ? () => changeKey.edit(key()) : undefined}
      />
      <Guardrail of={key()} />
      <div class="grid gap-5 lg:grid-cols-2">
        <TableCard
          title="Top models, last 30 days"
          columns={modelColumns}
          rows={props.detail.topModels}
          empty="No requests in the last 30 days."
          rowKey={(row) => row.model}
        />
        <TableCard
          title="Recent errors"
          columns={errorColumns}
          rows={props.detail.recentErrors}
          empty="No errors."
          rowKey={(row) => row.id}
          rowHref={(row) => `/logs?id=${row.id}`}
        />
      </div>
      <KeyHistory of={props.detail} />
    </div>
  );
}

/** A revoked key makes no calls. */
function Guardrail(props: { of: Detail["key"] }): JSX.Element {
  return (
    <Show when={props.of.status !== "revoked"}>
      <Suspense>
        <GuardrailCard kind="key" subjectId={props.of.id} alsoRefreshes={[keysQueryKey]} />
      </Suspense>
    </Show>
  );
}

type KeyChartsProps = { series: Detail["series"]; name: string; timeZone: string };

/** Nothing for a key that has not been used yet. */
function KeyCharts(props: KeyChartsProps): JSX.Element {
  const one = (value: string) => [{ id: "key", label: props.name, value }];
  const total = () => props.series.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <Show when={total() > 0}>
      <div class="grid gap-5 lg:grid-cols-2">
        <SpendChart
          title="Spend, USD per day"
          buckets={props.series.map(({ day, costUsd }) => ({
            at: day,
            groups: one(costUsd),
          }))}
          size="day"
          groupBy="key"
          timeZone={props.timeZone}
        />
        <Chart
          title="Requests per day"
          kind="bars"
          unit="count"
          size="day"
          timeZone={props.timeZone}
          buckets={props.series.map(({ day, requests }) => ({
            at: day,
            groups: one(String(requests)),
          }))}
          summary={`${counted(total(), "request")} in 30 days`}
          fileName="requests"
        />
      </div>
    </Show>
  );
}

const modelColumns: readonly Column<Detail["topModels"][number]>[] = [
  {
    id: "model",
    title: "Model",
    cell: (row) => <span translate="no">{row.model}</span>,
    class: "wrap-anywhere",
  },
  countColumn("requests", "Requests", (row) => row.requests),
  sumColumn("cost", "Cost", (row) => row.costUsd),
];

const errorColumns: readonly Column<Detail["recentErrors"][number]>[] = [
  { id: "error", title: "Error", cell: (row) => row.errorCode },
  { id: "status", title: "Status", align: "end", cell: (row) => row.status },
  {
    id: "model",
    title: "Model",
    cell: (row) => <span translate="no">{row.model || noData}</span>,
    class: "wrap-anywhere",
  },
  { id: "when", title: "When", cell: (row) => <Time at={row.at} absolute="second" inRow /> },
];
