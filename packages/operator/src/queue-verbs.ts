// The queues of this installation: mails, events of Stripe and webhooks. One definition makes the three verbs of each: what
// waits and failed, and why; any of it can be tried now or discarded.
import { Fault, parseId, type WebhookMessageId } from "@turnpike/base";
import { stripeQueue } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { mailQueue } from "@turnpike/mail";
import { discardItem, type Queue, type QueueState, readQueue, retryItem } from "@turnpike/queue";
import {
  discardMessage,
  readWebhookQueue,
  retryMessage,
  type WaitingMessage,
} from "@turnpike/webhooks";
import { z } from "zod";
import { readAccount } from "./account/read-account.ts";
import { accountInput, line } from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import {
  action,
  actorOf,
  type DeskServices,
  everyone,
  type Fields,
  type GivenAction,
  type Operator,
  question,
  support,
} from "./verb.ts";

type Change = "retry" | "discard";

type QueueVerbs<Facts, Shape extends Fields, Key extends readonly string[], State, Answer> = {
  readonly queue: Queue<never, Facts>;
  readonly summaries: Readonly<Record<"queue" | Change, string>>;
  /** What names an item to the verbs. */
  readonly input: Shape;
  readonly keyOf: (db: Db, input: GivenAction<Shape>) => Promise<Key> | Key;
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
    action<Shape, Answer>({
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
    queue: question({
      roles: everyone,
      summary: summaries.queue,
      input: {},
      run: async ({ db }) => present(await readQueue(db, queue), db),
    }),
    retry: changeBy("retry"),
    discard: changeBy("discard"),
  };
}

/** Every action has it; its type does not say so of an input that is not known here. */
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

const messageInput = { account: accountInput, id: z.uuid() };
type MessageInput = { readonly account: string; readonly id: string; readonly reason: string };

export const webhookVerbs = {
  queue: question({
    roles: everyone,
    summary: "how many webhooks wait, those that failed, and the endpoints that accept nothing",
    input: {},
    async run({ db }) {
      const { rows, failing, oldestAt, ...counts } = await readWebhookQueue(db);
      return {
        ...counts,
        oldestAt: timeOf(oldestAt),
        failing: failing.map(({ failingSince, ...one }) => ({
          ...one,
          failingSince: timeOf(failingSince),
        })),
        rows: rows.map(presentMessage),
      };
    },
  }),
  retry: action({
    roles: support,
    summary: "sends a webhook that waits after a failure now",
    input: messageInput,
    run: (services, by, input) => changeMessage(services, by, input, retryMessage),
  }),
  discard: action({
    roles: support,
    summary: "cancels a webhook that waits after a failure",
    input: messageInput,
    run: (services, by, input) => changeMessage(services, by, input, discardMessage),
  }),
};

/** On record in the account's own audit log. */
async function changeMessage(
  { db }: DeskServices,
  by: Operator,
  { account, id, reason }: MessageInput,
  change: typeof retryMessage,
) {
  const { id: accountId } = await readAccount(db, account);
  const messageId = parseId<WebhookMessageId>(id);
  if (messageId === undefined) throw new Fault("not_found", "There is no such message.");
  await db.transaction((tx) => change(tx, { accountId, id: messageId }, actorOf(by, reason)));
  return { account: accountId, id };
}

function presentMessage({ createdAt, nextAttemptAt, ...row }: WaitingMessage) {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt.toISOString(),
  };
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
