// The errors of the range, by code with an explanation, and links to those requests.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { formatCount } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Table } from "../../ui/table.tsx";
import { explainError } from "../shared/explain-error.ts";
import { ShareBar } from "./share-bar.tsx";
import type { Usage } from "./usage-cards.tsx";
import type { UsageView } from "./use-usage-view.ts";

type ErrorsViewProps = { usage: Usage; view: UsageView; busy: boolean };
type ErrorRow = Usage["errors"][number];

export default function ErrorsView(props: ErrorsViewProps): JSX.Element {
  const all = createMemo(() => props.usage.errors.reduce((sum, row) => sum + row.count, 0));
  const columns = [
    {
      id: "code",
      title: "Code",
      cell: (row: ErrorRow) => row.code,
      class: "font-mono text-xs whitespace-nowrap",
    },
    {
      id: "meaning",
      title: "Meaning",
      cell: (row: ErrorRow) => explainError(row.code),
      class: "sm:min-w-64",
    },
    {
      id: "count",
      title: "Count",
      align: "end" as const,
      cell: (row: ErrorRow) => formatCount(row.count),
    },
    {
      id: "share",
      title: "Share of errors",
      cell: (row: ErrorRow) => <ShareBar share={row.count / all()} />,
    },
  ];
  return (
    <Card title="Errors by code" flush>
      <Show
        when={props.usage.errors.length > 0}
        fallback={<p class="p-5 text-muted">No errors in this range.</p>}
      >
        <Table
          caption="Errors by code"
          columns={columns}
          rows={props.usage.errors}
          rowKey={(row) => row.code}
          busy={props.busy}
          actions={(row) => (
            <A
              href={props.view.logsHref({ code: row.code })}
              class="link whitespace-nowrap"
              aria-label={`View logs of ${row.code}`}
            >
              View logs
            </A>
          )}
        />
      </Show>
    </Card>
  );
}
