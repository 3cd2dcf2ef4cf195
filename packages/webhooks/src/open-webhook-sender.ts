// Sends messages that are due. A message is sent at least once; what happened between its sending and the record of it is sent
// again, under the same id.

import type { Failpoint, WebhookEndpointId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { openWorker, type Worker } from "@turnpike/queue";
import { type Outcome, postWebhook } from "./post-webhook.ts";
import { recordAttempt } from "./record-attempt.ts";
import { signWebhook } from "./sign-webhook.ts";
import { type ClaimedMessage, webhookQueue } from "./webhook-queue.ts";
import { openSecret } from "./webhook-secret.ts";
import { requireSealer, type Webhooks } from "./webhooks.ts";

const atOnce = 50;

export function openWebhookSender(
  db: Db,
  webhooks: Webhooks,
  { failpoint, limitMs }: { readonly failpoint: Failpoint; readonly limitMs?: number },
): Worker {
  return openWorker(db, webhookQueue, {
    atOnce,
    log: webhooks.log,
    async perform(message) {
      const outcome = await send(webhooks, message, limitMs);
      failpoint("webhook-sent");
      await recordAttempt(db, webhooks, message, outcome);
    },
  });
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
