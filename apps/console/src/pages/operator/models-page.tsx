// Models and routes at the operator's desk: what is offered, hidden or switched off and why, and how each route is doing.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatRate } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { iconButtonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Ellipsis } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { SwitchDialog } from "./switch-dialog.tsx";
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
const modelsKey = ["operator", "models"] as const;

/** What is about to be switched off. */
type Target = { readonly name: string; readonly run: (texts: Texts) => Promise<unknown> };
type Texts = { reason: string; message?: string };

export default function ModelsPage(): JSX.Element {
  const client = useQueryClient();
  const may = useOperatorMay();
  const [asking, setAsking] = createSignal<Target>();
  const list = useQuery(() => ({
    queryKey: modelsKey,
    queryFn: ({ signal }) => api.operator.model.list.query({}, { signal }),
  }));
  const money = useQuery(() => ({
    queryKey: ["operator", "money", "route", days],
    queryFn: ({ signal }) =>
      api.operator.money.report.query({ by: "route", order: "calls", days }, { signal }),
  }));
  const refresh = () => void client.invalidateQueries({ queryKey: modelsKey });
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
            <SwitchedOffCard switches={listed().switchedOff} onDone={refresh} />
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
                  actions={
                    may("route.off") ? (row) => <RouteMenu row={row} ask={setAsking} /> : undefined
                  }
                />
              </Show>
            </Card>
            <HiddenCard rows={[...listed().hidden, ...listed().hiddenRoutes]} />
          </>
        )}
      </Loaded>
      <Show when={asking()} keyed>
        {({ name, run }) => (
          <SwitchDialog
            title={`Switch ${name} off?`}
            body="Every instance follows within a second. Calls that have begun go on."
            confirmLabel="Switch off"
            hasMessage
            run={run}
            onClose={() => setAsking(undefined)}
            onDone={refresh}
          />
        )}
      </Show>
    </OperatorFrame>
  );
}

function RouteMenu(props: { row: Row; ask: (target: Target) => void }): JSX.Element {
  const { model, provider, upstreamModel } = props.row;
  const route = { provider, upstreamModel, model };
  const name = `${model} · ${provider}`;
  const off = api.operator.route.off;
  return (
    <Menu
      label={`Switch ${name}`}
      trigger={<Ellipsis class="size-4" />}
      triggerClass={iconButtonClass()}
    >
      <MenuItem
        changes
        onSelect={() => props.ask({ name, run: ({ reason }) => off.mutate({ ...route, reason }) })}
      >
        Switch this route off
      </MenuItem>
      <MenuItem
        changes
        onSelect={() =>
          props.ask({ name: provider, run: ({ reason }) => off.mutate({ provider, reason }) })
        }
      >
        Switch all of {provider} off
      </MenuItem>
      <MenuItem
        changes
        onSelect={() =>
          props.ask({
            name: model,
            run: (texts) => api.operator.model.off.mutate({ model, ...texts }),
          })
        }
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
