// Where to go after signing in: always a page of this console.

/** `next` as a path of our origin; `/` for everything else, such as `//evil.example`. */
export function safeNext(next: string | undefined, origin = location.origin): string {
  if (next === undefined || !next.startsWith("/")) return "/";
  try {
    const url = new URL(next, origin);
    // `/\evil.example` and `/\t/evil.example` become other origins only once they are parsed.
    if (url.origin !== origin || url.pathname.startsWith("//")) return "/";
    if (/^\/(?:auth|login|register|logout|trpc|v1|dev|stripe|console)(?:\/|$)/.test(url.pathname))
      return "/";
    return url.pathname + url.search + url.hash;
  } catch {
    return "/";
  }
}

/** `/login?next=…` that leads back to the current page. */
export function loginHref(here = location.pathname + location.search): string {
  const next = safeNext(here);
  return next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}
