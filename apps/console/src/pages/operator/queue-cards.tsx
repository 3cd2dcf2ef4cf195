// The queues of mails, of events of Stripe and of webhooks: how many wait, which failed and why; each of those can be tried
// now or discarded.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { Time } from "../../ui/figures/figures.tsx";
import { codeColumn, textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AskMenu } from "./ask.tsx";
import { BatchesQueueCard } from "./batches-queue-card.tsx";
import { switchAction } from "./switch-action.ts";
import { type Question, useDesk, type VerbName } from "./use-operator.ts";

const actions = {
  retry: {
    title: "Try it now?",
    body: "It is tried with the next run, within a second or two.",
    confirmLabel: "Try now",
  },
  discard: {
    title: "Discard it?",
    body: "It is not tried again.",
    confirmLabel: "Discard",
    destroys: true,
  },
} as const;

type Mail = Answers["operator"]["mail"]["queue"]["rows"][number];
type StripeEvent = Answers["operator"]["stripe"]["queue"]["rows"][number];
type Message = Answers["operator"]["webhook"]["queue"]["rows"][number];
type Failed = {
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly error: string | null;
};

/** The columns that all queues have. */
function failedColumns<Row extends Failed>(): readonly Column<Row>[] {
  return [
    { id: "attempts", title: "Attempts", align: "end", cell: ({ attempts }) => attempts },
    timeColumn("next", "Next attempt", ({ nextAttemptAt }) => nextAttemptAt, { none: "Given up" }),
    textColumn("error", "Error", ({ error }) => error ?? "", { class: "wrap-anywhere text-xs" }),
  ];
}

const mailColumns: readonly Column<Mail>[] = [
  textColumn("recipient", "To", ({ recipient }) => recipient),
  { id: "kind", title: "Kind", cell: ({ kind }) => kind },
  ...failedColumns<Mail>(),
];

const stripeColumns: readonly Column<StripeEvent>[] = [
  codeColumn("event", "Event", ({ eventId }) => eventId),
  textColumn("type", "Kind", ({ type }) => type),
  ...failedColumns<StripeEvent>(),
];

const webhookColumns: readonly Column<Message>[] = [
  textColumn("account", "Account", ({ account }) => account),
  textColumn("url", "Endpoint", ({ url }) => url, { class: "wrap-anywhere text-xs" }),
  ...failedColumns<Message>(),
];

export default function QueueCards(): JSX.Element {
  return (
    <>
      <QueueCard
        title="Mails"
        caption="Mails that failed"
        verb="mail.retry"
        noun={api.operator.mail}
        columns={mailColumns}
        rowKey={({ id }) => id}
        nameOf={({ recipient }) => recipient}
        // A mail that was given up is empty.
        isOver={({ failedAt }) => failedAt !== null}
        inputOf={({ id }) => ({ id })}
      />
      <QueueCard
        title="Events of Stripe"
        caption="Events of Stripe that failed"
        verb="stripe.retry"
        noun={api.operator.stripe}
        columns={stripeColumns}
        rowKey={({ eventId }) => eventId}
        nameOf={({ eventId }) => eventId}
        inputOf={({ eventId }) => ({ event: eventId })}
      />
      <QueueCard
        title="Webhooks"
        caption="Webhooks that failed and wait"
        verb="webhook.retry"
        noun={api.operator.webhook}
        columns={webhookColumns}
        rowKey={({ id }) => id}
        nameOf={({ url }) => url}
        inputOf={({ accountId, id }) => ({ account: accountId, id })}
      />
      <BatchesQueueCard />
    </>
  );
}

type Queue<Row> = {
  readonly waiting: number;
  readonly oldestAt: string | null;
  readonly rows: readonly Row[];
};

type Change<Input> = {
  readonly mutate: (input: Input & { reason: string }) => Promise<unknown>;
};

type QueueCardProps<Row, Input> = {
  title: string;
  caption: string;
  noun: {
    readonly queue: Question<Record<string, never>, Queue<Row>>;
    readonly retry: Change<Input>;
    readonly discard: Change<Input>;
  };
  /** Names a row to the server. */
  inputOf: (row: Row) => Input;
  /** Whose roles may retry and discard. */
  verb: VerbName;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** Nothing can be done about it here. */
  isOver?: (row: Row) => boolean;
};

function QueueCard<Row, Input>(props: QueueCardProps<Row, Input>): JSX.Element {
  const query = useDesk(props.title, props.noun.queue, () => ({}));
  const action = (what: keyof typeof actions, row: Row) => {
    const run = ({ reason }: { reason: string }) =>
      props.noun[what].mutate({ ...props.inputOf(row), reason });
    return [actions[what].confirmLabel, switchAction({ ...actions[what], run })] as const;
  };
  return (
    <TableCard
      {...props}
      description={
        <Show when={query.data?.oldestAt} fallback="Nothing waits.">
          {(at) => (
            <>
              {query.data?.waiting ?? 0} wait; the first since <Time at={at()} />
            </>
          )}
        </Show>
      }
      query={query}
      what="the queue"
      empty="Nothing failed."
      rows={({ rows }) => rows}
      actions={(row) => (
        <Show when={props.isOver?.(row) !== true}>
          <AskMenu
            verb={props.verb}
            label={`Actions for ${props.nameOf(row)}`}
            actions={[action("retry", row), action("discard", row)]}
          />
        </Show>
      )}
    />
  );
}
