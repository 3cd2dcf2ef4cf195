// Keeps other sites from acting with a visitor's cookie: a request that changes something must
// come from one of our pages, as the browser's headers attest, and be JSON, which a form of another
// site cannot send.
import { Fault } from "@turnpike/base";
import type { Config } from "../../config.ts";

/** Throws `cross_site_request` and `unsupported_media_type`. `origins` are our own. */
export function assertSameSite(request: Request, origins: readonly string[]): void {
  assertOwnPage(request, origins);
  const type = request.headers.get("content-type") ?? "";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  throw new Fault("unsupported_media_type", "Send the body as application/json.");
}

/** Only the check of the origin, for one of our own forms. Throws `cross_site_request`. */
export function assertOwnPage(request: Request, origins: readonly string[]): void {
  if (isSameOrigin(request.headers, origins)) return;
  throw new Fault("cross_site_request", "This request did not come from our own pages.");
}

function isSameOrigin(headers: Headers, origins: readonly string[]): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === null && origin === null) return false;
  return (site === null || site === "same-origin") && (origin === null || origins.includes(origin));
}

/**
 * The origins of our own pages: PUBLIC_URL, or the allowed host that the URL of a request names. In
 * production by the scheme of PUBLIC_URL only: TLS ends before us.
 */
export function ownOrigins(
  { NODE_ENV, PUBLIC_URL }: Pick<Config, "NODE_ENV" | "PUBLIC_URL">,
  { host, origin }: URL,
): readonly string[] {
  const { protocol } = new URL(PUBLIC_URL);
  const asked = `${protocol}//${host}`;
  return NODE_ENV === "production" ? [PUBLIC_URL, asked] : [PUBLIC_URL, asked, origin];
}
