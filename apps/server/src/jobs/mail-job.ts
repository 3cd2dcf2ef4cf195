// Sends queued mails, soon after they were queued. Any number of instances may do so at the same time:
// each mail is claimed by one of them. A run only starts what is due, so no mail delays the next run.
import { type Brand, openMailer, openMailWorker } from "@turnpike/mail";
import type { Config } from "../config.ts";
import type { Services } from "../services.ts";
import { type StopJob, startJob } from "./start-job.ts";

/** Does nothing without an SMTP server; the returned function stops it after the mails being sent. */
export function startMailJob(services: Services): StopJob {
  const { config, jobsDatabase, log, metrics } = services;
  if (config.SMTP_URL === undefined) {
    if (!config.SANDBOX) {
      log.warn("SMTP_URL is not set: no one can register, because no mail is sent");
    }
    return async () => undefined;
  }
  const mailer = openMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const options = { brand: brandOf(config), log, metrics, keepMessages: config.SANDBOX };
  const worker = openMailWorker(jobsDatabase.db, mailer, options);
  const stop = startJob(services, "mail", config.times.sendMailEveryMs, worker.work);
  return async () => {
    await stop();
    await worker.close();
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
