// Models and routes at the operator's desk: what is offered, hidden or switched off and why, and how each route is doing.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatRate, noData } from "../../lib/format.ts";
import { textColumn } from "../../ui/columns.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import type { Column } from "../../ui/table.tsx";
import { TitledTable } from "../../ui/titled-table.tsx";
import { AskMenu } from "./ask.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { switchAction } from "./switch-action.ts";
import { SwitchedOffCard } from "./switched-off-card.tsx";
import { useDesk, useOperatorMay } from "./use-operator.ts";

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
  const list = useDesk("models", api.operator.model.list, () => ({}));
  const money = useDesk("money", api.operator.money.report, () => ({
    by: "route" as const,
    order: "calls" as const,
    days,
  }));
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
            <TitledTable
              title="Models and routes"
              description={`Catalog ${listed().version}. Errors, first token and margin are of the last 7 days.`}
              caption="Routes of all models"
              empty="The catalog has no models with credentials."
              columns={columns}
              rows={rowsOf(listed())}
              rowKey={({ model, provider, upstreamModel }) =>
                `${model} ${provider} ${upstreamModel}`
              }
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
            <HiddenCard rows={[...listed().hidden, ...listed().hiddenRoutes]} />
          </>
        )}
      </Loaded>
    </OperatorFrame>
  );
}

function offActions({ model, provider, upstreamModel }: Row) {
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

const columns: readonly Column<Row>[] = [
  textColumn("model", "Model", ({ model }) => model),
  textColumn("route", "Route", ({ provider, upstreamModel }) => `${provider} · ${upstreamModel}`),
  { id: "state", title: "State", cell: (row) => <State row={row} /> },
  figure("errors", "Errors", ({ figures }) =>
    figures === undefined || figures.calls === 0
      ? noData
      : showPercent((figures.failedCalls * 100) / figures.calls),
  ),
  figure("first", "First token p50 / p95", ({ figures }) => {
    const { p50, p95 } = figures?.firstByteMs ?? {};
    return typeof p50 === "number" ? `${showSeconds(p50)} / ${showSeconds(p95)}` : noData;
  }),
  figure("speed", "Tokens/s", ({ tokensPerSecond }) => tokensPerSecond?.toFixed(0) ?? noData),
  figure(
    "price",
    "Price in / out",
    ({ price }) => `${formatRate(price.inputUsd, "Free")} / ${formatRate(price.outputUsd, "Free")}`,
  ),
  figure("margin", "Margin", ({ figures }) => showPercent(figures?.marginPercent)),
];

function figure(id: string, title: string, cell: (row: Row) => string): Column<Row> {
  return { id, title, align: "end", cell };
}

function State(props: { row: Row }): JSX.Element {
  const state = () => {
    const { isOff, isBroken, credentialsRefused, modelRefused } = props.row;
    if (isOff) return { tone: "warning", label: "Switched off" } as const;
    if (modelRefused) return { tone: "danger", label: "Not served" } as const;
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
      <TitledTable
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
