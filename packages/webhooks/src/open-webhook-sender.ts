// Sends messages that are due, many at once and each at its own pace: a receiver that takes its time delays no other
// one. A message is sent at least once; what happened between its sending and the record of it is sent again.

import type { Failpoint, WebhookEndpointId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type ClaimedMessage, claimMessages, recordAttempt } from "./message-store.ts";
import { type Outcome, postWebhook } from "./post-webhook.ts";
import { signWebhook } from "./sign-webhook.ts";
import { openSecret } from "./webhook-secret.ts";
import { requireSealer, type Webhooks } from "./webhooks.ts";

const atOnce = 50;

export type WebhookSender = {
  /** Starts sending what is due, without waiting for the answers. */
  readonly work: () => Promise<void>;
  /** Resolves when nothing is being sent and nothing more is due. For tests. */
  readonly idle: () => Promise<void>;
  /** Starts nothing more; resolves when what was sent is recorded. */
  readonly close: () => Promise<void>;
};

export function openWebhookSender(
  db: Db,
  webhooks: Webhooks,
  { failpoint, limitMs }: { readonly failpoint: Failpoint; readonly limitMs?: number },
): WebhookSender {
  const running = new Set<Promise<void>>();
  let claiming: Promise<void> | undefined;
  let closed = false;

  async function deliver(message: ClaimedMessage): Promise<void> {
    const outcome = await send(webhooks, message, limitMs);
    failpoint("webhook-sent");
    await recordAttempt(db, webhooks, message, outcome);
  }

  function start(message: ClaimedMessage): void {
    const { accountId, endpointId, id: messageId } = message;
    const facts = { accountId, endpointId, messageId };
    const task = deliver(message).catch((err: unknown) => {
      webhooks.log.error({ err, ...facts }, "the outcome of a webhook was not recorded");
    });
    running.add(task);
    const next = task.then(() => {
      running.delete(task);
      // What waited for its endpoint's turn need not wait for the next run too.
      return work();
    });
    next.catch((err: unknown) => webhooks.log.warn({ err }, "webhooks were not claimed"));
  }

  async function claim(): Promise<void> {
    for (const message of await claimMessages(db, atOnce - running.size)) start(message);
  }

  function work(): Promise<void> {
    if (closed || running.size >= atOnce) return Promise.resolve();
    claiming ??= claim().finally(() => {
      claiming = undefined;
    });
    return claiming;
  }

  async function settle(): Promise<void> {
    await claiming?.catch(() => undefined);
    await Promise.all(running);
  }

  return {
    work,
    async idle() {
      await work();
      while (running.size > 0) {
        await settle();
        await work();
      }
    },
    async close() {
      closed = true;
      await settle();
    },
  };
}

async function send(
  webhooks: Webhooks,
  message: ClaimedMessage,
  limitMs: number | undefined,
): Promise<Outcome> {
  const secrets = openSecrets(webhooks, message);
  if (secrets === undefined) {
    const error = "The signing secret cannot be read. Rotate it, or ask the operator.";
    return { status: null, answer: "", error, durationMs: 0 };
  }
  const { url, body, eventId } = message;
  const headers = signWebhook(secrets, eventId, body, new Date());
  return postWebhook(webhooks, {
    url,
    headers,
    body,
    ...(limitMs !== undefined && { limitMs }),
  });
}

/** Undefined if SEALING_KEY is not the one they were sealed with. */
function openSecrets(
  webhooks: Webhooks,
  { endpointId, secret, previousSecret }: ClaimedMessage,
): readonly string[] | undefined {
  const open = (id: WebhookEndpointId, sealed: Uint8Array) =>
    openSecret(requireSealer(webhooks), id, sealed);
  try {
    const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
    return sealed.map((one) => open(endpointId, one));
  } catch (err) {
    webhooks.log.error({ err, endpointId }, "the secret of a webhook endpoint does not open");
    return undefined;
  }
}
