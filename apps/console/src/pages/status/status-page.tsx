// The public status: whether models work, what their last ninety days were like, and what operators say about
// incidents. It needs neither a session nor the database.
import type { JSX } from "solid-js";
import { createEffect, For, Show } from "solid-js";
import { formatDuration, formatShare, formatWait, noData } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Banner } from "../../ui/banner.tsx";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { HistoryBars } from "./history-bars.tsx";
import { IncidentList } from "./incident-list.tsx";
import { stateTones } from "./state-tones.ts";
import {
  type Component,
  fetchStatus,
  type ModelStatus,
  type StatusDocument,
} from "./status-document.ts";
import { t } from "./texts.ts";

const refreshMs = 30_000;
/** The server reads its database twice a minute. */
const staleSeconds = 120;

export default function StatusPage(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["status"],
    queryFn: ({ signal }) => fetchStatus(signal),
    refetchInterval: refreshMs,
  }));
  return (
    <Loaded query={query} what={t("page.what")}>
      {(status) => <Status status={status()} />}
    </Loaded>
  );
}

function Status(props: { status: StatusDocument }): JSX.Element {
  const open = () => props.status.incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const past = () => props.status.incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  createEffect(() => {
    // What a link of the feed names exists only now.
    if (props.status.incidents.length > 0) scrollToIncident();
  });
  return (
    <div class="flex flex-col gap-5">
      <Banner tone={stateTones[props.status.state]}>{t(`all.${props.status.state}`)}</Banner>
      <Show when={props.status.ageSeconds > staleSeconds}>
        <Banner tone="warning">
          {t("page.stale", { age: formatWait(props.status.ageSeconds) })}
        </Banner>
      </Show>
      <Show when={open().length > 0}>
        <Card title={t("page.current")}>
          <IncidentList incidents={open()} />
        </Card>
      </Show>
      <Models status={props.status} />
      <Card title={t("page.past")}>
        <Show when={past().length > 0} fallback={<p class="text-muted">{t("page.noPast")}</p>}>
          <IncidentList incidents={past()} />
        </Show>
      </Card>
      <p class="flex gap-4 text-sm">
        <a href="/status/feed.xml" class="text-link underline" rel="external">
          {t("page.feed")}
        </a>
        <a href="/status.json" class="text-link underline" rel="external">
          {t("page.json")}
        </a>
      </p>
    </div>
  );
}

let scrolledTo = "";

function scrollToIncident(): void {
  const { hash } = globalThis.location;
  if (!hash.startsWith("#incident-") || hash === scrolledTo) return;
  scrolledTo = hash;
  queueMicrotask(() => document.getElementById(hash.slice(1))?.scrollIntoView());
}

function Models(props: { status: StatusDocument }): JSX.Element {
  return (
    <Card title={t("page.models")} description={t("page.description")}>
      <Show when={props.status.models.length > 0} fallback={<EmptyState title={t("page.none")} />}>
        <ul class="flex flex-col divide-y divide-border">
          <For each={props.status.models}>
            {(model) => <ModelRow model={model} from={props.status.from} />}
          </For>
        </ul>
      </Show>
      <Show when={props.status.uncalledModels > 0}>
        <p class="pt-4 text-sm text-muted">
          {t("page.uncalled", { count: props.status.uncalledModels })}
        </p>
      </Show>
    </Card>
  );
}

function ModelRow(props: { model: ModelStatus; from: string }): JSX.Element {
  return (
    <li class="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <Line name={props.model.name} component={props.model} from={props.from} heading />
      <details class="text-sm">
        <summary class="cursor-pointer py-1 text-muted">
          {t("page.providers", { count: props.model.providers.length })}
        </summary>
        <ul class="flex flex-col gap-3 pt-2 ps-4">
          <For each={props.model.providers}>
            {(provider) => (
              <li>
                <Line name={provider.id} component={provider} from={props.from} />
              </li>
            )}
          </For>
        </ul>
      </details>
    </li>
  );
}

type LineProps = { name: string; component: Component; from: string; heading?: boolean };

function Line(props: LineProps): JSX.Element {
  const firstToken = () => props.component.firstTokenMs.findLast((ms) => ms !== null);
  return (
    <div class="flex flex-col gap-1.5">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Show when={props.heading} fallback={<span class="break-all">{props.name}</span>}>
          <h3 class="font-medium break-all">{props.name}</h3>
        </Show>
        <StatusPill tone={stateTones[props.component.state]}>
          {t(`state.${props.component.state}`)}
        </StatusPill>
        <span class="figures text-sm text-muted sm:ms-auto">
          {props.component.overall === null
            ? noData
            : t("page.overall", { share: formatShare(props.component.overall) })}
          <Show when={firstToken()}>
            {(ms) => <>{`, ${t("page.firstToken", { time: formatDuration(ms()) })}`}</>}
          </Show>
        </span>
      </div>
      <HistoryBars name={props.name} from={props.from} {...props.component} />
      <Show when={props.heading}>
        <div aria-hidden="true" class="flex justify-between text-xs text-muted">
          <span>{t("page.start")}</span>
          <span>{t("page.end")}</span>
        </div>
      </Show>
    </div>
  );
}
