// Sends waiting mails, a moment after they were written, for as long as the process runs. Any number
// of instances may do so at once: each mail is claimed by one.
import { openMailer, openOutboxStore, workOutbox } from "@turnpike/mail";
import { brandOf } from "./brand.ts";
import type { Services } from "./services.ts";

/** Starts it, if there is an SMTP server; the returned function stops it after the mail at hand. */
export function startMailJob(services: Services): () => Promise<void> {
  const { config, database, log } = services;
  if (config.SMTP_URL === undefined) {
    if (!config.SANDBOX) {
      log.warn("SMTP_URL is not set: nobody can register, because no mail is sent");
    }
    return async () => undefined;
  }
  const mailer = openMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const store = openOutboxStore(database.db, { keepMessages: config.SANDBOX });
  const stopping = new AbortController();
  const options = { brand: brandOf(config), log, signal: stopping.signal };
  let running: Promise<void> | undefined;
  const runOnce = async () => {
    try {
      const sent = await workOutbox(store, mailer, options);
      if (sent > 0) log.info({ sent }, "mail sent");
    } catch (error) {
      log.warn({ err: error, job: "mail" }, "job failed");
    }
  };
  const timer = setInterval(() => {
    running ??= runOnce().finally(() => {
      running = undefined;
    });
  }, config.MAIL_EVERY_MS);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
    mailer.close();
  };
}
