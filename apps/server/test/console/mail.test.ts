// Sending email: an unreachable mail server delays emails and nothing else, and the development inbox
// exists only in development.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freePort } from "@turnpike/testing";
import { SMTPServer } from "smtp-server";
import { createApp } from "../../src/app.ts";
import { at, startTestServer, type TestServer } from "../harness/index.ts";
import { openBrowser, password, readMails, signUp } from "./browser.fixture.ts";

describe("with an unreachable mail server", () => {
  let server: TestServer;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    server = await startTestServer({
      environment: { SMTP_URL: `smtp://127.0.0.1:${port}` },
      serverTimes: { sendMailEveryMs: 20 },
    });
  });
  afterAll(() => server.close());

  /** Resolves once the email's row satisfies the condition. */
  async function outboxRow(to: string, isReached: (row: Record<string, unknown>) => boolean) {
    for (;;) {
      const [row] = await server.owner.sql`
        select id, attempts, sent_at, last_error, send_after > now() as waits
          from outbox where recipient = ${to}`;
      if (row !== undefined && isReached(row)) return row;
      await Bun.sleep(20);
    }
  }

  test("FS5: sign-up answers, and the mail arrives once, later", async () => {
    const email = "patient@example.com";
    const answer = await openBrowser(server.url).mutate("auth.register", { email, password });
    expect(answer.data).toEqual({});
    const tried = await outboxRow(email, (row) => row.last_error !== null);
    expect(tried).toMatchObject({ attempts: 1, sent_at: null, waits: true });

    const received: string[] = [];
    const catcher = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, session, done) {
        received.push(session.envelope.rcptTo.map(({ address }) => address).join());
        stream.resume();
        stream.on("end", done);
      },
    });
    await new Promise<void>((resolve) => catcher.listen(port, "127.0.0.1", resolve));
    try {
      // Skips the minute until the second attempt.
      await server.owner.sql`update outbox set send_after = now() where recipient = ${email}`;
      const sent = await outboxRow(email, (row) => row.sent_at !== null);
      expect(sent).toMatchObject({ attempts: 2, last_error: null });
      expect(received).toEqual([email]);
    } finally {
      await new Promise<void>((resolve) => catcher.close(resolve));
    }
  });
});

describe("/dev/mail", () => {
  test("shows every mail, and nothing in it can run", async () => {
    const server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
    try {
      await signUp(openBrowser(server.url), server.url, "reader@example.com");
      const response = await fetch(`${server.url}/dev/mail`);
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      const page = await response.text();
      expect(page).toContain("Verify your email address for Turnpike");
      expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
      expect(page).not.toContain("<script");
      expect(await readMails(server.url, "READER@example.com")).toHaveLength(1);
      expect(await readMails(server.url, "nobody@example.com")).toHaveLength(0);
    } finally {
      await server.close();
    }
  });

  test("says of each mail whether it was sent, waits or was given up, and without SMTP_URL that it is not sent", async () => {
    const server = await startTestServer();
    // Nothing is due before the test has ended.
    const withSmtp = await startTestServer({
      site: server,
      environment: { SMTP_URL: "smtp://127.0.0.1:9" },
      serverTimes: { sendMailEveryMs: 3_600_000 },
    });
    try {
      const message = { kind: "email_removed", resetLink: "https://t.example", at: new Date() };
      await server.owner.sql`
        insert into outbox (id, recipient, message, sent_at, failed_at, last_error)
        select gen_random_uuid(), mail.recipient, ${JSON.stringify(message)}::text::jsonb,
               mail.sent, mail.failed, mail.error
          from (values ('new@example.com', null::timestamptz, null::timestamptz, null),
                       ('tried@example.com', null, null, '421 <busy>'),
                       ('sent@example.com', '2026-01-02T03:04:05Z', null, null),
                       ('failed@example.com', null, now(), '550 no such user'))
               as mail (recipient, sent, failed, error)`;
      const statesOf = async (url: string) => {
        const mails: unknown = await (await fetch(`${url}/dev/mail.json`)).json();
        if (!Array.isArray(mails)) throw new Error("No list of mails.");
        return Object.fromEntries(mails.map((mail) => [at(mail, "to"), at(mail, "state")]));
      };
      const ended = {
        "sent@example.com": "sent 2026-01-02T03:04:05.000Z",
        "failed@example.com": "given up: 550 no such user",
      };
      expect(await statesOf(withSmtp.url)).toEqual({
        ...ended,
        "new@example.com": "waits to be sent",
        "tried@example.com": "waits to be sent again: 421 <busy>",
      });
      expect(await statesOf(server.url)).toEqual({
        ...ended,
        "new@example.com": "not sent: SMTP_URL is not set",
        "tried@example.com": "not sent: SMTP_URL is not set",
      });
      const page = await (await fetch(`${withSmtp.url}/dev/mail`)).text();
      expect(page).toContain("waits to be sent again: 421 &lt;busy&gt;");
    } finally {
      await withSmtp.close();
      await server.close();
    }
  });

  test("shows the hundred newest mails, the newest first", async () => {
    const server = await startTestServer();
    try {
      const to = "busy@example.com";
      await server.owner.sql`
        insert into outbox (id, recipient, message, created_at)
        select gen_random_uuid(), ${to},
               jsonb_build_object('kind', 'email_removed', 'resetLink', 'https://turnpike.example/',
                                  'at', now() + n * interval '1 second'),
               now() + n * interval '1 second'
          from generate_series(1, 101) n`;
      const response = await fetch(`${server.url}/dev/mail.json?to=${to}`);
      const shown: unknown = await response.json();
      if (!Array.isArray(shown)) throw new Error("No list of mails.");
      const rows = await server.owner.sql<{ id: string }[]>`
        select id from outbox where recipient = ${to} order by created_at desc`;
      expect(rows).toHaveLength(101);
      expect(shown.map((mail) => at(mail, "id"))).toEqual(rows.slice(0, 100).map(({ id }) => id));
    } finally {
      await server.close();
    }
  });

  test("exists only if SANDBOX is on", async () => {
    const server = await startTestServer();
    try {
      const config = { ...server.services.config, SANDBOX: false };
      const state = { draining: false };
      const unused = () => {
        throw new Error("These paths ask for nothing of the listener.");
      };
      const listener = {
        server: unused,
        idleSeconds: 60,
        addressOf: unused,
        keepUntilSent: unused,
      };
      const app = createApp({ ...server.services, config }, { ...listener, state });
      for (const path of ["/dev/mail", "/dev/mail.json"]) {
        const here = await fetch(`${server.url}${path}`);
        const there = await app.fetch(new Request(`http://turnpike.example${path}`));
        expect([here.status, there.status]).toEqual([200, 404]);
      }
    } finally {
      await server.close();
    }
  });
});
