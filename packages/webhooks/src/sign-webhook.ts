// The headers of a message by the Standard Webhooks specification: the id is that of the event, the same in every
// attempt; while a rotated secret still counts there are two signatures.

import type { WebhookEventId } from "@turnpike/base";
import { Webhook } from "standardwebhooks";

export type WebhookHeaders = Readonly<Record<`webhook-${string}`, string>>;

/** `evt_` and 32 hex digits: what receivers recognize a repeated message by. */
export function formatEventId(id: WebhookEventId): string {
  return `evt_${id.replaceAll("-", "")}`;
}

/** `secrets` are those that count, the current one first. */
export function signWebhook(
  secrets: readonly string[],
  eventId: WebhookEventId,
  body: string,
  at: Date,
): WebhookHeaders {
  const id = formatEventId(eventId);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((one) => new Webhook(one).sign(id, at, body)).join(" "),
  };
}
