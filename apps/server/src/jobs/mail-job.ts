// Sends queued mails, soon after they were queued. Any number of instances may do so at once: each mail
// is claimed by one of them.
import { openMailer, openOutboxStore, workOutbox } from "@turnpike/mail";
import { every } from "@turnpike/telemetry";
import { brandOf } from "../brand.ts";
import type { Services } from "../services.ts";
import type { StopJob } from "./start-job.ts";

/** Does nothing without an SMTP server; the returned function stops it after the mails being sent. */
export function startMailJob({ config, jobsDatabase, log }: Services): StopJob {
  if (config.SMTP_URL === undefined) {
    if (!config.SANDBOX) {
      log.warn("SMTP_URL is not set: no one can register, because no mail is sent");
    }
    return async () => undefined;
  }
  const mailer = openMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const store = openOutboxStore(jobsDatabase.db, { keepMessages: config.SANDBOX });
  const stopping = new AbortController();
  const options = { brand: brandOf(config), log, signal: stopping.signal };
  const send = async () => {
    const sent = await workOutbox(store, mailer, options);
    if (sent > 0) log.info({ sent }, "mail sent");
  };
  const loop = every(config.MAIL_EVERY_MS, send, { job: "mail", log });
  return async () => {
    stopping.abort();
    await loop.stop();
    mailer.close();
  };
}
