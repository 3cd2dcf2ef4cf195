// A mailbox for every address: a real SMTP server that keeps all mail, and lets a test await the mail it
// expects instead of polling.
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

export type CaughtMail = {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

export type MailCatcher = {
  /** For `SMTP_URL`. */
  readonly url: string;
  /** In the order of arrival. */
  readonly mails: readonly CaughtMail[];
  /** The first mail to this address that matches, now or when it arrives. */
  readonly waitFor: (to: string, matches?: (mail: CaughtMail) => boolean) => Promise<CaughtMail>;
  readonly close: () => Promise<void>;
};

type Waiting = { isFor(mail: CaughtMail): boolean; resolve(mail: CaughtMail): void };

export async function startMailCatcher(): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const waiting = new Set<Waiting>();
  const keep = (mail: CaughtMail) => {
    mails.push(mail);
    for (const one of waiting) {
      if (!one.isFor(mail)) continue;
      waiting.delete(one);
      one.resolve(mail);
    }
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      readMail(stream, to).then(
        (mail) => {
          keep(mail);
          done();
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  server.on("error", () => undefined); // A server under test may be killed while it sends.
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${portOf(server.server.address())}`,
    mails,
    waitFor(to, matches = () => true) {
      const isFor = (mail: CaughtMail) => mail.to.includes(to) && matches(mail);
      const here = mails.find(isFor);
      if (here !== undefined) return Promise.resolve(here);
      return awaitMail(
        (resolve) => waiting.add({ isFor, resolve }),
        () => {
          const others = mails.filter((mail) => mail.to.includes(to)).map(({ subject }) => subject);
          return `${to} got ${others.length} other mails: ${others.join("; ")}`;
        },
      );
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function readMail(stream: NodeJS.ReadableStream, to: readonly string[]): Promise<CaughtMail> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  const { subject = "", text = "", html = "" } = await PostalMime.parse(Buffer.concat(chunks));
  return { to, subject, text, html };
}

function portOf(address: string | AddressInfo | null): number {
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("The mail catcher listens on no port.");
}

/** Less than any test may take, so that one whose mail does not come says what came instead. */
const arriveWithinMs = 120_000;

async function awaitMail(
  wait: (resolve: (mail: CaughtMail) => void) => void,
  describe: () => string,
): Promise<CaughtMail> {
  const { promise, resolve, reject } = Promise.withResolvers<CaughtMail>();
  const giveUp = () => reject(new Error(`the mail did not arrive; ${describe()}`));
  const timer = setTimeout(giveUp, arriveWithinMs);
  wait(resolve);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
