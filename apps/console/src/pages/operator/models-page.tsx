// Models and routes at the operator's desk: what is offered, hidden or switched off and why, and how each route is
// doing.
import type { JSX } from "solid-js";
import { createMemo, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatCount, noData } from "../../lib/format.ts";
import { namesOf } from "../../lib/names-of.ts";
import { oneOf, sortBy, text, useAddress } from "../../lib/use-address.ts";
import { describePrices } from "../../product/prices/shown-prices.ts";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { choicesOf } from "../../ui/forms/choices.tsx";
import { PageSearch } from "../../ui/forms/text-field.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { textColumn } from "../../ui/tables/columns.tsx";
import { FilterBar, FilterSelect } from "../../ui/tables/filter-bar.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import type { Narrowed } from "../../ui/tables/table-states.tsx";
import { AskMenu } from "./ask.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import {
  errorShareOf,
  type Figures,
  narrowRoutes,
  type RouteRow,
  stateNames,
  statesOf,
} from "./route-rows.ts";
import { switchAction } from "./switch-action.ts";
import { SwitchedOffCard } from "./switched-off-card.tsx";
import { useDesk, useOperatorMay } from "./use-operator.ts";

type Listed = Answers["operator"]["model"]["list"];

const days = 7;

const fields = {
  q: text,
  state: oneOf("", namesOf(stateNames)),
  provider: text,
  sort: sortBy(/^(model|route|errors|first|speed|price|margin)$/, {
    column: "model",
    descending: false,
  }),
};

type Run = Parameters<typeof switchAction>[0]["run"];

export default function ModelsPage(): JSX.Element {
  const list = useDesk("models", api.operator.model.list, () => ({}));
  const money = useDesk("money", api.operator.money.report, () => ({
    by: "route" as const,
    order: "calls" as const,
    days,
  }));
  const rowsOf = ({ models }: Listed): RouteRow[] =>
    models.flatMap(({ id: model, operation, routes }) =>
      routes.map((route) => {
        const name = `${model} ${route.provider}`;
        const figures = money.data?.rows.find((row) => row.name === name);
        return { ...route, model, operation, figures };
      }),
    );
  return (
    <OperatorFrame>
      <Loaded query={list} what="the models">
        {(listed) => (
          <>
            <SwitchedOffCard switches={listed().switchedOff} />
            <RoutesCard version={listed().version} rows={rowsOf(listed())} />
            <HiddenCard rows={[...listed().hidden, ...listed().hiddenRoutes]} />
          </>
        )}
      </Loaded>
    </OperatorFrame>
  );
}

function RoutesCard(props: { version: string; rows: readonly RouteRow[] }): JSX.Element {
  const may = useOperatorMay();
  const { get, set, narrowedBy } = useAddress(fields);
  const shown = createMemo(() =>
    narrowRoutes(props.rows, {
      q: get("q"),
      state: get("state"),
      provider: get("provider"),
      sort: get("sort"),
    }),
  );
  const count = () =>
    shown().length === props.rows.length
      ? ""
      : `${formatCount(shown().length)} of ${formatCount(props.rows.length)} routes. `;
  const narrowed = narrowedBy(["q", "state", "provider"]);
  return (
    <TableCard
      title="Models and routes"
      description={`${count()}Catalog ${props.version}. Errors, first token and margin are of the last 7 days.`}
      filters={<RouteFilters rows={props.rows} narrowed={narrowed} />}
      narrowed={narrowed}
      none="No routes match."
      nothing={props.rows.length === 0}
      caption="Routes of all models"
      empty="The catalog has no models with credentials."
      columns={columns}
      rows={shown()}
      rowKey={({ model, provider, upstreamModel }) => `${model} ${provider} ${upstreamModel}`}
      sort={get("sort")}
      onSort={(sort) => set({ sort }, { replace: true })}
      actions={
        may("route.off")
          ? (row) => (
              <AskMenu
                verb="route.off"
                label={`Switch ${row.model} · ${row.provider}`}
                actions={offActions(row)}
              />
            )
          : undefined
      }
    />
  );
}

type RouteFiltersProps = { rows: readonly RouteRow[]; narrowed: Narrowed };

