// Shows every mail that was written, whether an SMTP server took it or not: only if SANDBOX is on,
// as under `bun dev`, because its mails contain links that open accounts.
import { lowerAscii } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { escapeHtml, listMails, type QueuedMail, renderMail } from "@turnpike/mail";
import type { Elysia } from "elysia";
import type { Config } from "../../config.ts";
import { brandOf } from "../../jobs/mail-job.ts";
import type { Services } from "../../services.ts";

const mailsMax = 100;

/** No other site may embed these pages. */
const privateHeaders = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
};

type ShownMail = {
  readonly id: string;
  readonly to: string;
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly message: unknown;
  readonly createdAt: string;
  readonly sentAt: string | null;
  /** Where it is now, in words. */
  readonly state: string;
};

/** `/dev/mail` for people, `/dev/mail.json?to=` for tests; newest first. */
export function registerDevMail(app: Pick<Elysia, "get">, services: Services): void {
  const { config, consoleDatabase } = services;
  if (!config.SANDBOX) return;
  const read = (request: Request) =>
    queryMails(consoleDatabase.db, config, new URL(request.url).searchParams.get("to"));
  app.get("/dev/mail.json", async ({ request }: { request: Request }) =>
    Response.json(await read(request), { headers: privateHeaders }),
  );
  app.get("/dev/mail", async ({ request }: { request: Request }) => {
    return new Response(layOutPage(await read(request)), {
      headers: {
        ...privateHeaders,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy":
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      },
    });
  });
}

async function queryMails(
  db: Db,
  config: Config,
  to: string | null,
): Promise<readonly ShownMail[]> {
  const brand = brandOf(config);
  const mails = await listMails(db, {
    recipient: to === null ? undefined : lowerAscii(to),
    limit: mailsMax,
  });
  return mails.map((mail) => ({
    id: mail.id,
    to: mail.recipient,
    kind: mail.message.kind,
    ...renderMail(mail.message, brand),
    message: mail.message,
    createdAt: mail.createdAt.toISOString(),
    sentAt: mail.sentAt?.toISOString() ?? null,
    state: describeState(mail, config),
  }));
}

function describeState({ sentAt, failedAt, lastError }: QueuedMail, config: Config): string {
  if (sentAt !== null) return `sent ${sentAt.toISOString()}`;
  if (failedAt !== null) return `given up: ${lastError}`;
  if (config.SMTP_URL === undefined) return "not sent: SMTP_URL is not set";
  return lastError === null ? "waits to be sent" : `waits to be sent again: ${lastError}`;
}

function layOutPage(mails: readonly ShownMail[]): string {
  const shown = mails.map(layOutMail).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Development mail</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 760px; margin: 32px auto; padding: 0 16px; }
  details { border: 1px solid #8886; border-radius: 10px; margin: 12px 0; }
  summary { padding: 12px 16px; cursor: pointer; }
  small { opacity: 0.7; }
  iframe { width: 100%; height: 560px; border: 0; border-top: 1px solid #8886; }
</style>
</head>
<body>
<h1>Development mail</h1>
<p>${mails.length === 0 ? "No mail yet. Register in the console and look again." : "Newest first. None of this exists in production."}</p>
${shown}
</body>
</html>
`;
}

/** The mail is a separate page in a frame that may only follow links. */
function layOutMail(mail: ShownMail, index: number): string {
  const page = escapeHtml(mail.html.replace("<head>", '<head><base target="_blank">'));
  return `<details${index === 0 ? " open" : ""}>
<summary><strong>${escapeHtml(mail.subject)}</strong><br><small>to ${escapeHtml(mail.to)} · ${mail.createdAt} · ${escapeHtml(mail.state)}</small></summary>
<iframe title="${escapeHtml(mail.subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${page}"></iframe>
</details>`;
}
