// Sends the mails that are due. One that fails is tried again for about a day; one that the server rejects permanently is
// given up immediately. The row keeps the reason.
import type { Db } from "@turnpike/db";
import { attemptItem, openWorker, type Worker } from "@turnpike/queue";
import type { Log, Metrics } from "@turnpike/telemetry";
import type { Brand } from "./mail-content.ts";
import { type ClaimedMail, keptMailQueue, mailQueue } from "./mail-queue.ts";
import { type Mailer, RefusedMail } from "./open-mailer.ts";
import { renderMail } from "./render-mail.ts";

export type MailWorkerOptions = {
  readonly brand: Brand;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "countMail">;
  /** Otherwise a mail is emptied once it was sent or given up. */
  readonly keepMessages: boolean;
};

const atOnce = 5;

export function openMailWorker(db: Db, mailer: Mailer, options: MailWorkerOptions): Worker {
  const { brand, log, metrics, keepMessages } = options;
  const queue = keepMessages ? keptMailQueue : mailQueue;

  async function perform(mail: ClaimedMail): Promise<void> {
    const { id, recipient, message, attempts } = mail;
    const send = async () => mailer.send({ id, to: recipient, ...renderMail(message, brand) });
    const isFinal = (error: unknown) => error instanceof RefusedMail;
    const { ending, error } = await attemptItem(db, queue, mail, send, isFinal);
    const reason = error instanceof Error ? error.message : String(error);
    if (ending === "done") log.info({ mailId: id, attempts }, "mail sent");
    else if (ending === "given_up") log.error({ mailId: id, attempts, reason }, "mail given up");
    else log.warn({ mailId: id, attempts, reason }, "mail not sent yet");
    metrics.countMail(results[ending]);
  }

  return openWorker(db, queue, { atOnce, log, perform });
}

const results = {
  done: "sent",
  retried: "retried",
  superseded: "retried",
  given_up: "given_up",
} as const;
