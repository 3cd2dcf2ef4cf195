// The errors of the range, by code with an explanation, and links to those requests.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { explainError } from "../../product/usage/api-errors.ts";
import { countColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { ShareBar } from "./share-bar.tsx";
import type { Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type ErrorsViewProps = { usage: Usage; view: UsageView; busy: boolean };

export default function ErrorsView(props: ErrorsViewProps): JSX.Element {
  const all = createMemo(() => props.usage.errors.reduce((sum, row) => sum + row.count, 0));
  const columns: readonly Column<Usage["errors"][number]>[] = [
    {
      id: "code",
      title: "Code",
      cell: ({ code }) => <span translate="no">{code}</span>,
      class: "font-mono text-xs whitespace-nowrap",
    },
    {
      id: "meaning",
      title: "Meaning",
      cell: ({ code }) => explainError(code),
      class: "sm:min-w-64",
    },
    countColumn("count", "Count", ({ count }) => count),
    {
      id: "share",
      title: "Share of errors",
      cell: ({ count }) => <ShareBar share={count / all()} />,
    },
  ];
  return (
    <TableCard
      title="Errors by code"
      columns={columns}
      rows={props.usage.errors}
      empty="No errors in this range."
      rowKey={(row) => row.code}
      busy={props.busy}
      actions={(row) => (
        <Show when={props.view.logsHref({ code: row.code })}>
          {(href) => (
            <A href={href()} class="link whitespace-nowrap" aria-label={`View logs of ${row.code}`}>
              View logs
            </A>
          )}
        </Show>
      )}
    />
  );
}
