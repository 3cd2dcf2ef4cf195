// `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. It exists if the
// operator configured a contact.
import type { Elysia } from "elysia";
import type { Config } from "../../config.ts";
import type { Services } from "../../services.ts";

const path = "/.well-known/security.txt";
/** RFC 9116 recommends less than a year; it is counted from each answer, so it never runs out. */
const validForMs = 180 * 86_400_000;

export function registerSecurityTxt(app: Pick<Elysia, "get">, { config }: Services): void {
  const contact = contactOf(config);
  if (contact === undefined) return;
  app.get(path, () => {
    return new Response(securityTxt(contact, config.PUBLIC_URL, new Date()), {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
    });
  });
}

/** As a URI; undefined if no contact is configured. */
export function contactOf({
  SECURITY_CONTACT,
  SUPPORT_EMAIL,
}: Pick<Config, "SECURITY_CONTACT" | "SUPPORT_EMAIL">): string | undefined {
  const named = SECURITY_CONTACT ?? SUPPORT_EMAIL;
  if (named === "") return undefined;
  return URL.canParse(named) ? named : `mailto:${named}`;
}

/** The fields of RFC 9116; `Expires` is rounded down to the day. */
export function securityTxt(contact: string, publicUrl: string, now: Date): string {
  const expires = new Date(now.getTime() + validForMs).toISOString().slice(0, 10);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${publicUrl}${path}`,
    "",
  ].join("\n");
}
