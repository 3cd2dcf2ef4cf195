// Settings: where events of the account are sent, and whether they arrived.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { useMay } from "../../../lib/session.ts";
import { createStableRows } from "../../../lib/stable-rows.ts";
import { useQuery } from "../../../lib/use-query.ts";
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
import { t } from "./texts.ts";

const columns: readonly Column<Endpoint>[] = [
  {
    id: "url",
    title: t("list.url"),
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
    title: t("list.events"),
    cell: ({ eventTypes }) => (
      <span title={eventTypes?.join(", ")}>
        {eventTypes === null ? t("list.every") : t("list.some", { count: eventTypes.length })}
      </span>
    ),
  },
  {
    id: "status",
    title: t("list.status"),
    cell: (endpoint) => <EndpointStatus of={endpoint} />,
  },
];

export default function WebhooksPage(): JSX.Element {
  const [change, setChange] = createSignal<EndpointChange>();
  const query = useQuery(() => ({
    queryKey: endpointsKey,
    queryFn: ({ signal }) => api.webhooks.list.query(undefined, { signal }),
  }));
  const endpoints = createStableRows(() => query.data?.endpoints ?? []);
  return (
    <SettingsFrame>
      <Card
        title={t("list.title")}
        description={t("list.hint")}
        flush
        actions={
          <Show when={endpoints().length > 0}>
            <AddButton onAdd={() => setChange({ kind: "add" })} />
          </Show>
        }
      >
        <Loaded query={query} what={t("list.what")}>
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
          <Banner tone="warning">{t("list.off")}</Banner>
        </div>
      </Show>
      <Show
        when={props.rows.length > 0}
        fallback={
          <Show when={props.data.available}>
            <EmptyState
              title={t("list.noneTitle")}
              icon={<Waypoints class="size-5" />}
              action={<AddButton onAdd={props.onAdd} />}
            >
              <p class="text-center text-muted">{t("list.noneBody")}</p>
            </EmptyState>
          </Show>
        }
      >
        <Table
          caption={t("list.caption")}
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
        {t("list.add")}
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
            fallback={<StatusPill tone="success">{t("status.enabled")}</StatusPill>}
          >
            {(since) => (
              <>
                <StatusPill tone="warning">{t("status.failing")}</StatusPill>
                <Time at={since()} inRow />
              </>
            )}
          </Show>
        }
      >
        {(by) => (
          <StatusPill tone={by() === "member" ? "neutral" : "danger"}>
            {t(`status.${by()}`)}
          </StatusPill>
        )}
      </Show>
      <Show when={props.of.previousUntil}>
        {(until) => (
          <span class="text-xs text-muted">
            {t("secret.both")} <Time at={until()} inRow />
          </span>
        )}
      </Show>
    </span>
  );
}
