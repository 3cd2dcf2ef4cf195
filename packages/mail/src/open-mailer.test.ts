// Mails over real SMTP: what arrives, and which failures are final and which are retried.

import { afterEach, describe, expect, test } from "bun:test";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { type Mailer, openMailer, RefusedMail } from "./open-mailer.ts";
import { renderMail } from "./render-mail.ts";

type Catcher = { readonly url: string; readonly received: { to: string[]; raw: string }[] };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function startCatcher(options: SMTPServerOptions = {}): Promise<Catcher> {
  const received: { to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined); // A client that hangs up is part of some tests.
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const { port } = portOf(server.server.address());
  return { url: `smtp://127.0.0.1:${port}`, received };
}

function portOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === "object" && address !== null) return address;
  throw new Error("The server is not listening.");
}

function mailerTo(url: string): Mailer {
  const mailer = openMailer({ url, from: "Turnpike <no-reply@turnpike.example>" });
  closing.push(mailer.close);
  return mailer;
}

const brand = { productName: "Turnpike", publicUrl: "https://turnpike.example", supportEmail: "" };
const rendered = renderMail(
  { kind: "verify_email", link: "https://turnpike.example/verify-email?token=abc", hours: 24 },
  brand,
);
const mail = { id: "0192f000-0000-7000-8000-000000000001", to: "ada@example.com", ...rendered };

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "sent",
    (error: unknown) => error,
  );
}

/** An SMTP refusal. */
function refusal(responseCode: number): Error {
  return Object.assign(new Error(`${responseCode} refused by the test`), { responseCode });
}

describe("openMailer", () => {
  test("delivers text and HTML to the one recipient, with a stable message id", async () => {
    const catcher = await startCatcher();
    const mailer = mailerTo(catcher.url);
    await mailer.send(mail);
    await mailer.send(mail);
    const [first, second] = catcher.received;
    expect(first?.to).toEqual(["ada@example.com"]);
    expect(first?.raw).toContain("From: Turnpike <no-reply@turnpike.example>");
    expect(first?.raw).toContain("Content-Type: text/plain");
    expect(first?.raw).toContain("Content-Type: text/html");
    expect(first?.raw).toContain("Auto-Submitted: auto-generated");
    const idOf = (raw = "") => /^Message-ID: (.+)$/im.exec(raw)?.[1];
    expect(idOf(first?.raw)).toBe(`<${mail.id}@turnpike.example>`);
    expect(idOf(second?.raw)).toBe(idOf(first?.raw));
  });

  test("a recipient that looks like a list of addresses is refused", async () => {
    const catcher = await startCatcher();
    await failureOf(mailerTo(catcher.url).send({ ...mail, to: "a@example.com, b@example.com" }));
    await failureOf(
      mailerTo(catcher.url).send({ ...mail, to: "group:a@example.com,b@example.com;" }),
    );
    const recipients = catcher.received.flatMap(({ to }) => to);
    expect(recipients).not.toContain("a@example.com");
    expect(recipients).not.toContain("b@example.com");
  });

  test("logs in with the credentials of the URL", async () => {
    const catcher = await startCatcher({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        username === "ada" && password === "p@ss"
          ? done(null, { user: "ada" })
          : done(refusal(535)),
    });
    await mailerTo(catcher.url.replace("//", "//ada:p%40ss@")).send(mail);
    expect(catcher.received).toHaveLength(1);
    const rejected = await failureOf(mailerTo(catcher.url.replace("//", "//ada:no@")).send(mail));
    expect(rejected).toBeInstanceOf(Error);
    // A failed login on our side says nothing about the mail.
    expect(rejected).not.toBeInstanceOf(RefusedMail);
  });

  test("an unknown recipient is a final refusal, a busy server is not", async () => {
    const unknown = await startCatcher({ onRcptTo: (_, __, done) => done(refusal(550)) });
    expect(await failureOf(mailerTo(unknown.url).send(mail))).toBeInstanceOf(RefusedMail);
    const busy = await startCatcher({ onRcptTo: (_, __, done) => done(refusal(451)) });
    const later = await failureOf(mailerTo(busy.url).send(mail));
    expect(later).toBeInstanceOf(Error);
    expect(later).not.toBeInstanceOf(RefusedMail);
    const spam = await startCatcher({
      onData: (stream, _, done) => {
        stream.resume();
        stream.on("end", () => done(refusal(554)));
      },
    });
    expect(await failureOf(mailerTo(spam.url).send(mail))).toBeInstanceOf(RefusedMail);
  });

  test("an unreachable server is not a final refusal", async () => {
    const gone = await failureOf(mailerTo("smtp://127.0.0.1:1").send(mail));
    expect(gone).toBeInstanceOf(Error);
    expect(gone).not.toBeInstanceOf(RefusedMail);
  });
});
