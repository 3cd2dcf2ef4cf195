// The requests of a page or of the live list: one link per row, which keys move through; a value or the menu of a row
// narrows the list to it.
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { For, onCleanup, Show } from "solid-js";
import { formatCount, formatDuration, noData } from "../../lib/format.ts";
import { singleKeysOn } from "../../lib/shortcuts/shortcut-choice.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { LogStatus } from "../../product/usage/log-status.tsx";
import { operationNames } from "../../product/usage/usage-names.ts";
import { Money, Time } from "../../ui/figures/figures.tsx";
import { translateOf } from "../../ui/figures/machine-text.ts";
import { Badge } from "../../ui/figures/status-pill.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { keyLabel, statusClassOf } from "./filter-values.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

type LogRowsProps = {
  rows: readonly LogRow[];
  view: LogsView;
  busy: boolean;
  /** Shown instead of no rows. */
  empty: JSX.Element;
};

export function LogRows(props: LogRowsProps): JSX.Element {
  const rows = createStableRows(() => props.rows);
  const columns = columnsOf(props.view);
  useRowKeys(props.view, rows);
  return (
    <TableCard
      caption="Requests, newest first"
      columnsKey="logs"
      cards="compact"
      columns={columns}
      rows={rows()}
      empty={props.empty}
      rowKey={(row) => row.id}
      rowHref={(row) => `/logs?id=${row.id}`}
      onOpen={(row) => props.view.open(row.id)}
      current={props.view.openId()}
      busy={props.busy}
      actions={(row) => (
        <FilterMenu
          of={row}
          view={props.view}
          label={`Actions for ${row.id}`}
          compares
          triggerClass="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text pointer-coarse:size-11"
        />
      )}
    />
  );
}

function columnsOf(view: LogsView): readonly Column<LogRow>[] {
  return [
    { id: "time", title: "Time", cell: (row) => <Time at={row.at} absolute="second" inRow /> },
    {
      id: "status",
      title: "Status",
      cell: (row) => (
        <FilterValue
          value={statusClassOf(row) ?? noData}
          shown={<LogStatus of={row} />}
          onChoose={() => view.set({ status: statusClassOf(row) })}
        />
      ),
    },
    {
      id: "model",
      title: "Model",
      class: "sm:min-w-32 wrap-anywhere",
      cell: (row) => (
        <Show when={row.model} fallback={noData}>
          {(model) => (
            <FilterValue value={model()} onChoose={() => view.set({ models: [model()] })} />
          )}
        </Show>
      ),
    },
    {
      id: "key",
      wideOnly: true,
      title: "Key",
      class: "sm:min-w-20 sm:max-w-44 wrap-anywhere",
      cell: (row) => (
        <FilterValue
          value={keyLabel(row)}
          onChoose={() =>
            view.set(row.keyId === null ? { origin: row.origin } : { keys: [row.keyId] })
          }
        />
      ),
    },
    {
      id: "tokens",
      wideOnly: true,
      title: "Tokens in / out",
      align: "end",
      class: "whitespace-nowrap",
      cell: (row) =>
        isRefused(row)
          ? noData
          : `${formatCount(row.promptTokens)} / ${formatCount(row.completionTokens)}`,
    },
    {
      id: "cost",
      title: "Cost",
      align: "end",
      cell: (row) => (isRefused(row) ? noData : <Money usd={row.costUsd} inRow />),
    },
    {
      id: "latency",
      wideOnly: true,
      title: "First token / total",
      align: "end",
      class: "whitespace-nowrap",
      cell: (row) => `${formatDuration(row.firstTokenMs)} / ${formatDuration(row.totalMs)}`,
    },
    { id: "flags", wideOnly: true, title: "Flags", cell: (row) => <Flags of={row} /> },
  ];
}

/** Nothing was counted and nothing was charged. */
export function isRefused(
  row: Pick<LogRow, "status" | "costUsd" | "promptTokens" | "completionTokens">,
): boolean {
  const tokens = (row.promptTokens ?? 0) + (row.completionTokens ?? 0);
  return row.status >= 400 && tokens === 0 && compareDecimals(row.costUsd, "0") === 0;
}

type FilterValueProps = {
  value: string;
  shown?: JSX.Element;
  onChoose: () => void;
};

/** For the mouse; keyboard and touch find the same in the menu of the row. */
function FilterValue(props: FilterValueProps): JSX.Element {
  return (
    <button
      type="button"
      tabindex={-1}
      translate={props.shown === undefined ? translateOf(props.value) : undefined}
      title={`Filter by ${props.value}`}
      class="max-w-full rounded-[2px] text-start hover:underline pointer-coarse:pointer-events-none"
      onClick={() => props.onChoose()}
    >
      {props.shown ?? props.value}
    </button>
  );
}

function Flags(props: { of: LogRow }): JSX.Element {
  const flags = () =>
    [
      props.of.operation !== "chat" && operationNames[props.of.operation],
      props.of.streamed && "stream",
      props.of.cached && "cached",
      props.of.cachedFrom !== null && "from cache",
    ].filter((flag) => flag !== false);
  return (
    <Show when={flags().length > 0} fallback={noData}>
      <span class="inline-flex gap-1">
        <For each={flags()}>{(flag) => <Badge>{flag}</Badge>}</For>
      </span>
    </Show>
  );
}

/**
 * `j` and `k` move through the rows, Enter opens the focused one (it is a link); with a request open they move to the
 * next or previous one.
 */
function useRowKeys(view: LogsView, rows: () => readonly LogRow[]): void {
  const onKey = (event: KeyboardEvent) => {
    if ((event.key !== "j" && event.key !== "k") || !singleKeysOn()) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // Two requests that are compared stay.
    const open = view.openId();
    if (view.chosenId() !== undefined && open !== undefined) return;
    if (open === undefined && document.querySelector('[role="dialog"], [role="menu"]')) return;
    const ids = rows().map((row) => row.id);
    const at = ids.indexOf(open ?? focusedRow() ?? "");
    const id = ids[event.key === "j" ? at + 1 : Math.max(0, at - 1)];
    if (id === undefined) return;
    event.preventDefault();
    if (open === undefined) focusRow(id);
    else view.open(id, { replace: true });
  };
  document.addEventListener("keydown", onKey);
  onCleanup(() => document.removeEventListener("keydown", onKey));
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
}

function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] a`)?.focus();
}
