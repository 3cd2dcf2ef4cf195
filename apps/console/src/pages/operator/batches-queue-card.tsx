// The batches of all accounts that run: how far each is, since when its lines wait and what for. One can be stopped.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatCount } from "../../lib/format.ts";
import { Time } from "../../ui/figures/figures.tsx";
import { codeColumn, textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AskMenu } from "./ask.tsx";
import type { AskedAction } from "./ask-action.ts";
import { useDesk } from "./use-operator.ts";

type Batch = Answers["operator"]["batch"]["queue"]["rows"][number];

const columns: readonly Column<Batch>[] = [
  textColumn("account", "Account", ({ account }) => account),
  codeColumn("id", "Batch", ({ id }) => id),
  codeColumn("state", "State", ({ state, pausedBy }) =>
    state === "in_progress" ? (pausedBy ?? state) : state,
  ),
  {
    id: "lines",
    title: "Lines that wait",
    align: "end",
    cell: ({ waiting, total }) => `${formatCount(waiting)} of ${formatCount(total)}`,
  },
  timeColumn("oldest", "Waits since", ({ oldestAt }) => oldestAt, { none: "Nothing waits" }),
  textColumn("error", "Error", ({ error }) => error ?? "", { class: "wrap-anywhere text-xs" }),
];

export function BatchesQueueCard(): JSX.Element {
  const query = useDesk("Batches", api.operator.batch.queue, () => ({}));
  return (
    <TableCard
      title="Batches"
      caption="Batches that run"
      description={
        <Show when={query.data?.oldestAt} fallback="No line waits.">
          {(at) => (
            <>
              {formatCount(query.data?.waiting ?? 0)} lines wait; the first since <Time at={at()} />
            </>
          )}
        </Show>
      }
      query={query}
      what="the batches"
      empty="No batch runs."
      rows={({ rows }) => rows}
      rowKey={({ id }) => id}
      columns={columns}
      actions={(batch) => (
        <Show when={batch.state === "validating" || batch.state === "in_progress"}>
          <AskMenu
            verb="batch.cancel"
            label={`Actions for ${batch.id}`}
            actions={[["Stop", stopAction(batch)]]}
          />
        </Show>
      )}
    />
  );
}

function stopAction({ accountId, id }: Batch): AskedAction {
  return {
    title: "Stop this batch?",
    body: "No line of it starts any more. Those that run end and are charged, and the customer gets all results there are.",
    confirmLabel: "Stop",
    destroys: true,
    run: ({ reason }) => api.operator.batch.cancel.mutate({ account: accountId, id, reason }),
  };
}
