// Does it work? Whether models work, what their last ninety days were like, and what operators say about incidents.
// It needs neither a session nor the database.
import type { JSX } from "solid-js";
import { createEffect, For, Show } from "solid-js";
import { formatDuration, formatShare, formatWait, noData } from "../../lib/format.ts";
import { counted, plural } from "../../lib/plural.ts";
import { useQuery } from "../../lib/use-query.ts";
import { HistoryBars } from "../../product/status/history-bars.tsx";
import {
  type Component,
  fetchStatus,
  type ModelStatus,
  type State,
  type StatusDocument,
} from "../../product/status/status-document.ts";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { IncidentList, stateNames, stateTones } from "./incident-list.tsx";

const allNames = {
  operational: "All models work.",
  degraded: "Some models do not work as they should.",
  outage: "No model works at the moment.",
  maintenance: "We are doing maintenance.",
} as const;

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
    <Loaded query={query} what="the status">
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
      <Banner tone={stateTones[props.status.state]}>{allNames[props.status.state]}</Banner>
      <Show when={props.status.ageSeconds > staleSeconds}>
        <Banner tone="warning">
          Our database does not answer. What follows is {formatWait(props.status.ageSeconds)} old.
        </Banner>
      </Show>
      <Show when={open().length > 0}>
        <Card title="Incidents now">
          <IncidentList incidents={open()} />
        </Card>
      </Show>
      <Models status={props.status} />
      <Card title="Past incidents">
        <Show
          when={past().length > 0}
          fallback={<p class="text-muted">No incidents in the last 90 days.</p>}
        >
          <IncidentList incidents={past()} />
        </Show>
      </Card>
      <p class="flex gap-4 text-sm">
        <a href="/status/feed.xml" class="text-link underline" rel="external">
          Atom feed
        </a>
        <a href="/status.json" class="text-link underline" rel="external">
          JSON
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
    <Card
      title="Models"
      description="Requests that were answered, by day, over the last 90 days. Refused requests are not counted."
    >
      <Show
        when={props.status.models.length > 0}
        fallback={<EmptyState title="Too few requests in the last 90 days to say more." />}
      >
        <div aria-hidden="true" class="flex justify-end pb-1 text-xs text-muted max-sm:hidden">
          <span class={`flex justify-between ${barsClass}`}>
            <span>90 days ago</span>
            <span>Today</span>
          </span>
          <span class={shareClass} />
        </div>
        <ul class="flex flex-col divide-y divide-border">
          <For each={worstFirst(props.status.models)}>
            {(model) => <ModelRow model={model} from={props.status.from} />}
          </For>
        </ul>
      </Show>
      <Show when={props.status.uncalledModels > 0}>
        <p class="pt-4 text-sm text-muted">
          {plural(
            props.status.uncalledModels,
            "1 more model works and was not called often enough to say more.",
            `${props.status.uncalledModels} more models work and were not called often enough to say more.`,
          )}
        </p>
      </Show>
    </Card>
  );
}

const severity: readonly State[] = ["outage", "degraded", "maintenance", "operational"];

/** Those that do not work come first; otherwise the order stays. */
function worstFirst(models: readonly ModelStatus[]): readonly ModelStatus[] {
  return models.toSorted((a, b) => severity.indexOf(a.state) - severity.indexOf(b.state));
}

/** A line that opens to the model's providers. */
function ModelRow(props: { model: ModelStatus; from: string }): JSX.Element {
  return (
    <li>
      <details>
        <summary class="cursor-pointer py-2">
          <Line name={props.model.name} component={props.model} from={props.from} heading />
        </summary>
        <div class="pb-3 text-sm sm:ps-4">
          <p class="py-1 text-muted">{counted(props.model.providers.length, "provider")}</p>
          <ul class="flex flex-col gap-2">
            <For each={props.model.providers}>
              {(provider) => (
                <li>
                  <Line name={provider.id} component={provider} from={props.from} />
                </li>
              )}
            </For>
          </ul>
        </div>
      </details>
    </li>
  );
}

const barsClass = "sm:w-64 lg:w-96";
const shareClass = "sm:w-52";

type LineProps = { name: string; component: Component; from: string; heading?: boolean };

/** In one line on wide screens: the name, ninety days as bars, and the figures. */
function Line(props: LineProps): JSX.Element {
  const firstToken = () => props.component.firstTokenMs.findLast((ms) => ms !== null);
  return (
    // The mark of a line that opens stands before it.
    <span class="inline-flex w-[calc(100%-1.25rem)] flex-wrap items-center gap-x-3 gap-y-1 align-middle">
      <span class="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <Show when={props.heading} fallback={<span class="break-all">{props.name}</span>}>
          <h3 class="font-medium break-all">{props.name}</h3>
        </Show>
        <Show when={props.component.state !== "operational"}>
          <StatusPill tone={stateTones[props.component.state]}>
            {stateNames[props.component.state]}
          </StatusPill>
        </Show>
      </span>
      <span class={`block max-sm:order-last max-sm:w-full ${barsClass}`}>
        <HistoryBars name={props.name} from={props.from} {...props.component} />
      </span>
      <span class={`figures text-end text-sm text-muted ${shareClass}`}>
        {props.component.overall === null
          ? noData
          : `${formatShare(props.component.overall)} in 90 days`}
        <Show when={firstToken()}>
          {(ms) => <>{`, ${`first token ${formatDuration(ms())}`}`}</>}
        </Show>
      </span>
    </span>
  );
}
