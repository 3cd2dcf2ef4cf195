// Settings: where events of the account are sent, and whether they arrived.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { counted } from "../../../lib/plural.ts";
import { useMay } from "../../../lib/session.ts";
import { createStableRows } from "../../../lib/stable-rows.ts";
import { useAsked } from "../../../lib/use-asked.ts";
import { useAnswer } from "../../../lib/use-query.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Time } from "../../../ui/figures.tsx";
import { Waypoints } from "../../../ui/icons.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { EmptyState } from "../../../ui/states.tsx";
import { StatusPill } from "../../../ui/status-pill.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { SettingsFrame } from "../settings-frame.tsx";
import { EndpointDialogs } from "./endpoint-dialogs.tsx";
import {
  type Endpoint,
  type EndpointChange,
  EndpointMenu,
  endpointsKey,
} from "./endpoint-menu.tsx";
import { MessagesCard } from "./messages-card.tsx";

const statusNames = {
  member: "Disabled",
  failures: "Disabled after three days of failures",
  gone: "Disabled: it answered 410 Gone",
} as const;

const columns: readonly Column<Endpoint>[] = [
  {
    id: "url",
    title: "Endpoint",
    cell: (endpoint) => (
      <>
        <span class="block font-mono text-xs">{endpoint.url}</span>
        <span class="block text-muted">{endpoint.description}</span>
      </>
    ),
    class: "wrap-anywhere",
  },
  {
    id: "events",
    title: "Events",
    cell: ({ eventTypes }) => (
      <span title={eventTypes?.join(", ")}>
        {eventTypes === null ? "Every event" : counted(eventTypes.length, "kind")}
      </span>
    ),
  },
  { id: "status", title: "Status", cell: (endpoint) => <EndpointStatus of={endpoint} /> },
];

export default function WebhooksPage(): JSX.Element {
  const [change, setChange] = createSignal<EndpointChange>();
  const query = useAnswer(endpointsKey, (call) => api.webhooks.list.query(undefined, call));
  const mayChange = useMay("webhooks.change");
  useAsked(
    "add-endpoint",
    () => setChange(mayChange() && query.data?.available ? { kind: "add" } : undefined),
    () => query.data !== undefined,
  );
  const endpoints = createStableRows(() => query.data?.endpoints ?? []);
  return (
    <SettingsFrame>
      <Card
        title="Webhook endpoints"
        description="Events of this account are sent to your endpoints, signed by the Standard Webhooks specification."
        flush
        actions={
          <Show when={endpoints().length > 0}>
            <AddButton onAdd={() => setChange({ kind: "add" })} />
          </Show>
        }
      >
        <Loaded query={query} what="the webhook endpoints">
          {(data) => (
            <Endpoints
              data={data()}
              rows={endpoints()}
              onChange={setChange}
              onAdd={() => setChange({ kind: "add" })}
            />
          )}
        </Loaded>
      </Card>
      <Show when={endpoints().length > 0}>
        <MessagesCard endpoints={endpoints()} />
      </Show>
      <EndpointDialogs
        change={change()}
        eventTypes={query.data?.eventTypes ?? []}
        onChange={setChange}
      />
    </SettingsFrame>
  );
}

type EndpointsProps = {
  data: Answers["webhooks"]["list"];
  rows: readonly Endpoint[];
  onAdd: () => void;
  onChange: (change: EndpointChange) => void;
};

function Endpoints(props: EndpointsProps): JSX.Element {
  const mayChange = useMay("webhooks.change");
  return (
    <>
      <Show when={!props.data.available}>
        <div class="p-5">
          <Banner tone="warning">
            Webhooks are off: the operator of this installation has to set SEALING_KEY first.
          </Banner>
        </div>
      </Show>
      <Show
        when={props.rows.length > 0}
        fallback={
          <Show when={props.data.available}>
            <EmptyState
              title="No endpoint yet."
              icon={<Waypoints class="size-5" />}
              action={<AddButton onAdd={props.onAdd} />}
            >
              <p class="text-center text-muted">
                Be told when a key is created, a budget is reached or the balance is low.
              </p>
            </EmptyState>
          </Show>
        }
      >
        <Table
          caption="Webhook endpoints"
          columns={columns}
          rows={props.rows}
          rowKey={({ id }) => id}
          actions={(endpoint) => (
            <Show when={mayChange()}>
              <EndpointMenu of={endpoint} onChange={props.onChange} />
            </Show>
          )}
        />
      </Show>
    </>
  );
}

function AddButton(props: { onAdd: () => void }): JSX.Element {
  const mayChange = useMay("webhooks.change");
  return (
    <Show when={mayChange()}>
      <Button variant="primary" size="small" changes onClick={() => props.onAdd()}>
        Add endpoint
      </Button>
    </Show>
  );
}

function EndpointStatus(props: { of: Endpoint }): JSX.Element {
  return (
    <span class="inline-flex flex-wrap items-center gap-2">
      <Show
        when={props.of.disabledBy}
        fallback={
          <Show
            when={props.of.failingSince}
            fallback={<StatusPill tone="success">Enabled</StatusPill>}
          >
            {(since) => (
              <>
                <StatusPill tone="warning">Failing</StatusPill>
                <Time at={since()} inRow />
              </>
            )}
          </Show>
        }
      >
        {(by) => (
          <StatusPill tone={by() === "member" ? "neutral" : "danger"}>
            {statusNames[by()]}
          </StatusPill>
        )}
      </Show>
      <Show when={props.of.previousUntil}>
        {(until) => (
          <span class="text-xs text-muted">
            Two secrets count until <Time at={until()} inRow />
          </span>
        )}
      </Show>
    </span>
  );
}
