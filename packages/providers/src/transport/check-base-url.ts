// Whether the gateway may send requests, with a key in them, to an address. It checks what the operator
// wrote: scheme, credentials and literal host. Names are not resolved: base URLs come from the
// operator's catalog and never from callers, and a check before `fetch` resolves them again proves
// little.

import { isPrivateHost } from "@turnpike/base";

/** Why `baseUrl` is refused, as the end of a message; undefined if it is accepted. */
export function whyBaseUrlRefused(
  baseUrl: string,
  options: { readonly allowPrivate: boolean },
): string | undefined {
  const url = URL.parse(baseUrl);
  if (!url) return "is not a URL";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is neither https nor http";
  if (url.username !== "" || url.password !== "") return "must not contain credentials";
  if (url.search !== "" || url.hash !== "") return "must not contain a query or a fragment";
  if (options.allowPrivate) return undefined;
  if (url.protocol === "http:") return "is plain http, which needs ALLOW_PRIVATE_UPSTREAMS=true";
  if (!isPrivateHost(url.hostname)) return undefined;
  return "is a private or loopback address, which needs ALLOW_PRIVATE_UPSTREAMS=true";
}
