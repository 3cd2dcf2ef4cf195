// The incidents as an Atom feed (RFC 4287): one entry per incident, whose content is what operators wrote, newest first.
import { formatUtc } from "@turnpike/format";
import type { Incident } from "@turnpike/reports";

export type FeedOf = {
  readonly publicUrl: string;
  readonly productName: string;
  readonly incidents: readonly Incident[];
  /** Of a feed without incidents: a feed must say when it changed. */
  readonly since: Date;
};

export function writeFeed({ publicUrl, productName, incidents, since }: FeedOf): string {
  const page = `${publicUrl}/status`;
  const changes = incidents.map(({ updatedAt }) => updatedAt.getTime());
  const updated = new Date(Math.max(since.getTime(), ...changes));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeXml(page)}</id>
  <title>${escapeXml(`${productName} status`)}</title>
  <updated>${updated.toISOString()}</updated>
  <author><name>${escapeXml(productName)}</name></author>
  <link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(`${page}/feed.xml`)}"/>
${incidents.map((incident) => writeEntry(page, incident)).join("")}</feed>
`;
}

function writeEntry(page: string, incident: Incident): string {
  const { id, title, impact, model, provider, state, startedAt, updatedAt, updates } = incident;
  const where = [model || "all models", ...(provider === "" ? [] : [`at ${provider}`])].join(" ");
  const lines = updates.map((one) => `${formatUtc(one.at)}, ${one.state}: ${one.text}`);
  const address = escapeXml(`${page}#incident-${id}`);
  return `  <entry>
    <id>${address}</id>
    <title>${escapeXml(`${title} (${state})`)}</title>
    <published>${startedAt.toISOString()}</published>
    <updated>${updatedAt.toISOString()}</updated>
    <link rel="alternate" type="text/html" href="${address}"/>
    <category term="${escapeXml(impact)}"/>
    <summary>${escapeXml(`${impact} of ${where}`)}</summary>
    <content type="text">${escapeXml(lines.join("\n"))}</content>
  </entry>
`;
}

/** Also drops what XML cannot contain. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
