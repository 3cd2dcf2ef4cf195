// The list of requests: one link per row; a click on a model or key narrows the list to it.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatCount, formatDuration, noData } from "../../lib/format.ts";
import { Money, Time } from "../../ui/figures.tsx";
import { Badge } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { LogStatus } from "../shared/log-status.tsx";
import { t } from "./texts.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

type LogTableProps = { rows: readonly LogRow[]; view: LogsView; busy: boolean };

export function LogTable(props: LogTableProps): JSX.Element {
  const columns = columnsOf(props.view);
  return (
    <Table
      caption={t("page.caption")}
      columnsKey="logs"
      columns={columns}
      rows={props.rows}
      rowKey={(row) => row.id}
      rowHref={(row) => `/logs?id=${row.id}`}
      onOpen={(row) => props.view.open(row.id)}
      current={props.view.openId()}
      busy={props.busy}
    />
  );
}

/** `playground` is not a key; its requests are filtered by source. */
export function keyLabel(row: Pick<LogRow, "keyName" | "origin">): string {
  return row.keyName ?? (row.origin === "playground" ? t("column.playground") : noData);
}

function columnsOf(view: LogsView): readonly Column<LogRow>[] {
  return [
    {
      id: "time",
      title: t("column.time"),
      cell: (row) => <Time at={row.at} absolute="second" inRow />,
    },
    { id: "status", title: t("column.status"), cell: (row) => <LogStatus of={row} /> },
    {
      id: "model",
      title: t("column.model"),
      class: "sm:min-w-40 wrap-anywhere",
      cell: (row) => (
        <FilterValue
          value={row.model || noData}
          onChoose={() => row.model && view.setList("models", [row.model])}
        />
      ),
    },
    {
      id: "key",
      wideOnly: true,
      title: t("column.key"),
      class: "sm:min-w-28 sm:max-w-44 wrap-anywhere",
      cell: (row) => (
        <FilterValue
          value={keyLabel(row)}
          onChoose={() => {
            if (row.keyId !== null) view.setList("keys", [row.keyId]);
            else view.filter({ origin: row.origin });
          }}
        />
      ),
    },
    {
      id: "tokens",
      wideOnly: true,
      title: t("column.tokens"),
      align: "end",
      class: "whitespace-nowrap",
      cell: (row) =>
        t("column.pair", {
          first: formatCount(row.promptTokens),
          second: formatCount(row.completionTokens),
        }),
    },
    {
      id: "cost",
      title: t("column.cost"),
      align: "end",
      cell: (row) => <Money usd={row.costUsd} inRow />,
    },
    {
      id: "latency",
      wideOnly: true,
      title: t("column.latency"),
      align: "end",
      class: "whitespace-nowrap",
      cell: (row) =>
        t("column.pair", {
          first: formatDuration(row.firstTokenMs),
          second: formatDuration(row.totalMs),
        }),
    },
    { id: "flags", wideOnly: true, title: t("column.flags"), cell: (row) => <Flags of={row} /> },
  ];
}

/** For the mouse; keyboard users find the same in the open request. */
function FilterValue(props: { value: string; onChoose: () => void }): JSX.Element {
  return (
    <button
      type="button"
      tabindex={-1}
      title={t("column.filterBy", { value: props.value })}
      class="max-w-full rounded-[2px] text-start hover:underline pointer-coarse:pointer-events-none"
      onClick={() => props.onChoose()}
    >
      {props.value}
    </button>
  );
}

function Flags(props: { of: LogRow }): JSX.Element {
  const flags = () =>
    [
      props.of.operation !== "chat" && t(`flag.${props.of.operation}`),
      props.of.streamed && t("flag.stream"),
      props.of.cached && t("flag.cached"),
      props.of.cachedFrom !== null && t("flag.fromCache"),
    ].filter((flag) => flag !== false);
  return (
    <Show when={flags().length > 0} fallback={<span class="text-muted">{noData}</span>}>
      <span class="inline-flex gap-1">
        <For each={flags()}>{(flag) => <Badge>{flag}</Badge>}</For>
      </span>
    </Show>
  );
}
