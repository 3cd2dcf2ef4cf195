// Sends queued mails, soon after they were queued. Any number of instances may do so at the same time:
// each mail is claimed by one of them, even after an abandoned run.
import { type Brand, openMailer, openOutboxStore, workOutbox } from "@turnpike/mail";
import type { Config } from "../config.ts";
import type { Services } from "../services.ts";
import { type JobOptions, type StopJob, startJob } from "./start-job.ts";

/** Does nothing without an SMTP server; the returned function stops it after the mails being sent. */
export function startMailJob(services: Services, jobOptions?: JobOptions): StopJob {
  const { config, jobsDatabase, log, metrics } = services;
  if (config.SMTP_URL === undefined) {
    if (!config.SANDBOX) {
      log.warn("SMTP_URL is not set: no one can register, because no mail is sent");
    }
    return async () => undefined;
  }
  const mailer = openMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const store = openOutboxStore(jobsDatabase.db, { keepMessages: config.SANDBOX });
  const stopping = new AbortController();
  const options = { brand: brandOf(config), log, metrics, signal: stopping.signal };
  const send = async () => {
    const sent = await workOutbox(store, mailer, options);
    if (sent > 0) log.info({ sent }, "mail sent");
  };
  const stop = startJob(services, "mail", config.MAIL_EVERY_MS, send, jobOptions);
  return async () => {
    stopping.abort();
    await stop();
    mailer.close();
  };
}

/** The name of this installation in mails. */
export function brandOf(config: Config): Brand {
  return {
    productName: config.PRODUCT_NAME,
    publicUrl: config.PUBLIC_URL,
    supportEmail: config.SUPPORT_EMAIL,
  };
}
