// One API key: its spending, its limits and when they reset, its models, its errors.
import { A, useParams, useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createEffect, createSignal, For, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import {
  decimalsOfSums,
  formatAmount,
  formatCount,
  formatDateTime,
  noData,
} from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useMay, useTimeZone, useWallet } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Chart } from "../../ui/charts/charts.tsx";
import { Money, Time, Tokens } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { type Key, type PeriodName, SpendMeter, tightestPeriod } from "../shared/key-spend.tsx";
import { ProjectName, useSeveralProjects } from "../shared/projects.tsx";
import { SpendChart } from "../shared/spend-chart.tsx";
import type { KeyChange } from "./change-key-dialogs.tsx";
import { KeyHistory } from "./key-history.tsx";
import { KeyMenu } from "./key-menu.tsx";
import { KeyStatus, useBlocked, useReset } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";
import { t } from "./texts.ts";

// The dialogs load after the page is drawn.
const ChangeKeyDialogs = lazy(
  loadOnce(async () => ({ default: (await import("./change-key-dialogs.tsx")).ChangeKeyDialogs })),
);

type Detail = Answers["keys"]["detail"];

const liveMs = 30_000;

export default function KeyPage(): JSX.Element {
  const params = useParams<{ id: string }>();
  const timeZone = useTimeZone();
  const [change, setChange] = createSignal<KeyChange>();
  const mayChange = useMay("keys.change");
  const query = useQuery(() => ({
    queryKey: [...keysQueryKey, "detail", params.id, timeZone()],
    queryFn: ({ signal }) =>
      api.keys.detail.query({ id: params.id, timeZone: timeZone() }, { signal }),
    refetchInterval: liveMs,
  }));
  usePageTitle(() => query.data?.key.name);
  // A link of another page, such as "Raise limit", opens the dialog once.
  const [search, setSearch] = useSearchParams<{ edit?: string }>();
  createEffect(() => {
    const key = query.data?.key;
    if (search.edit === undefined || key === undefined) return;
    setSearch({ edit: undefined }, { replace: true });
    if (key.status !== "revoked" && mayChange()) setChange({ kind: "edit", key });
  });
  return (
    <>
      <Loaded query={query} what={t("detail.what")}>
        {(detail) => <KeyDetail detail={detail()} onChange={setChange} />}
      </Loaded>
      <Suspense>
        <ChangeKeyDialogs change={change()} onClose={() => setChange(undefined)} />
      </Suspense>
    </>
  );
}

type KeyDetailProps = { detail: Detail; onChange: (change: KeyChange) => void };

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
            <span class="font-mono text-xs">{key().masked}</span>
            <KeyStatus of={key()} />
            <Show when={several()}>
              <A href={`/keys?projects=${key().projectId}`} class="link text-sm wrap-anywhere">
                <span class="sr-only">{t("list.project")} </span>
                <ProjectName id={key().projectId} />
              </A>
            </Show>
            <Show when={mayChange() && key().previousUntil}>
              <Button
                size="small"
                changes
                onClick={() => props.onChange({ kind: "endPrevious", key: key() })}
              >
                {t("actions.endPrevious")}
              </Button>
            </Show>
          </span>
        }
        actions={
          <div class="flex items-center gap-2">
            <ButtonLink href={`/logs?keys=${key().id}`} class="grow">
              {t("actions.logs")}
            </ButtonLink>
            <Show when={mayChange()}>
              <KeyMenu of={key()} onChange={props.onChange} />
            </Show>
          </div>
        }
      />
      <NoMoney of={key()} />
      <LimitReached of={key()} onRaise={() => props.onChange({ kind: "edit", key: key() })} />
      <KeyCharts series={props.detail.series} name={key().name} timeZone={timeZone()} />
      <LimitsCard of={key()} />
      <div class="grid gap-5 lg:grid-cols-2">
        <Card title={t("detail.models")} flush>
          <Show
            when={props.detail.topModels.length > 0}
            fallback={<p class="p-5 text-muted">{t("detail.noModels")}</p>}
          >
            <Table
              caption={t("detail.models")}
              columns={modelColumns}
              rows={props.detail.topModels}
              rowKey={(row) => row.model}
            />
          </Show>
        </Card>
        <Card title={t("detail.errors")} flush>
          <Show
            when={props.detail.recentErrors.length > 0}
            fallback={<p class="p-5 text-muted">{t("detail.noErrors")}</p>}
          >
            <Table
              caption={t("detail.errors")}
              columns={errorColumns}
              rows={props.detail.recentErrors}
              rowKey={(row) => row.id}
              rowHref={(row) => `/logs?id=${row.id}`}
            />
          </Show>
        </Card>
      </div>
      <KeyHistory of={props.detail} />
    </div>
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
          title={t("detail.chart")}
          buckets={props.series.map(({ day, costUsd }) => ({
            at: day,
            groups: [{ id: "key", label: props.name, costUsd }],
          }))}
          size="day"
          groupBy="key"
          timeZone={props.timeZone}
        />
        <Chart
          title={t("detail.requestsChart")}
          kind="bars"
          unit="count"
          size="day"
          timeZone={props.timeZone}
          buckets={props.series.map(({ day, requests }) => ({
            at: day,
            groups: one(String(requests)),
          }))}
          summary={t("detail.requestsTotal", { count: total(), total: formatCount(total()) })}
          fileName="requests"
        />
      </div>
    </Show>
  );
}

