// Which account the pages of this document are about: their address names it. Another account is another
// document, so nothing of one account stays in memory while another is shown.

import type { AccountKind } from "@turnpike/terms";
import { readStored, writeStored } from "./stored-text.ts";

const prefix = /^\/a\/([\w-]+)(?=\/|$)/;

/** Undefined for the personal account. */
export const accountSlug: string | undefined = prefix.exec(location.pathname)?.[1];

/** What every path of this document begins with; the router adds it to links. */
export const accountBase = accountSlug === undefined ? "" : `/a/${accountSlug}`;

/** A path as the list of pages knows it. */
export function withoutAccount(pathname: string): string {
  return pathname.replace(prefix, "") || "/";
}

/** How a request names its account. */
export function accountHeaders(): Record<string, string> {
  return accountSlug === undefined ? {} : { "x-turnpike-account": accountSlug };
}

type Address = { readonly kind: AccountKind; readonly slug: string };

/** Of a page of that account. */
export function addressOf({ kind, slug }: Address, path = "/"): string {
  if (kind === "personal") return path;
  return path === "/" ? `/a/${slug}` : `/a/${slug}${path}`;
}

/** Leaves this document; a path that names no account leads there from now on. */
export function openAccount(account: Address, path = "/"): void {
  rememberAccount(account);
  location.assign(addressOf(account, path));
}

const storageKey = "last-account";

/** Of this document: what another tab uses meanwhile does not move this one. */
let last = readStored(storageKey);

/** The slug of the organization that was used last; undefined for the personal account. */
export function readLastAccount(): string | undefined {
  return last;
}

export function rememberAccount({ kind, slug }: Address): void {
  last = kind === "organization" ? slug : undefined;
  writeStored(storageKey, last);
}
