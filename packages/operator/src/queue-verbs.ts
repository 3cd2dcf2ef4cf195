// The queues of this installation: mails, events of Stripe and webhooks. One definition makes the three verbs of each: what
// waits and failed, and why; any of it can be tried now or discarded.
import { type AccountId, Fault, parseId, type WebhookMessageId } from "@turnpike/base";
import { stripeQueue } from "@turnpike/billing";
import { type Db, recordAudit } from "@turnpike/db";
import { mailQueue } from "@turnpike/mail";
import { discardItem, type Queue, type QueueState, queryQueue, retryItem } from "@turnpike/queue";
import { listFailingEndpoints, requireEnabled, webhookQueue } from "@turnpike/webhooks";
import { z } from "zod";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, line } from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import {
  actorOf,
  type CommandInput,
  command,
  everyone,
  type Fields,
  type Operator,
  query,
  support,
} from "./verb.ts";

type Change = "retry" | "discard";

type QueueVerbs<Facts, Shape extends Fields, Key extends readonly string[], State, Answer> = {
  readonly queue: Queue<never, Facts>;
  readonly summaries: Readonly<Record<"queue" | Change, string>>;
  /** What names an item to the verbs. */
  readonly input: Shape;
  readonly keyOf: (db: Db, input: CommandInput<Shape>) => Promise<Key> | Key;
  readonly present: (state: QueueState<Facts>, db: Db) => Promise<State> | State;
  /** Puts a change on record, in its transaction. */
  readonly record: (
    tx: Db,
    by: Operator,
    changed: {
      readonly change: Change;
      readonly key: Key;
      readonly facts: Facts;
      readonly reason: string;
    },
  ) => Promise<Answer>;
};

function queueVerbs<Facts, Shape extends Fields, Key extends readonly string[], State, Answer>({
  queue,
  summaries,
  input,
  keyOf,
  present,
  record,
}: QueueVerbs<Facts, Shape, Key, State, Answer>) {
  const changeBy = (change: Change) =>
    command<Shape, Answer>({
      roles: support,
      summary: summaries[change],
      input,
      async run({ db }, by, given) {
        const key = await keyOf(db, given);
        const { reason } = reasoned.parse(given);
        return db.transaction(async (tx) => {
          const facts = await changes[change](tx, queue, key);
          return record(tx, by, { change, key, facts, reason });
        });
      },
    });
  return {
    queue: query({
      roles: everyone,
      summary: summaries.queue,
      input: {},
      run: async ({ db }) => present(await queryQueue(db, queue), db),
    }),
    retry: changeBy("retry"),
    discard: changeBy("discard"),
  };
}

/** Every command has it; its type does not say so of an input that is not known here. */
const reasoned = z.object({ reason: z.string() });

const changes = { retry: retryItem, discard: discardItem };

export const mailVerbs = queueVerbs({
  queue: mailQueue,
  summaries: {
    queue: "how many mails wait, and those that failed, with why",
    retry: "sends a mail that waits after a failure now",
    discard: "gives a waiting mail up; its text is deleted",
  },
  input: { id: z.uuid() },
  keyOf: (_, { id }) => [id],
  present: ({ givenUp, rows, ...queue }) => ({
    ...queue,
    failed: givenUp,
    rows: rows.map(({ gaveUpAt, ...mail }) => ({ ...mail, failedAt: gaveUpAt })),
  }),
  async record(tx, by, { change, facts: { id, recipient }, reason }) {
    await recordAction(tx, by, { action: `mail.${change}`, object: recipient, reason });
    return { id, recipient };
  },
});

export const stripeVerbs = queueVerbs({
  queue: stripeQueue,
  summaries: {
    queue: "how many events of Stripe wait, and those that failed or were given up",
    retry: "processes an event of Stripe again, also one that was given up",
    discard: "counts an event of Stripe as processed; reconciliation still finds what it reported",
  },
  input: { event: line(255).min(1) },
  keyOf: (_, { event }) => [event],
  present: ({ givenUp, rows, ...queue }) => ({
    ...queue,
    dead: givenUp,
    rows: rows.map(({ createdAt, gaveUpAt, ...event }) => {
      return { ...event, receivedAt: createdAt, deadAt: gaveUpAt };
    }),
  }),
  async record(tx, by, { change, facts: { eventId: event, type }, reason }) {
    await recordAction(tx, by, { action: `stripe.${change}`, object: `${event} ${type}`, reason });
    return { event, type };
  },
});

export const webhookVerbs = queueVerbs({
  queue: webhookQueue,
  summaries: {
    queue: "how many webhooks wait, those that failed, and the endpoints that accept nothing",
    retry: "sends a webhook that waits after a failure now",
    discard: "cancels a webhook that waits after a failure",
  },
  input: { account: accountInput, id: z.uuid() },
  async keyOf(db, { account, id }): Promise<[AccountId, WebhookMessageId]> {
    const { id: accountId } = await queryAccount(db, account);
    const messageId = parseId<WebhookMessageId>(id);
    if (messageId === undefined) throw new Fault("not_found", "There is no such message.");
    return [accountId, messageId];
  },
  async present({ waiting, oldestAt, rows }, db) {
    const failing = (await listFailingEndpoints(db)).map(({ failingSince, ...endpoint }) => {
      return { ...endpoint, failingSince: failingSince?.toISOString() ?? null };
    });
    return {
      waiting,
      oldestAt,
      failing,
      rows: rows.map(({ gaveUpAt, endpointId, ...message }) => message),
    };
  },
  /** In the account's own audit log. */
  async record(tx, by, { change, key: [accountId, id], facts: { endpointId, url }, reason }) {
    if (change === "retry") await requireEnabled(tx, accountId, endpointId);
    await recordAudit(tx, {
      accountId,
      by: actorOf(by, reason),
      action: `webhook.${change}`,
      object: { id: endpointId, name: url },
      changes: { message: [id, null] },
    });
    return { account: accountId, id };
  },
});
