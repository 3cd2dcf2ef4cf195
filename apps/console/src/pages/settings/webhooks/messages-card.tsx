// What was sent to an endpoint, newest first, and sending it again.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { useMay } from "../../../lib/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { SelectControl } from "../../../ui/choices.tsx";
import { Time } from "../../../ui/figures.tsx";
import { PagedTable } from "../../../ui/paged-table.tsx";
import { StatusPill, type Tone } from "../../../ui/status-pill.tsx";
import type { Column } from "../../../ui/table.tsx";
import { useChange } from "../../../ui/use-change.ts";
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
  { id: "type", title: "Event", cell: ({ type }) => <span class="font-mono text-xs">{type}</span> },
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
  const mayChange = useMay("webhooks.change");
  const [chosen, setChosen] = createSignal("");
  const [state, setState] = createSignal<State | "">("");
  const [open, setOpen] = createSignal<string>();
  const endpointId = () =>
    props.endpoints.find(({ id }) => id === chosen())?.id ?? props.endpoints[0]?.id ?? "";
  const filter = () => {
    const chosen = state();
    return chosen === "" ? {} : { state: chosen };
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
              onChange={setChosen}
              choices={props.endpoints.map(({ id, url }) => ({ value: id, label: url }))}
            />
          </Show>
          <SelectControl
            label="Status"
            small
            value={state()}
            onChange={setState}
            choices={[
              { value: "", label: "All" },
              ...states.map((value) => ({ value, label: stateNames[value] })),
            ]}
          />
        </div>
      }
    >
      <PagedTable
        queryKey={[...webhooksKey, "messages", endpointId(), state()]}
        load={(page, call) =>
          api.webhooks.messages.query({ id: endpointId(), ...filter(), ...page }, call)
        }
        liveMs={liveMs}
        what="the deliveries"
        empty={state() === "" ? "Nothing was sent yet." : "Nothing matches the filter."}
        caption="Deliveries, newest first"
        columns={columns}
        onOpen={({ id }) => setOpen(id)}
        actions={({ id }) => (
          <Show when={mayChange()}>
            <SendAgain id={id} />
          </Show>
        )}
      />
      <MessageDialog id={open()} onClose={() => setOpen(undefined)} />
    </Card>
  );
}

function SendAgain(props: { id: string }): JSX.Element {
  const send = useChange(() => api.webhooks.sendAgain.mutate({ id: props.id }), {
    refreshes: webhooksKey,
    toast: "It is on its way again, under the same webhook-id.",
  });
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
