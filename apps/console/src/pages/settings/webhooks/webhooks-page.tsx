// Where are events of the account sent, and did they arrive?
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { api } from "../../../lib/api.ts";
import { loadOnce } from "../../../lib/load-once.ts";
import { counted } from "../../../lib/plural.ts";
import { useMay } from "../../../lib/session.ts";
import { createStableRows } from "../../../lib/stable-rows.ts";
import { useAsked } from "../../../lib/use-asked.ts";
import { useAnswer } from "../../../lib/use-query.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Time } from "../../../ui/figures/figures.tsx";
import { StatusPill } from "../../../ui/figures/status-pill.tsx";
import { Waypoints } from "../../../ui/icons.ts";
import { Banner } from "../../../ui/notices/banner.tsx";
import { MenuPlace } from "../../../ui/states/skeleton.tsx";
import { EmptyState } from "../../../ui/states/states.tsx";
import { textColumn } from "../../../ui/tables/columns.tsx";
import type { Column } from "../../../ui/tables/table.tsx";
import { TableCard } from "../../../ui/tables/table-card.tsx";
import { SettingsFrame } from "../settings-frame.tsx";
import { addEndpoint } from "./change-endpoint.tsx";
import { type Endpoint, endpointsKey } from "./endpoints.ts";
import { MessagesCard } from "./messages-card.tsx";

// Loaded after the list is drawn.
const EndpointMenu = lazy(loadOnce(() => import("./endpoint-menu.tsx")));

const statusNames = {
  member: "Disabled",
  failures: "Disabled after three days of failures",
  gone: "Disabled: it answered 410 Gone",
} as const;

const columns: readonly Column<Endpoint>[] = [
  textColumn("url", "Endpoint", ({ url, description }) => (
    <>
      <span translate="no" class="block font-mono text-xs">
        {url}
      </span>
      <span class="block text-muted">{description}</span>
    </>
  )),
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
  const query = useAnswer(endpointsKey, (call) => api.webhooks.list.query(undefined, call));
  const mayChange = useMay("webhooks.change");
  const types = () => query.data?.eventTypes ?? [];
  const add = () => addEndpoint(types());
  useAsked(
    "add-endpoint",
    () => mayChange() && query.data?.available && add(),
    () => query.data !== undefined,
  );
  const endpoints = createStableRows(() => query.data?.endpoints ?? []);
  return (
    <SettingsFrame>
      <Show when={query.data?.available === false}>
        <Banner tone="warning">
          Webhooks are off: the operator of this installation has to set SEALING_KEY first.
        </Banner>
      </Show>
      <TableCard
        title="Webhook endpoints"
        description="Events of this account are sent to your endpoints, signed by the Standard Webhooks specification."
        controls={
          <Show when={endpoints().length > 0}>
            <AddButton onAdd={add} />
          </Show>
        }
        query={query}
        what="the webhook endpoints"
        empty={
          <EmptyState
            title="No endpoint yet."
            icon={<Waypoints class="size-5" />}
            action={
              <Show when={query.data?.available}>
                <AddButton onAdd={add} />
              </Show>
            }
          >
            <p class="text-center text-muted">
              Be told when a key is created, a budget is reached or the balance is low.
            </p>
          </EmptyState>
        }
        caption="Webhook endpoints"
        columns={columns}
        rows={endpoints}
        rowKey={({ id }) => id}
        actions={(endpoint) => (
          <Show when={mayChange()}>
            <Suspense fallback={<MenuPlace />}>
              <EndpointMenu of={endpoint} eventTypes={types()} />
            </Suspense>
          </Show>
        )}
      />
      <Show when={endpoints().length > 0}>
        <MessagesCard endpoints={endpoints()} />
      </Show>
    </SettingsFrame>
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
