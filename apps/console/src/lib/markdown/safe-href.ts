// Which addresses a link in untrusted text may have: http, https and mailto, nothing else.

const schemes: readonly string[] = ["http:", "https:", "mailto:"];

/** The address as the browser will read it, or undefined if the link must stay plain text. */
export function safeHref(href: string): string | undefined {
  try {
    // Parsed as the browser parses it: `java\tscript:` is `javascript:` there too.
    const url = new URL(href);
    return schemes.includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Also allows paths on this site, for our own texts. */
export function ownHref(href: string): string | undefined {
  if (/^(?:\/(?![/\\])|#)/.test(href)) return href;
  return safeHref(href);
}
