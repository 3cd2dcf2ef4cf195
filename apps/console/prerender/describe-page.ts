// What a drawn page says about itself to search engines and to programs that preview links.

const descriptionMax = 160;

/** The elements for its head; `{{site}}` and `{{product}}` are filled in by the server. */
export function describePage(root: HTMLElement, path: string): string {
  const title =
    path === "/" ? "{{product}}: one API for every model" : `${titleOf(root)} · {{product}}`;
  const description = summaryOf(root, path);
  const data = path === "/" ? questionsOf(root) : breadcrumbsOf(titleOf(root), path);
  return [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`,
  ].join("\n    ");
}

function titleOf(root: HTMLElement): string {
  return textOf(root.querySelector("main h1"));
}

function summaryOf(root: HTMLElement, path: string): string {
  const first = path === "/" ? "main h1 + p" : "main article p";
  const text = textOf(root.querySelector(first));
  if (text.length <= descriptionMax) return text;
  return `${text.slice(0, text.lastIndexOf(" ", descriptionMax - 1))}…`;
}

/** Source: schema.org, FAQPage. */
function questionsOf(root: HTMLElement) {
  const mainEntity = [...root.querySelectorAll("main details")].map((entry) => ({
    "@type": "Question",
    name: textOf(entry.querySelector("summary")),
    acceptedAnswer: { "@type": "Answer", text: textOf(entry.querySelector("p")?.firstChild) },
  }));
  const site = { "@type": "WebSite", name: "{{product}}", url: "{{site}}/" };
  return { "@context": "https://schema.org", "@graph": [site, { "@type": "FAQPage", mainEntity }] };
}

/** Source: schema.org, BreadcrumbList. */
function breadcrumbsOf(title: string, path: string) {
  const steps = [["Docs", "/docs"], ...(path === "/docs" ? [] : [[title, path]])];
  const itemListElement = steps.map(([name, href], index) => ({
    "@type": "ListItem",
    position: index + 1,
    name,
    item: `{{site}}${href}`,
  }));
  return { "@context": "https://schema.org", "@type": "BreadcrumbList", itemListElement };
}

function textOf(node: Node | null | undefined): string {
  return (node?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
