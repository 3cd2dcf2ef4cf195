// The refusal of a path that is not served: what to do instead, or the right base URL for a client that has a wrong
// one.
import { Fault } from "@turnpike/base";
import type { Config } from "../../config.ts";
import type { Services } from "../../services.ts";
import { isAnthropicClient } from "../answers/error-format-of.ts";
import { adviseOn } from "./path-hints.ts";

const pathsOfClients =
  /^\/(?:chat\/completions|completions|models|embeddings|responses|conversations|messages|images|audio|files|batches|rerank|moderations|credits|key|generation)(?:\/|$)/;

/** Whether a client with a base URL without `/v1` would request this path. */
export function lacksVersion(pathname: string): boolean {
  return pathsOfClients.test(pathname);
}

/** What clients append to their base URL. */
const endpoints = [
  "/audio/speech",
  "/audio/transcriptions",
  "/audio/translations",
  "/batches",
  "/chat/completions",
  "/completions",
  "/conversations",
  "/embeddings",
  "/files",
  "/images/edits",
  "/images/generations",
  "/messages",
  "/messages/count_tokens",
  "/models",
  "/moderations",
  "/rerank",
  "/responses",
];

/** TLS ends before us: the URL of a request always begins with `http:`, and a key must not be sent there. */
export function publicOrigin(
  { NODE_ENV, PUBLIC_URL }: Pick<Config, "NODE_ENV" | "PUBLIC_URL">,
  { host, origin }: URL,
): string {
  const own = new URL(PUBLIC_URL);
  return NODE_ENV === "production" || host === own.host ? `${own.protocol}//${host}` : origin;
}

/** States what the base URL should be, if the path is that of an endpoint behind a wrong one. */
function describeBase({ config }: Pick<Services, "config">, { url, headers }: Request): string {
  const { pathname } = new URL(url);
  const origin = publicOrigin(config, new URL(url));
  if (lacksVersion(pathname)) return ` Set the base URL to ${origin}/v1.`;
  if (!endpoints.some((endpoint) => pathname.endsWith(endpoint))) return "";
  const addsVersion =
    pathname.includes("/v1/messages") || (isAnthropicClient(headers) && pathname.includes("/v1/"));
  return ` Set the base URL to ${origin}${addsVersion ? "" : "/v1"}.`;
}

/** Says what to do instead, or what the base URL should be. */
export function unknownUrl(services: Pick<Services, "config">, request: Request): Fault {
  return (
    adviseOnUrl(services, request) ?? unknownUrlFault(request, describeBase(services, request))
  );
}

/** Undefined for a path that no known API has. */
export function adviseOnUrl(
  { config }: Pick<Services, "config">,
  request: Request,
): Fault | undefined {
  const url = new URL(request.url);
  const advice = adviseOn(url.pathname, publicOrigin(config, url));
  return advice === undefined ? undefined : unknownUrlFault(request, ` ${advice}`);
}

function unknownUrlFault({ method, url }: Request, hint: string): Fault {
  const { pathname } = new URL(url);
  const shown = pathname.length > 200 ? `${pathname.slice(0, 200)}…` : pathname;
  return new Fault("unknown_url", `Unknown request URL: ${method} ${shown}.${hint}`);
}
