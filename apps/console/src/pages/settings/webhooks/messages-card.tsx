// What was sent to an endpoint, newest first, and sending it again.
import type { WebhookMessageState } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { loadOnce } from "../../../lib/load-once.ts";
import { useMay } from "../../../lib/session.ts";
import { ChangeButton } from "../../../ui/buttons/change-button.tsx";
import { useChange } from "../../../ui/buttons/use-change.ts";
import { StatusPill, type Tone } from "../../../ui/figures/status-pill.tsx";
import { choicesOf, SelectControl } from "../../../ui/forms/choices.tsx";
import { textColumn, timeColumn } from "../../../ui/tables/columns.tsx";
import { FilterBar, FilterSelect } from "../../../ui/tables/filter-bar.tsx";
import { PagedCard } from "../../../ui/tables/paged-card.tsx";
import type { Column } from "../../../ui/tables/table.tsx";
import { type Endpoint, webhooksKey } from "./endpoints.ts";

const MessageDialog = lazy(loadOnce(() => import("./message-dialog.tsx")));

type Message = Answers["webhooks"]["messages"]["rows"][number];

const stateNames: Readonly<Record<WebhookMessageState, string>> = {
  waiting: "Waiting",
  accepted: "Accepted",
  failed: "Failed",
  canceled: "Canceled",
};

const tones: Readonly<Record<WebhookMessageState, Tone>> = {
  waiting: "info",
  accepted: "success",
  failed: "danger",
  canceled: "neutral",
};
const liveMs = 5_000;

const columns: readonly Column<Message>[] = [
  {
    id: "type",
    title: "Event",
    cell: ({ type }) => (
      <span translate="no" class="font-mono text-xs">
        {type}
      </span>
    ),
  },
  timeColumn("at", "Time", ({ createdAt }) => createdAt),
  textColumn("state", "Status", (row) => (
    <>
      <StatusPill tone={tones[row.state]}>{stateNames[row.state]}</StatusPill>
      <span class="block text-xs text-muted">{row.error}</span>
    </>
  )),
  { id: "attempts", title: "Attempts", align: "end", cell: (row) => row.attempts },
];

export function MessagesCard(props: { endpoints: readonly Endpoint[] }): JSX.Element {
  const mayChange = useMay("webhooks.change");
  const [chosen, setChosen] = createSignal("");
  const [state, setState] = createSignal<WebhookMessageState | "">("");
  const [open, setOpen] = createSignal<string>();
  const endpointId = () =>
    props.endpoints.find(({ id }) => id === chosen())?.id ?? props.endpoints[0]?.id ?? "";
  const filter = () => {
    const chosen = state();
    return chosen === "" ? {} : { state: chosen };
  };
  const narrowed = {
    filterCount: () => (state() === "" ? 0 : 1),
    clear: () => setState(""),
  };
  return (
    <>
      <PagedCard
        title="Deliveries"
        description="Of the last 30 days, newest first."
        filters={
          <FilterBar narrowed={narrowed} inCard>
            <Show when={props.endpoints.length > 1}>
              <SelectControl
                label="Endpoint"
                small
                value={endpointId()}
                onChange={setChosen}
                choices={props.endpoints.map(({ id, url }) => ({ value: id, label: url }))}
              />
            </Show>
            <FilterSelect
              label="Status"
              value={state()}
              onChange={setState}
              any="All statuses"
              choices={choicesOf(stateNames)}
            />
          </FilterBar>
        }
        narrowed={narrowed}
        queryKey={[...webhooksKey, "messages", endpointId(), state()]}
        load={(page, call) =>
          api.webhooks.messages.query({ id: endpointId(), ...filter(), ...page }, call)
        }
        liveMs={liveMs}
        what="the deliveries"
        empty="Nothing was sent yet."
        caption="Deliveries, newest first"
        columns={columns}
        onOpen={({ id }) => setOpen(id)}
        actions={({ id }) => (
          <Show when={mayChange()}>
            <SendAgain id={id} />
          </Show>
        )}
      />
      <Show when={open()} keyed>
        {(id) => (
          <Suspense>
            <MessageDialog id={id} onClose={() => setOpen(undefined)} />
          </Suspense>
        )}
      </Show>
    </>
  );
}

function SendAgain(props: { id: string }): JSX.Element {
  const send = useChange(() => api.webhooks.sendAgain.mutate({ id: props.id }), {
    refreshes: webhooksKey,
    toast: "It is on its way again, under the same webhook-id.",
  });
  return (
    <ChangeButton size="small" variant="ghost" change={send}>
      Send again
    </ChangeButton>
  );
}
