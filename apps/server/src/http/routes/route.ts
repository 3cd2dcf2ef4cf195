// One path of `/v1`: its methods, the preflight, and for every other method a 405 that names them. Each is served
// at the other base paths of `api-base.ts` as well.
import { Fault } from "@turnpike/base";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerFault, answerHeaders, type CallIds, newCallIds } from "../answers/answer-fault.ts";
import { errorFormatOf } from "../answers/error-format-of.ts";
import { addressesOf } from "./api-base.ts";
import { adviseOnUrl } from "./describe-url.ts";

export type Handle = (request: Request, ids: CallIds) => Promise<Response>;
export type Methods = Readonly<Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", Handle>>>;

/** The path of `request` behind `prefix`, which is part of it. */
export function pathBehind({ url }: Request, prefix: string): string {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.indexOf(prefix) + prefix.length);
}

/**
 * What a handler throws is answered as a fault; handlers read bodies themselves. `atOpenRouter` are the methods
 * of clients that use OpenRouter's base path, if they get something else there.
 */
export function registerRoute(
  app: Pick<Elysia, "all">,
  services: Services,
  path: string,
  methods: Methods,
  atOpenRouter: Methods = methods,
): void {
  const addresses = addressesOf(path);
  for (const address of addresses.own) registerPath(app, services, address, methods);
  for (const address of addresses.atOpenRouter) registerPath(app, services, address, atOpenRouter);
}

/** One whole path, under no other base. */
export function registerPath(
  app: Pick<Elysia, "all">,
  services: Services,
  path: string,
  methods: Methods,
): void {
  const allow = [...Object.keys(methods), "OPTIONS"];
  const find = (method: string): Handle | undefined => {
    if (method === "POST" || method === "PATCH" || method === "DELETE") return methods[method];
    return method === "GET" || method === "HEAD" ? methods.GET : undefined;
  };
  app.all(
    path,
    ({ request }: { request: Request }) => {
      const ids = newCallIds();
      const refuse = (thrown: unknown) =>
        answerFault(services, ids, thrown, errorFormatOf(request));
      try {
        const handle = find(request.method);
        // Not awaited: what waits for the answer takes memory for each call.
        if (handle !== undefined) return handle(request, ids).catch(refuse);
        if (request.method === "OPTIONS") return answerPreflight(request, ids);
        if (request.headers.get("upgrade")?.toLowerCase() === "websocket") throw noWebSocket();
        const advised = adviseOnUrl(services, request);
        if (advised !== undefined) throw advised;
        throw new Fault(
          "method_not_supported",
          `${request.method} is not supported here. Use ${Object.keys(methods).join(" or ")}.`,
          { metadata: { allow } },
        );
      } catch (thrown) {
        return refuse(thrown);
      }
    },
    { parse: "none" },
  );
}

/**
 * Clients that open a WebSocket first, such as Codex, fall back to HTTP at once at this status, and at no other. It
 * must name the protocol to use instead (RFC 9110, 15.5.22).
 */
function noWebSocket(): Fault {
  return new Fault("method_not_supported", "WebSockets are not supported here. Use POST.", {
    status: 426,
    headers: { upgrade: "HTTP/1.1", connection: "upgrade, close" },
  });
}

/** SDKs in browsers send headers with many names: all requested ones are allowed. */
export function answerPreflight(request: Request, ids: CallIds): Response {
  const wanted = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      ...answerHeaders(ids),
      "access-control-allow-methods": "GET, POST, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": wanted ?? "authorization, content-type",
      "access-control-max-age": "86400",
      vary: "Origin, Access-Control-Request-Headers",
    },
  });
}

/**
 * JSON with the ids of the call and, in addition, `headers`. `Response.json` would name a character
 * set.
 */
export function answerJson(
  ids: CallIds,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...answerHeaders(ids), ...headers, "content-type": "application/json" },
  });
}
