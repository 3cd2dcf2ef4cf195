// The batches of the account, newest first: how far each of them is, why it waits or failed, its results, and canceling it.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatCount } from "../../lib/format.ts";
import { useMay } from "../../lib/session.ts";
import { RowButton } from "../../ui/buttons/change-button.tsx";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { Bar } from "../../ui/figures/bar.tsx";
import { StatusPill, type Tone } from "../../ui/figures/status-pill.tsx";
import { codeColumn, textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import { PagedCard } from "../../ui/tables/paged-card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { DownloadLink } from "./download-link.tsx";

type Batch = Answers["batches"]["list"]["rows"][number];

const batchesKey = ["batches"] as const;
/** Counting the lines of a batch that runs costs the server more than one that is over. */
const liveMs = { running: 5_000, over: 30_000 } as const;

const states: Readonly<Record<Batch["state"], { readonly name: string; readonly tone: Tone }>> = {
  validating: { name: "Reading the file", tone: "info" },
  failed: { name: "Refused", tone: "danger" },
  in_progress: { name: "Running", tone: "info" },
  finalizing: { name: "Writing results", tone: "info" },
  completed: { name: "Completed", tone: "success" },
  expired: { name: "Expired", tone: "warning" },
  cancelling: { name: "Canceling", tone: "neutral" },
  cancelled: { name: "Canceled", tone: "neutral" },
};

/** By the code of the refusal; what any other waits for is said by its code. */
const pauses: Readonly<Record<string, string>> = {
  insufficient_quota: "Waits for funds",
  key_limit_reached: "Waits for the limit of its key",
  budget_reached: "Waits for a budget",
  key_disabled: "Waits: its key is disabled",
  account_suspended: "Waits: the account is suspended",
  rate_limit_exceeded: "Waits for a rate limit",
};

const shownErrors = 3;

const columns: readonly Column<Batch>[] = [
  codeColumn("id", "Batch", ({ id }) => id),
  codeColumn("endpoint", "Requests to", ({ endpoint }) => endpoint),
  textColumn("state", "Status", (batch) => <State of={batch} />),
  { id: "progress", title: "Lines", cell: (batch) => <Progress of={batch} /> },
  timeColumn("created", "Created", ({ createdAt }) => createdAt),
  timeColumn("ended", "Ended", ({ endedAt }) => endedAt, { none: "Not yet" }),
];

export function BatchesCard(): JSX.Element {
  const mayChange = useMay("files.change");
  return (
    <PagedCard
      title="Batches"
      description="Of the last 30 days. Each line costs what the request would cost by itself."
      queryKey={batchesKey}
      load={(page, call) => api.batches.list.query(page, call)}
      liveMs={(rows) =>
        rows.every(({ endedAt }) => endedAt !== null) ? liveMs.over : liveMs.running
      }
      what="the batches"
      empty="No batches yet."
      caption="Batches, newest first"
      columns={columns}
      actions={(batch) => (
        <span class="inline-flex items-center gap-2">
          <Show when={batch.output}>
            {(id) => (
              <DownloadLink id={id()} of={`of ${batch.id}`}>
                Results
              </DownloadLink>
            )}
          </Show>
          <Show when={batch.errorFile}>
            {(id) => (
              <DownloadLink id={id()} of={`of ${batch.id}`}>
                Errors
              </DownloadLink>
            )}
          </Show>
          <Show when={mayChange() && mayCancel(batch)}>
            <RowButton text="Cancel" of={batch.id} onClick={() => cancelBatch(batch)} />
          </Show>
        </span>
      )}
    />
  );
}

function State(props: { of: Batch }): JSX.Element {
  const state = () => states[props.of.state];
  const pause = () => {
    const { state, pausedBy } = props.of;
    return state === "in_progress" && pausedBy !== null ? (pauses[pausedBy] ?? pausedBy) : null;
  };
  return (
    <>
      <StatusPill tone={pause() === null ? state().tone : "warning"}>
        {pause() ?? state().name}
      </StatusPill>
      <For each={props.of.errors.slice(0, shownErrors)}>
        {({ line, message }) => (
          <span class="mt-1 block text-xs text-muted">
            {line === null ? message : `Line ${formatCount(line)}: ${message}`}
          </span>
        )}
      </For>
    </>
  );
}

function Progress(props: { of: Batch }): JSX.Element {
  const share = (count: number) => (props.of.total === 0 ? 0 : count / props.of.total);
  const text = () => {
    const { completed, failed, total } = props.of;
    const errors = failed === 0 ? "" : `, ${formatCount(failed)} with errors`;
    return `${formatCount(completed)} of ${formatCount(total)}${errors}`;
  };
  return (
    <span class="block min-w-32">
      <span class="block text-xs">{text()}</span>
      <Bar
        class="mt-1 h-1.5 w-full"
        parts={[
          { share: share(props.of.completed), class: "fill-success" },
          { from: share(props.of.completed), share: share(props.of.failed), class: "fill-danger" },
        ]}
      />
    </span>
  );
}

function mayCancel({ state }: Batch): boolean {
  return state === "validating" || state === "in_progress";
}

function cancelBatch({ id }: Batch): void {
  askQuestion({
    title: "Cancel this batch?",
    text: "No more lines start. Those that run are answered and charged, and the results so far are kept.",
    confirmLabel: "Cancel batch",
    pendingLabel: "Canceling…",
    run: () => api.batches.cancel.mutate({ id }),
    refreshes: [batchesKey],
    toast: "The batch is being canceled.",
  });
}
