// Models and routes at the operator's desk: what is offered, hidden or switched off and why, and how each route is doing.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatRate } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useAsk } from "./ask.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { switchAction } from "./switch-action.ts";
import { SwitchedOffCard } from "./switched-off-card.tsx";
import { useOperatorMay } from "./use-operator.ts";

type Listed = Answers["operator"]["model"]["list"];
type Model = Listed["models"][number];
type Figures = Answers["operator"]["money"]["report"]["rows"][number];
type Row = Model["routes"][number] & {
  readonly model: string;
  readonly figures: Figures | undefined;
};

const days = 7;

type Run = Parameters<typeof switchAction>[0]["run"];

export default function ModelsPage(): JSX.Element {
  const may = useOperatorMay();
  const list = useAnswer(["operator", "models"], (call) => api.operator.model.list.query({}, call));
  const money = useAnswer(
    () => ["operator", "money", "route", days],
    (call) => api.operator.money.report.query({ by: "route", order: "calls", days }, call),
  );
  const rowsOf = ({ models }: Listed): Row[] =>
    models.flatMap(({ id: model, routes }) =>
      routes.map((route) => {
        const name = `${model} ${route.provider}`;
        return { ...route, model, figures: money.data?.rows.find((row) => row.name === name) };
      }),
    );
  return (
    <OperatorFrame>
      <Loaded query={list} what="the models">
        {(listed) => (
          <>
            <SwitchedOffCard switches={listed().switchedOff} />
            <Card
              title="Models and routes"
              description={`Catalog ${listed().version}. Errors, first token and margin are of the last 7 days.`}
              flush
            >
              <Show
                when={listed().models.length > 0}
                fallback={<EmptyState title="The catalog has no models with credentials." />}
              >
                <Table
                  caption="Routes of all models"
                  columns={columns}
                  rows={rowsOf(listed())}
                  rowKey={({ model, provider, upstreamModel }) =>
                    `${model} ${provider} ${upstreamModel}`
                  }
                  actions={may("route.off") ? (row) => <RouteMenu row={row} /> : undefined}
                />
              </Show>
            </Card>
            <HiddenCard rows={[...listed().hidden, ...listed().hiddenRoutes]} />
          </>
        )}
      </Loaded>
    </OperatorFrame>
  );
}

function RouteMenu(props: { row: Row }): JSX.Element {
  const ask = useAsk();
  const { model, provider, upstreamModel } = props.row;
  const route = { provider, upstreamModel, model };
  const name = `${model} · ${provider}`;
  const askOff = (what: string, run: Run) =>
    ask(
      switchAction({
        title: `Switch ${what} off?`,
        body: "Every instance follows within a second. Calls that have begun go on.",
        confirmLabel: "Switch off",
        hasMessage: true,
        run,
      }),
    );
  const { route: routes, model: models } = api.operator;
  return (
    <Menu label={`Switch ${name}`}>
      <MenuItem
        changes
        onSelect={() => askOff(name, ({ reason }) => routes.off.mutate({ ...route, reason }))}
      >
        Switch this route off
      </MenuItem>
      <MenuItem
        changes
        onSelect={() => askOff(provider, ({ reason }) => routes.off.mutate({ provider, reason }))}
      >
        Switch all of {provider} off
      </MenuItem>
      <MenuItem
        changes
        onSelect={() => askOff(model, (texts) => models.off.mutate({ model, ...texts }))}
      >
        Switch {model} off everywhere
      </MenuItem>
    </Menu>
  );
}

const columns: readonly Column<Row>[] = [
  { id: "model", title: "Model", cell: ({ model }) => model, class: "wrap-anywhere" },
  {
    id: "route",
    title: "Route",
    cell: ({ provider, upstreamModel }) => `${provider} · ${upstreamModel}`,
    class: "wrap-anywhere",
  },
  { id: "state", title: "State", cell: (row) => <State row={row} /> },
  {
    id: "errors",
    title: "Errors",
    align: "end",
    cell: ({ figures }) => showShare(figures?.failedCalls, figures?.calls),
  },
  {
    id: "first",
    title: "First token, p50 / p95",
    align: "end",
    cell: ({ figures }) =>
      `${showSeconds(figures?.firstByteMs?.p50)} / ${showSeconds(figures?.firstByteMs?.p95)}`,
  },
  {
    id: "speed",
    title: "Tokens/s",
    align: "end",
    cell: ({ tokensPerSecond }) => (tokensPerSecond === null ? "—" : tokensPerSecond.toFixed(0)),
  },
  {
    id: "price",
    title: "Price in / out",
    align: "end",
    cell: ({ price }) =>
      `${formatRate(price.inputUsd, "Free")} / ${formatRate(price.outputUsd, "Free")}`,
  },
  {
    id: "margin",
    title: "Margin",
    align: "end",
    cell: ({ figures }) => showPercent(figures?.marginPercent),
  },
];

function State(props: { row: Row }): JSX.Element {
  const state = () => {
    const { isOff, isBroken, credentialsRefused } = props.row;
    if (isOff) return { tone: "warning", label: "Switched off" } as const;
    if (credentialsRefused) return { tone: "danger", label: "Key refused" } as const;
    if (isBroken) return { tone: "danger", label: "Failing, not called" } as const;
    return { tone: "success", label: "Offered" } as const;
  };
  return (
    <span class="inline-flex flex-wrap gap-1">
      <StatusPill tone={state().tone}>{state().label}</StatusPill>
      <Show when={props.row.isBelowCost}>
        <StatusPill tone="warning">Below cost</StatusPill>
      </Show>
    </span>
  );
}

function showShare(part: number | undefined, whole: number | undefined): string {
  if (part === undefined || whole === undefined || whole === 0) return "—";
  return showPercent((part * 100) / whole);
}

function showPercent(percent: number | null | undefined): string {
  return percent === null || percent === undefined ? "—" : `${percent.toFixed(1)}%`;
}

function showSeconds(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "—";
  return `${(ms / 1_000).toFixed(2)} s`;
}

type Hidden = Listed["hidden"][number];

const hiddenColumns: readonly Column<Hidden>[] = [
  { id: "model", title: "Model", cell: ({ id }) => id, class: "wrap-anywhere" },
  { id: "reason", title: "Why", cell: ({ reason }) => reason, class: "wrap-anywhere" },
];

function HiddenCard(props: { rows: readonly Hidden[] }): JSX.Element {
  return (
    <Show when={props.rows.length > 0}>
      <Card
        title="Not offered"
        description="Models and routes of the file that cannot be called, and why."
        flush
      >
        <Table
          caption="Models that are not offered"
          columns={hiddenColumns}
          rows={props.rows}
          rowKey={({ id, reason }) => `${id} ${reason}`}
        />
      </Card>
    </Show>
  );
}
