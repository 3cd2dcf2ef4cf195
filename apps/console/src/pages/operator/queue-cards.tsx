// The queues of mails, of events of Stripe and of webhooks: how many wait, which failed and why; each of those can be tried
// now or discarded.
import type { QueryKey } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { Column } from "../../ui/table.tsx";
import { useAsk } from "./ask.tsx";
import { switchAction } from "./switch-action.ts";
import { useOperatorMay, type VerbName } from "./use-operator.ts";

const actions = {
  retry: {
    title: "Try it now?",
    body: "It is tried with the next run, within a second or two.",
    confirmLabel: "Try now",
  },
  discard: { title: "Discard it?", body: "It is not tried again.", confirmLabel: "Discard" },
} as const;

type Mail = Answers["operator"]["mail"]["queue"]["rows"][number];
type StripeEvent = Answers["operator"]["stripe"]["queue"]["rows"][number];
type Message = Answers["operator"]["webhook"]["queue"]["rows"][number];
type Failed = {
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly error: string | null;
};

export default function QueueCards(): JSX.Element {
  return (
    <>
      <MailCard />
      <StripeCard />
      <WebhookCard />
    </>
  );
}

/** The columns that all queues have. */
function failedColumns<Row extends Failed>(): readonly Column<Row>[] {
  return [
    { id: "attempts", title: "Attempts", align: "end", cell: ({ attempts }) => attempts },
    {
      id: "next",
      title: "Next attempt",
      cell: ({ nextAttemptAt }) => (
        <Show when={nextAttemptAt} fallback="Given up">
          {(at) => <Time at={at()} inRow />}
        </Show>
      ),
    },
    {
      id: "error",
      title: "Error",
      cell: ({ error }) => error ?? "",
      class: "wrap-anywhere text-xs",
    },
  ];
}

const mailColumns: readonly Column<Mail>[] = [
  { id: "recipient", title: "To", cell: ({ recipient }) => recipient, class: "wrap-anywhere" },
  { id: "kind", title: "Kind", cell: ({ kind }) => kind },
  ...failedColumns<Mail>(),
];

function MailCard(): JSX.Element {
  const { queue, retry, discard } = api.operator.mail;
  return (
    <QueueCard
      title="Mails"
      caption="Mails that failed"
      queryKey={["operator", "queue", "mail"]}
      verb="mail.retry"
      load={(signal) => queue.query({}, { signal })}
      columns={mailColumns}
      rowKey={({ id }) => id}
      nameOf={({ recipient }) => recipient}
      // A mail that was given up is empty.
      isOver={({ failedAt }) => failedAt !== null}
      retry={({ id }, reason) => retry.mutate({ id, reason })}
      discard={({ id }, reason) => discard.mutate({ id, reason })}
    />
  );
}

const stripeColumns: readonly Column<StripeEvent>[] = [
  {
    id: "event",
    title: "Event",
    cell: ({ eventId }) => eventId,
    class: "wrap-anywhere font-mono text-xs",
  },
  { id: "type", title: "Kind", cell: ({ type }) => type, class: "wrap-anywhere" },
  ...failedColumns<StripeEvent>(),
];

function StripeCard(): JSX.Element {
  const { queue, retry, discard } = api.operator.stripe;
  return (
    <QueueCard
      title="Events of Stripe"
      caption="Events of Stripe that failed"
      queryKey={["operator", "queue", "stripe"]}
      verb="stripe.retry"
      load={(signal) => queue.query({}, { signal })}
      columns={stripeColumns}
      rowKey={({ eventId }) => eventId}
      nameOf={({ eventId }) => eventId}
      retry={({ eventId: event }, reason) => retry.mutate({ event, reason })}
      discard={({ eventId: event }, reason) => discard.mutate({ event, reason })}
    />
  );
}

const webhookColumns: readonly Column<Message>[] = [
  { id: "account", title: "Account", cell: ({ account }) => account, class: "wrap-anywhere" },
  { id: "url", title: "Endpoint", cell: ({ url }) => url, class: "wrap-anywhere text-xs" },
  ...failedColumns<Message>(),
];

function WebhookCard(): JSX.Element {
  const { queue, retry, discard } = api.operator.webhook;
  return (
    <QueueCard
      title="Webhooks"
      caption="Webhooks that failed and wait"
      queryKey={["operator", "queue", "webhooks"]}
      verb="webhook.retry"
      load={(signal) => queue.query({}, { signal })}
      columns={webhookColumns}
      rowKey={({ id }) => id}
      nameOf={({ url }) => url}
      retry={({ accountId: account, id }, reason) => retry.mutate({ account, id, reason })}
      discard={({ accountId: account, id }, reason) => discard.mutate({ account, id, reason })}
    />
  );
}

type Queue<Row> = {
  readonly waiting: number;
  readonly oldestAt: string | null;
  readonly rows: readonly Row[];
};

type QueueCardProps<Row> = {
  title: string;
  caption: string;
  queryKey: QueryKey;
  /** Whose roles may retry and discard. */
  verb: VerbName;
  load: (signal: AbortSignal) => Promise<Queue<Row>>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** Nothing can be done about it here. */
  isOver?: (row: Row) => boolean;
  retry: (row: Row, reason: string) => Promise<unknown>;
  discard: (row: Row, reason: string) => Promise<unknown>;
};

function QueueCard<Row>(props: QueueCardProps<Row>): JSX.Element {
  const may = useOperatorMay();
  const ask = useAsk();
  const query = useAnswer(
    () => props.queryKey,
    ({ signal }) => props.load(signal),
  );
  const since = () => query.data?.oldestAt ?? null;
  return (
    <Card
      title={props.title}
      description={
        <Show when={since()} fallback="Nothing waits.">
          {(at) => (
            <>
              {query.data?.waiting ?? 0} wait; the first since <Time at={at()} />
            </>
          )}
        </Show>
      }
      flush
    >
      <LoadedTable
        query={query}
        what="the queue"
        empty="Nothing failed."
        caption={props.caption}
        columns={props.columns}
        rows={({ rows }) => rows}
        rowKey={props.rowKey}
        actions={(row) => (
          <Show when={may(props.verb) && props.isOver?.(row) !== true}>
            <RowMenu
              name={props.nameOf(row)}
              onSelect={(what) =>
                ask(
                  switchAction({
                    ...actions[what],
                    run: ({ reason }) => props[what](row, reason),
                  }),
                )
              }
            />
          </Show>
        )}
      />
    </Card>
  );
}

type RowMenuProps = { name: string; onSelect: (what: keyof typeof actions) => void };

function RowMenu(props: RowMenuProps): JSX.Element {
  return (
    <Menu label={`Actions for ${props.name}`}>
      <MenuItem changes onSelect={() => props.onSelect("retry")}>
        Try now
      </MenuItem>
      <MenuItem changes destructive onSelect={() => props.onSelect("discard")}>
        Discard
      </MenuItem>
    </Menu>
  );
}
