// What was sent to an endpoint, newest first, and sending it again.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { describeFailure } from "../../../lib/describe-failure.ts";
import { readFailure } from "../../../lib/read-failure.ts";
import { useMay } from "../../../lib/session.ts";
import { createStableRows } from "../../../lib/stable-rows.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { SelectControl } from "../../../ui/choices.tsx";
import { Time } from "../../../ui/figures.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { EmptyState } from "../../../ui/states.tsx";
import { StatusPill, type Tone } from "../../../ui/status-pill.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import { type Endpoint, webhooksKey } from "./endpoint-menu.tsx";
import { MessageDialog } from "./message-dialog.tsx";

const stateNames = {
  waiting: "Waiting",
  accepted: "Accepted",
  failed: "Failed",
  canceled: "Canceled",
} as const;

type Message = Answers["webhooks"]["messages"]["rows"][number];
type State = Message["state"];

const tones: Readonly<Record<State, Tone>> = {
  waiting: "info",
  accepted: "success",
  failed: "danger",
  canceled: "neutral",
};
const states = ["waiting", "accepted", "failed", "canceled"] as const;
const liveMs = 5_000;

const columns: readonly Column<Message>[] = [
  {
    id: "type",
    title: "Event",
    cell: ({ type }) => <span class="font-mono text-xs">{type}</span>,
  },
  { id: "at", title: "Time", cell: (row) => <Time at={row.createdAt} inRow /> },
  {
    id: "state",
    title: "Status",
    cell: (row) => (
      <>
        <StatusPill tone={tones[row.state]}>{stateNames[row.state]}</StatusPill>
        <span class="block text-xs text-muted">{row.error}</span>
      </>
    ),
    class: "wrap-anywhere",
  },
  { id: "attempts", title: "Attempts", align: "end", cell: (row) => row.attempts },
];

export function MessagesCard(props: { endpoints: readonly Endpoint[] }): JSX.Element {
  const [chosen, setChosen] = createSignal("");
  const [state, setState] = createSignal<State | "">("");
  const [cursors, setCursors] = createSignal<readonly string[]>([]);
  const [open, setOpen] = createSignal<string>();
  const endpointId = () =>
    props.endpoints.find(({ id }) => id === chosen())?.id ?? props.endpoints[0]?.id ?? "";
  const narrow = (change: () => unknown) => {
    setCursors([]);
    change();
  };
  return (
    <Card
      title="Deliveries"
      description="Of the last 30 days, newest first."
      flush
      actions={
        <div class="flex flex-wrap gap-2">
          <Show when={props.endpoints.length > 1}>
            <SelectControl
              label="Endpoint"
              small
              value={endpointId()}
              onChange={(id) => narrow(() => setChosen(id))}
              choices={props.endpoints.map(({ id, url }) => ({ value: id, label: url }))}
            />
          </Show>
          <SelectControl
            label="Status"
            small
            value={state()}
            onChange={(value) => narrow(() => setState(value))}
            choices={[
              { value: "", label: "All" },
              ...states.map((value) => ({ value, label: stateNames[value] })),
            ]}
          />
        </div>
      }
    >
      <For each={["", ...cursors()]}>
        {(cursor) => (
          <MessageRows
            endpointId={endpointId()}
            state={state()}
            cursor={cursor}
            isLast={cursor === (cursors().at(-1) ?? "")}
            onMore={(next) => setCursors([...cursors(), next])}
            onOpen={setOpen}
          />
        )}
      </For>
      <MessageDialog id={open()} onClose={() => setOpen(undefined)} />
    </Card>
  );
}

type MessageRowsProps = {
  endpointId: string;
  state: State | "";
  /** Empty for the newest. */
  cursor: string;
  isLast: boolean;
  onMore: (cursor: string) => void;
  onOpen: (id: string) => void;
};

function MessageRows(props: MessageRowsProps): JSX.Element {
  const mayChange = useMay("webhooks.change");
  const query = useQuery(() => ({
    queryKey: [...webhooksKey, "messages", props.endpointId, props.state, props.cursor],
    queryFn: ({ signal }) =>
      api.webhooks.messages.query(
        {
          id: props.endpointId,
          ...(props.state !== "" && { state: props.state }),
          ...(props.cursor !== "" && { cursor: props.cursor }),
        },
        { signal },
      ),
    refetchInterval: liveMs,
  }));
  const rows = createStableRows(() => query.data?.rows ?? []);
  const next = () => (props.isLast ? query.data?.nextCursor : null);
  return (
    <Loaded query={query} what="the deliveries">
      {() => (
        <Show
          when={rows().length > 0}
          fallback={
            <EmptyState
              title={props.state === "" ? "Nothing was sent yet." : "Nothing matches the filter."}
            />
          }
        >
          <Table
            caption="Deliveries, newest first"
            columns={columns}
            rows={rows()}
            rowKey={({ id }) => id}
            onOpen={({ id }) => props.onOpen(id)}
            actions={({ id }) => (
              <Show when={mayChange()}>
                <SendAgain id={id} />
              </Show>
            )}
          />
          <Show when={next()}>
            {(cursor) => (
              <div class="border-t border-border p-3 text-center">
                <Button size="small" onClick={() => props.onMore(cursor())}>
                  Show more
                </Button>
              </div>
            )}
          </Show>
        </Show>
      )}
    </Loaded>
  );
}

function SendAgain(props: { id: string }): JSX.Element {
  const client = useQueryClient();
  const send = useMutation(() => ({
    mutationFn: () => api.webhooks.sendAgain.mutate({ id: props.id }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: webhooksKey });
      showToast("It is on its way again, under the same webhook-id.");
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return (
    <Button
      size="small"
      variant="ghost"
      changes
      pending={send.isPending}
      onClick={() => send.mutate()}
    >
      Send again
    </Button>
  );
}
