// The top keys and the last requests.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { decimalsOfSums, noData } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Money, Time, Tokens } from "../../ui/figures.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { LogStatus } from "../shared/log-status.tsx";
import { t } from "./texts.ts";

type OverviewData = Answers["overview"]["read"];

type TopKey = OverviewData["topKeys"][number];
type LogRow = OverviewData["lastRequests"][number];

const keyColumns: readonly Column<TopKey>[] = [
  { id: "key", title: t("list.key"), cell: (row) => row.name, class: "wrap-anywhere" },
  {
    id: "requests",
    title: t("list.requests"),
    align: "end",
    cell: (row) => <Tokens count={row.requests} />,
  },
  {
    id: "spend",
    title: t("list.spend"),
    align: "end",
    decimals: (rows) => decimalsOfSums(rows.map((row) => row.costUsd)),
    cell: (row, decimals) => <Money usd={row.costUsd} decimals={decimals()} inRow />,
  },
];

export function TopKeys(props: { rows: readonly TopKey[] }): JSX.Element {
  return (
    <Card title={t("list.topKeys")} actions={<More href="/keys">{t("list.allKeys")}</More>} flush>
      <Show
        when={props.rows.length > 0}
        fallback={<p class="p-5 text-muted">{t("list.noKeys")}</p>}
      >
        <Table
          caption={t("list.topKeys")}
          columns={keyColumns}
          rows={props.rows}
          rowKey={(row) => row.id}
          rowHref={(row) => (row.id === "playground" ? "/playground" : `/keys/${row.id}`)}
        />
      </Show>
    </Card>
  );
}

const logColumns: readonly Column<LogRow>[] = [
  {
    id: "time",
    title: t("list.time"),
    cell: (row) => <Time at={row.at} absolute="second" inRow />,
  },
  { id: "status", title: t("list.status"), cell: (row) => <LogStatus of={row} /> },
  {
    id: "model",
    title: t("list.model"),
    cell: (row) => row.model || noData,
    class: "wrap-anywhere",
  },
  {
    id: "tokens",
    title: t("list.tokens"),
    align: "end",
    cell: (row) => <Tokens count={tokensOf(row)} />,
  },
  {
    id: "cost",
    title: t("list.cost"),
    align: "end",
    cell: (row) => <Money usd={row.costUsd} inRow />,
  },
];

export function LastRequests(props: { rows: readonly LogRow[] }): JSX.Element {
  return (
    <Card title={t("list.last")} actions={<More href="/logs">{t("list.allLogs")}</More>} flush>
      <Table
        caption={t("list.last")}
        columns={logColumns}
        rows={props.rows}
        rowKey={(row) => row.id}
        rowHref={(row) => `/logs?id=${row.id}`}
      />
    </Card>
  );
}

export function tokensOf(row: LogRow): number {
  return (row.promptTokens ?? 0) + (row.completionTokens ?? 0);
}

function More(props: { href: string; children: JSX.Element }): JSX.Element {
  return (
    <A href={props.href} class="link text-sm">
      {props.children}
    </A>
  );
}