/** Why the key is refused, and until when. */
function LimitReached(props: { of: Key; onRaise: () => void }): JSX.Element {
  const name = () => (props.of.status === "limit_reached" ? tightestPeriod(props.of) : undefined);
  return (
    <Show when={name()}>
      {(period) => (
        <Banner
          tone="danger"
          action={
            <Button size="small" onClick={props.onRaise}>
              {t("detail.raise")}
            </Button>
          }
        >
          {describeReached(props.of, period())}
        </Banner>
      )}
    </Show>
  );
}

/** The banner of every page says this only for an account that had a balance before. */
function NoMoney(props: { of: Key }): JSX.Element {
  const blocked = useBlocked(() => props.of);
  const wallet = useWallet();
  return (
    <Show when={blocked() === "noMoney" && wallet.data?.funded === false}>
      <Banner
        tone="danger"
        action={
          <ButtonLink size="small" href="/wallet?add=1">
            {t("detail.addFunds")}
          </ButtonLink>
        }
      >
        {t("detail.noMoney", { name: props.of.name })}
      </Banner>
    </Show>
  );
}

const reached = {
  day: "detail.reachedDay",
  week: "detail.reachedWeek",
  month: "detail.reachedMonth",
  total: "detail.reached",
} as const satisfies Record<PeriodName, unknown>;

function describeReached(key: Key, name: PeriodName): string {
  const { limitUsd, resetsAt } = key.spend[name];
  const limit = formatAmount(limitUsd ?? "0");
  const at = resetsAt === null ? "" : useReset(resetsAt);
  return t(reached[name], { name: key.name, limit, in: at });
}

const modelColumns: readonly Column<Detail["topModels"][number]>[] = [
  { id: "model", title: t("detail.model"), cell: (row) => row.model, class: "wrap-anywhere" },
  {
    id: "requests",
    title: t("detail.requests"),
    align: "end",
    cell: (row) => <Tokens count={row.requests} />,
  },
  {
    id: "cost",
    title: t("detail.cost"),
    align: "end",
    decimals: (rows) => decimalsOfSums(rows.map((row) => row.costUsd)),
    cell: (row, decimals) => <Money usd={row.costUsd} decimals={decimals()} inRow />,
  },
];

const errorColumns: readonly Column<Detail["recentErrors"][number]>[] = [
  { id: "error", title: t("detail.error"), cell: (row) => row.errorCode },
  { id: "status", title: t("detail.status"), align: "end", cell: (row) => row.status },
  {
    id: "model",
    title: t("detail.model"),
    cell: (row) => row.model || noData,
    class: "wrap-anywhere",
  },
  {
    id: "when",
    title: t("detail.when"),
    cell: (row) => <Time at={row.at} absolute="second" inRow />,
  },
];

const periods = ["day", "week", "month", "total"] as const;

function LimitsCard(props: { of: Key }): JSX.Element {
  const limited = () => periods.filter((name) => props.of.spend[name].limitUsd !== null);
  const timeZone = useTimeZone();
  const others = () => otherLimits(props.of, timeZone());
  return (
    <Card title={t("detail.limits")}>
      <Show
        when={limited().length + others().length > 0}
        fallback={<p class="text-muted">{t("detail.noLimits")}</p>}
      >
        <ul class="flex flex-col gap-3">
          <For each={limited()}>
            {(name) => (
              <li class="flex flex-wrap items-center gap-x-4 gap-y-1">
                <SpendMeter name={name} period={props.of.spend[name]} />
                <Show when={props.of.spend[name].resetsAt}>
                  {(at) => (
                    <span class="text-sm text-muted">
                      {t("detail.resets", { in: useReset(at()) })}
                    </span>
                  )}
                </Show>
              </li>
            )}
          </For>
          <For each={others()}>{(text) => <li class="wrap-anywhere">{text}</li>}</For>
        </ul>
      </Show>
    </Card>
  );
}

function otherLimits({ limits, expiresAt }: Key, timeZone: string): readonly string[] {
  const { requestsPerMinute, tokensPerMinute, concurrency, allowedModels, allowedAddresses } =
    limits;
  return [
    requestsPerMinute !== null && t("detail.ratePerMinute", { count: requestsPerMinute }),
    tokensPerMinute !== null && t("detail.tokensPerMinute", { count: tokensPerMinute }),
    concurrency !== null && t("detail.atOnce", { count: concurrency }),
    allowedModels !== null && t("detail.onlyModels", { models: allowedModels.join(", ") }),
    allowedAddresses !== null &&
      t("detail.onlyAddresses", { addresses: allowedAddresses.join(", ") }),
    expiresAt !== null &&
      t("detail.expires", { at: formatDateTime(new Date(expiresAt), timeZone) }),
  ].filter((text) => text !== false);
}
