// The HTML form of a mail: one column, styles on the elements because mail programs drop the rest,
// colors that stay readable where a program inverts them.

import type { Brand, MailContent } from "./mail-content.ts";

const font =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const body = `${font};font-size:16px;line-height:24px;color:#1f2430`;
const quiet = `${font};font-size:13px;line-height:20px;color:#5b6475`;

/** For programs that support dark mode; others show the light colors above. */
const darkStyles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background-color: #101319 !important; }
    .card { background-color: #1a1f29 !important; border-color: #2b3240 !important; }
    .ink { color: #e8ebf1 !important; }
    .quiet { color: #a3acbd !important; }
    .line { border-color: #2b3240 !important; }
    .link { color: #8fb4ff !important; }
  }`;

export function layOutHtml(content: MailContent, brand: Brand): string {
  const { subject, paragraphs, facts, button, note } = content;
  const parts = [
    `<h1 class="ink" style="${font};margin:0 0 16px;font-size:22px;line-height:30px;font-weight:600;color:#1f2430">${escapeHtml(subject)}</h1>`,
    ...paragraphs.map(
      (text) => `<p class="ink" style="${body};margin:0 0 16px">${escapeHtml(text)}</p>`,
    ),
    facts && layOutFacts(facts),
    button && layOutButton(button),
    note && layOutNote(note),
  ];
  const footer = writeFooter(brand).map(escapeHtml).join("<br>");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkStyles}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f7">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f4f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" style="${font};padding:0 8px 16px;font-size:15px;line-height:20px;font-weight:700;color:#1f2430">${escapeHtml(brand.productName)}</td></tr>
<tr><td class="card" style="padding:32px;background-color:#ffffff;border:1px solid #e2e5eb;border-radius:12px">
${parts.filter((part) => part !== undefined).join("\n")}
</td></tr>
<tr><td class="quiet" style="${quiet};padding:16px 8px 0">${footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function layOutFacts(facts: NonNullable<MailContent["facts"]>): string {
  const cell = "padding:8px 0;border-bottom:1px solid #e2e5eb";
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td class="quiet line" style="${quiet};${cell};width:120px">${escapeHtml(label)}</td>` +
      `<td class="ink line" style="${body};${cell};word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">${rows.join("")}</table>`;
}

/** The link is also written out, for programs that show no buttons and for people who check it. */
function layOutButton({ label, link }: NonNullable<MailContent["button"]>): string {
  const href = escapeHtml(safeLink(link));
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr>
<td bgcolor="#2456d6" style="border-radius:8px;background-color:#2456d6"><a href="${href}" style="${font};display:inline-block;padding:12px 20px;font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td>
</tr></table>
<p class="quiet" style="${quiet};margin:0 0 16px;word-break:break-all">${writeLink(link)}</p>`;
}

function layOutNote({ text, link }: NonNullable<MailContent["note"]>): string {
  const after = link === undefined ? "" : `<br>${writeLink(link)}`;
  return `<p class="quiet" style="${quiet};margin:0;word-break:break-word">${escapeHtml(text)}${after}</p>`;
}

function writeLink(link: string): string {
  const href = escapeHtml(safeLink(link));
  return `<a class="link" href="${href}" style="color:#2456d6;word-break:break-all">${escapeHtml(link)}</a>`;
}

/** Only http and https links are kept; any other becomes `#`. */
function safeLink(link: string): string {
  return /^https?:\/\//.test(link) ? link : "#";
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Who sent the mail and who to contact. */
export function writeFooter(brand: Brand): readonly string[] {
  const sender = `${brand.productName} · ${brand.publicUrl}`;
  return brand.supportEmail === "" ? [sender] : [sender, `Questions? ${brand.supportEmail}`];
}