function RouteFilters(props: RouteFiltersProps): JSX.Element {
  const { get, set } = useAddress(fields);
  const providers = () => [...new Set(props.rows.map(({ provider }) => provider))].sort();
  return (
    <FilterBar narrowed={props.narrowed} inCard>
      <PageSearch
        label="Search routes"
        class="w-full sm:w-56"
        value={get("q")}
        onInput={(q) => set({ q }, { replace: true })}
      />
      <FilterSelect
        label="State"
        value={get("state")}
        onChange={(state) => set({ state })}
        any="All states"
        choices={choicesOf(stateNames)}
      />
      <FilterSelect
        label="Provider"
        value={get("provider")}
        onChange={(provider) => set({ provider })}
        any="All providers"
        choices={providers().map((name) => ({ value: name, label: name }))}
      />
    </FilterBar>
  );
}

function offActions({ model, provider, upstreamModel }: RouteRow) {
  const { route, model: models } = api.operator;
  const off = (what: string, run: Run) =>
    switchAction({
      title: `Switch ${what} off?`,
      body: "Every instance follows within a second. Calls that have begun go on.",
      confirmLabel: "Switch off",
      hasMessage: true,
      run,
    });
  return [
    [
      "Switch this route off",
      off(`${model} · ${provider}`, ({ reason }) =>
        route.off.mutate({ provider, upstreamModel, model, reason }),
      ),
    ],
    [
      `Switch all of ${provider} off`,
      off(provider, ({ reason }) => route.off.mutate({ provider, reason })),
    ],
    [
      `Switch ${model} off everywhere`,
      off(model, (texts) => models.off.mutate({ model, ...texts })),
    ],
  ] as const;
}

const columns: readonly Column<RouteRow>[] = [
  textColumn("model", "Model", ({ model }) => model, { sortable: "ascending" }),
  textColumn("route", "Route", ({ provider, upstreamModel }) => `${provider} · ${upstreamModel}`, {
    sortable: "ascending",
  }),
  { id: "state", title: "State", cell: (row) => <State row={row} /> },
  figure("errors", "Errors", (row) => {
    const share = errorShareOf(row);
    return share === null ? noData : showPercent(share * 100);
  }),
  figure("first", "First token p50 / p95", ({ figures }) => {
    const { p50, p95 } = figures?.firstByteMs ?? {};
    return typeof p50 === "number" ? `${showSeconds(p50)} / ${showSeconds(p95)}` : noData;
  }),
  figure("speed", "Tokens/s", ({ tokensPerSecond }) => tokensPerSecond?.toFixed(0) ?? noData),
  figure("price", "Price in / out", ({ operation, price }) =>
    describePrices({ operation, prices: price }),
  ),
  figure("margin", "Margin", ({ figures }) => showMargin(figures)),
];

function figure(id: string, title: string, cell: (row: RouteRow) => string): Column<RouteRow> {
  return { id, title, align: "end", cell, sortable: true };
}

const tones = {
  offered: "success",
  off: "warning",
  unserved: "danger",
  refused: "danger",
  failing: "danger",
  loss: "warning",
} as const;

function State(props: { row: RouteRow }): JSX.Element {
  return (
    <span class="inline-flex flex-wrap gap-1">
      <For each={statesOf(props.row)}>
        {(state) => <StatusPill tone={tones[state]}>{stateNames[state]}</StatusPill>}
      </For>
    </span>
  );
}

/** A dash without calls: only their cost can be unknown. */
function showMargin(figures: Figures | undefined): string {
  if (figures !== undefined && figures.calls > 0 && figures.marginUsd === null) return "Unknown";
  return showPercent(figures?.marginPercent);
}

function showPercent(percent: number | null | undefined): string {
  return typeof percent === "number" ? `${percent.toFixed(1)}%` : noData;
}

function showSeconds(ms: number | null | undefined): string {
  return typeof ms === "number" ? `${(ms / 1_000).toFixed(2)} s` : noData;
}

type Hidden = Listed["hidden"][number];

const hiddenColumns: readonly Column<Hidden>[] = [
  textColumn("model", "Model", ({ id }) => id),
  textColumn("reason", "Why", ({ reason }) => reason),
];

function HiddenCard(props: { rows: readonly Hidden[] }): JSX.Element {
  return (
    <Show when={props.rows.length > 0}>
      <TableCard
        title="Not offered"
        description="Models and routes of the file that cannot be called, and why."
        caption="Models that are not offered"
        columns={hiddenColumns}
        rows={props.rows}
        rowKey={({ id, reason }) => `${id} ${reason}`}
      />
    </Show>
  );
}
