// In development the console is Vite's: pages, modules and the hot-reload socket pass through, so
// that the browser sees one origin, under the same policy as in production.
import { Fault } from "@turnpike/base";
import type { Config } from "../../config.ts";
import type { ServeConsole } from "../routes/unknown-url.ts";
import { isConsoleRequest } from "./console-assets.ts";
import { consoleHeaders } from "./console-headers.ts";

/** Hop-by-hop, or no longer true once fetch has decoded the body. */
const dropped = [
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
];

export function proxyConsole(config: Config, consoleUrl: string): ServeConsole {
  const headers = consoleHeaders(config);
  return async (request) => {
    if (!isConsoleRequest(request)) return undefined;
    const { pathname, search } = new URL(request.url);
    const sent = new Headers(request.headers);
    // Vite applies its own rules to the Origin of another site and would let it read our sources.
    for (const name of ["host", "origin", "cookie", "connection", "accept-encoding"]) {
      sent.delete(name);
    }
    const answer = await fetch(new URL(pathname + search, consoleUrl), {
      method: request.method,
      headers: sent,
      redirect: "manual",
    });
    const received = new Headers(answer.headers);
    for (const name of dropped) received.delete(name);
    for (const [name, value] of Object.entries(headers)) received.set(name, value);
    return new Response(answer.body, { status: answer.status, headers: received });
  };
}

type Peer = { readonly upstream: WebSocket; readonly waiting: (string | Buffer)[] };
type Upgrade = (request: Request, server: Bun.Server<Peer>) => boolean;

const protocols = new Set(["vite-hmr", "vite-ping"]);

/**
 * Joins a browser's hot-reload socket to Vite's. False for every other request; throws
 * `cross_site_request` for a socket of another site, because nothing else keeps pages from opening it.
 */
export function joinHotReload(
  consoleUrl: string,
  originsOf: (url: URL) => readonly string[],
): Upgrade {
  return (request, server) => {
    const protocol = request.headers.get("sec-websocket-protocol");
    if (protocol === null || !protocols.has(protocol)) return false;
    const url = new URL(request.url);
    if (!originsOf(url).includes(request.headers.get("origin") ?? "")) {
      throw new Fault("cross_site_request", "This socket is for pages of this server.");
    }
    const target = new URL(url.pathname + url.search, consoleUrl.replace(/^http/, "ws"));
    const upstream = new WebSocket(target, [protocol]);
    const headers = { "sec-websocket-protocol": protocol };
    return server.upgrade(request, { data: { upstream, waiting: [] }, headers });
  };
}

/** Handlers of the joined sockets. */
export const hotReloadSockets: Bun.WebSocketHandler<Peer> = {
  open(socket) {
    const { upstream, waiting } = socket.data;
    upstream.onopen = () => {
      for (const message of waiting.splice(0)) upstream.send(message);
    };
    upstream.onmessage = ({ data }) => void socket.send(data);
    upstream.onclose = () => socket.close();
    upstream.onerror = () => socket.close();
  },
  message(socket, message) {
    const { upstream, waiting } = socket.data;
    if (upstream.readyState === WebSocket.OPEN) upstream.send(message);
    else waiting.push(message);
  },
  close: (socket) => socket.data.upstream.close(),
};
