// Sends the mails in the outbox that are due. A mail that fails is retried with growing pauses for
// about a day; one that the server rejects permanently is given up immediately. The row keeps the reason.

import type { Log, Metrics } from "@turnpike/telemetry";
import type { Brand } from "./mail-content.ts";
import { type Mailer, RefusedMail } from "./open-mailer.ts";
import type { ClaimedMail, OutboxStore } from "./outbox-store.ts";
import { renderMail } from "./render-mail.ts";

export type OutboxOptions = {
  readonly brand: Brand;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, "countMail"> | undefined;
  /** How long to wait after the first, second, … failure; after the last one the mail is given up. */
  readonly retryAfterMs?: readonly number[];
  /** When aborted, only the mails already claimed are still sent. */
  readonly signal?: AbortSignal;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Eight attempts within 24 hours. */
export const retryAfterMs: readonly number[] = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
];

const atOnce = 5;
/** So that a run ends within its limit; the next one continues. */
const mailsMax = 500;

/** Sends what is due now, at most 500 mails. Returns how many the server accepted. */
export async function workOutbox(
  store: OutboxStore,
  mailer: Mailer,
  options: OutboxOptions,
): Promise<number> {
  let sent = 0;
  for (let tried = 0; tried < mailsMax; tried += atOnce) {
    const mails = await store.claim(atOnce);
    const taken = await Promise.all(mails.map((mail) => sendOne(store, mailer, options, mail)));
    sent += taken.filter((one) => one).length;
    if (mails.length < atOnce || options.signal?.aborted) break;
  }
  return sent;
}

async function sendOne(
  store: OutboxStore,
  mailer: Mailer,
  options: OutboxOptions,
  { id, recipient, message, attempts }: ClaimedMail,
): Promise<boolean> {
  try {
    await mailer.send({ id, to: recipient, ...renderMail(message, options.brand) });
  } catch (error) {
    await noteFailure(store, options, { id, attempts, error });
    return false;
  }
  await store.noteSent(id);
  options.metrics?.countMail("sent");
  return true;
}

async function noteFailure(
  store: OutboxStore,
  options: OutboxOptions,
  failure: { readonly id: string; readonly attempts: number; readonly error: unknown },
): Promise<void> {
  const { id, attempts, error } = failure;
  const reason = error instanceof Error ? error.message : String(error);
  const waitMs = (options.retryAfterMs ?? retryAfterMs)[attempts - 1];
  if (error instanceof RefusedMail || waitMs === undefined) {
    options.log.error({ mailId: id, attempts, reason }, "mail given up");
    options.metrics?.countMail("given_up");
    await store.noteFailed(id, reason);
    return;
  }
  options.log.warn({ mailId: id, attempts, reason }, "mail not sent yet");
  options.metrics?.countMail("retried");
  await store.noteRetry(id, reason, waitMs);
}
