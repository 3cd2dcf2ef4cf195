// Sends mails to an SMTP server. The only file that uses nodemailer; it distinguishes a final
// refusal from a failure worth retrying.

import { createTransport } from "nodemailer";
import type { RenderedMail } from "./render-mail.ts";

export type Mailer = {
  /**
   * Resolves when the server has taken the mail. Throws `RefusedMail`, or the error of a failure
   * worth retrying.
   */
  readonly send: (mail: OutgoingMail) => Promise<void>;
  /** Connects, greets and logs in, and sends nothing. Throws what the server answered. */
  readonly verify: () => Promise<void>;
  readonly close: () => void;
};

export type OutgoingMail = RenderedMail & {
  /** The same for every attempt, so that a mail sent twice can be recognized as one. */
  readonly id: string;
  readonly to: string;
};

/** The server will never accept this mail: retrying would only hurt our reputation. */
export class RefusedMail extends Error {
  override readonly name = "RefusedMail";
}

const timeoutMs = 15_000;

export function openMailer(options: {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  /** `Turnpike <no-reply@example.com>`. */
  readonly from: string;
}): Mailer {
  const transport = createTransport({
    url: options.url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s<>@]{1,253})>?\s{0,20}$/.exec(options.from)?.[1] ?? "localhost";
  return {
    async send({ id, to, subject, text, html }) {
      try {
        await transport.sendMail({
          from: options.from,
          // As an object: a string would be read as a list of addresses.
          to: { name: "", address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        });
      } catch (error) {
        if (isRefusal(error)) throw new RefusedMail(describe(error), { cause: error });
        throw error;
      }
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

/** A 5xx about this recipient or this mail; one about our login is a configuration error. */
function isRefusal(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const status = "responseCode" in error ? error.responseCode : undefined;
  const command = "command" in error ? String(error.command) : "";
  return typeof status === "number" && status >= 500 && /^(RCPT TO|DATA)/.test(command);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
