// Which requests are accepted at all: the URL that is routed must be the one that was parsed, for a
// host that is ours. A Host that breaks URLs, or a second Host, could confuse authorization.
import { Fault } from "@turnpike/base";
import type { Config } from "../../config.ts";
import { createHostCheck } from "./allowed-hosts.ts";

const methods = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]);
/** How many URLs are remembered as routable; URLs are short, and 16 KB at most. */
const routableMax = 256;
/**
 * Load balancers use the address as host; these answers contain nothing that a page could misuse.
 */
const probes = new Set(["/livez", "/readyz"]);

/** Returns the Fault to answer with, or undefined for a request that may be routed. */
export type CheckTarget = (request: Request) => Fault | undefined;

export function createTargetCheck(
  config: Pick<Config, "NODE_ENV" | "HOST" | "PUBLIC_URL" | "allowedHosts" | "METRICS_TOKEN">,
): CheckTarget {
  const hosts = createHostCheck(config);
  // Prometheus uses the address too; the token keeps pages out.
  const isProbe = ({ pathname }: URL) =>
    probes.has(pathname) || (pathname === "/metrics" && config.METRICS_TOKEN !== undefined);
  // Almost every request has one of a few URLs, and whether one may be routed depends only on it
  // and its Host header.
  const routable = new Map<string, string>();
  return (request) => {
    const host = request.headers.get("host");
    if (host !== null && routable.get(request.url) === host && methods.has(request.method)) {
      return undefined;
    }
    const url = URL.parse(request.url);
    if (url === null || !isRoutable(request, url)) {
      return new Fault("malformed_request", "The Host header of this request is not valid.");
    }
    if (!methods.has(request.method)) {
      return new Fault("method_not_supported", `${request.method} is not supported.`, {
        metadata: { allow: [...methods] },
      });
    }
    if (isProbe(url) || hosts.isAllowed(url)) {
      if (routable.size >= routableMax) routable.clear();
      if (host !== null && url.search === "") routable.set(request.url, host);
      return undefined;
    }
    const message = `This server does not answer to the host ${url.host.slice(0, 100)}. The operator can add it to ALLOWED_HOSTS.`;
    return new Fault("malformed_request", message);
  };
}

/**
 * Elysia finds the path in the text of the URL, after the first slash after `http://`: correct only
 * for a URL in canonical form. Some Hosts (`999.1.1.1`) leave text that is not a URL, some
 * (`a%62c`) a name other than the one sent.
 */
function isRoutable(request: Request, url: URL): boolean {
  const host = request.headers.get("host")?.toLowerCase();
  if (url.href !== request.url || url.hash !== "" || url.protocol !== "http:") return false;
  return host !== undefined && (host === url.host || host === `${url.host}:80`);
}
