// The top keys and the last requests.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useMay } from "../../lib/session.ts";
import { LogStatus } from "../../product/usage/log-status.tsx";
import { Money, Time } from "../../ui/figures/figures.tsx";
import { countColumn, sumColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";

type OverviewData = Answers["overview"]["read"];

type TopKey = OverviewData["topKeys"][number];
type LogRow = OverviewData["lastRequests"][number];

const keyColumns: readonly Column<TopKey>[] = [
  { id: "key", title: "Key", cell: (row) => row.name, class: "wrap-anywhere" },
  countColumn("requests", "Requests", (row) => row.requests),
  sumColumn("spend", "Spend", (row) => row.costUsd),
];

export function TopKeys(props: { rows: readonly TopKey[] }): JSX.Element {
  const mayAsk = useMay("playground.use");
  const hrefOf = ({ id }: TopKey) => {
    if (id !== "playground") return `/keys/${id}`;
    return mayAsk() ? "/playground" : undefined;
  };
  return (
    <TableCard
      title="Top keys, last 30 days"
      controls={<More href="/keys">All keys</More>}
      columns={keyColumns}
      rows={props.rows}
      empty="No spend in the last 30 days."
      rowKey={(row) => row.id}
      rowHref={hrefOf}
    />
  );
}

const logColumns: readonly Column<LogRow>[] = [
  { id: "time", title: "Time", cell: (row) => <Time at={row.at} absolute="second" inRow /> },
  { id: "status", title: "Status", cell: (row) => <LogStatus of={row} /> },
  {
    id: "model",
    title: "Model",
    cell: (row) => <span translate="no">{row.model || noData}</span>,
    class: "wrap-anywhere",
  },
  {
    ...countColumn<LogRow>(
      "tokens",
      "Tokens",
      (row) => (row.promptTokens ?? 0) + (row.completionTokens ?? 0),
    ),
    wideOnly: true,
  },
  { id: "cost", title: "Cost", align: "end", cell: (row) => <Money usd={row.costUsd} inRow /> },
];

export function LastRequests(props: { rows: readonly LogRow[] }): JSX.Element {
  return (
    <TableCard
      title="Last requests"
      controls={<More href="/logs">All logs</More>}
      cards="compact"
      columns={logColumns}
      rows={props.rows}
      rowKey={(row) => row.id}
      rowHref={(row) => `/logs?id=${row.id}`}
    />
  );
}

function More(props: { href: string; children: JSX.Element }): JSX.Element {
  return (
    <A href={props.href} class="link text-sm">
      {props.children}
    </A>
  );
}
