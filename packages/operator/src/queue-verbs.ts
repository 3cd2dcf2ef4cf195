// The queues of this installation: mails, events of Stripe and webhooks. What waits can be tried now or discarded.
import { Fault, parseId, type WebhookMessageId } from "@turnpike/base";
import { discardEvent, type InboxRow, readInboxQueue, retryEvent } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { discardMail, type MailRow, readMailQueue, retryMail } from "@turnpike/mail";
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
  type Operator,
  question,
  support,
} from "./verb.ts";

const mailInput = { id: z.uuid() };

export const mailVerbs = {
  queue: question({
    roles: everyone,
    summary: "how many mails wait, and those that failed, with why",
    input: {},
    async run({ db }) {
      const { rows, oldestAt, ...counts } = await readMailQueue(db);
      return { ...counts, oldestAt: timeOf(oldestAt), rows: rows.map(presentMail) };
    },
  }),
  retry: action({
    roles: support,
    summary: "sends a mail that waits after a failure now",
    input: mailInput,
    run: ({ db }, by, { id, reason }) =>
      changeMail(db, by, { action: "mail.retry", id, reason }, retryMail),
  }),
  discard: action({
    roles: support,
    summary: "gives a waiting mail up; its text is deleted",
    input: mailInput,
    run: ({ db }, by, { id, reason }) =>
      changeMail(db, by, { action: "mail.discard", id, reason }, discardMail),
  }),
};

async function changeMail(
  db: Db,
  by: Operator,
  { action: name, id, reason }: { action: string; id: string; reason: string },
  change: typeof retryMail,
) {
  return db.transaction(async (tx) => {
    const { recipient } = await change(tx, id);
    await recordAction(tx, by, { action: name, object: recipient, reason });
    return { id, recipient };
  });
}

function presentMail({ createdAt, nextAttemptAt, failedAt, ...row }: MailRow) {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: timeOf(nextAttemptAt),
    failedAt: timeOf(failedAt),
  };
}

const eventInput = { event: line(255).min(1) };

export const stripeVerbs = {
  queue: question({
    roles: everyone,
    summary: "how many events of Stripe wait, and those that failed or were given up",
    input: {},
    async run({ db }) {
      const { rows, oldestAt, ...counts } = await readInboxQueue(db);
      return { ...counts, oldestAt: timeOf(oldestAt), rows: rows.map(presentEvent) };
    },
  }),
  retry: action({
    roles: support,
    summary: "processes an event of Stripe again, also one that was given up",
    input: eventInput,
    run: ({ db }, by, { event, reason }) =>
      changeEvent(db, by, { action: "stripe.retry", event, reason }, retryEvent),
  }),
  discard: action({
    roles: support,
    summary: "counts an event of Stripe as processed; reconciliation still finds what it reported",
    input: eventInput,
    run: ({ db }, by, { event, reason }) =>
      changeEvent(db, by, { action: "stripe.discard", event, reason }, discardEvent),
  }),
};

async function changeEvent(
  db: Db,
  by: Operator,
  { action: name, event, reason }: { action: string; event: string; reason: string },
  change: typeof retryEvent,
) {
  return db.transaction(async (tx) => {
    const { type } = await change(tx, event);
    await recordAction(tx, by, { action: name, object: `${event} ${type}`, reason });
    return { event, type };
  });
}

function presentEvent({ receivedAt, nextAttemptAt, deadAt, ...row }: InboxRow) {
  return {
    ...row,
    receivedAt: receivedAt.toISOString(),
    nextAttemptAt: timeOf(nextAttemptAt),
    deadAt: timeOf(deadAt),
  };
}

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
