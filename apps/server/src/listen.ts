// The one listener: refuses what cannot be a request of ours before any routing, hands the rest to
// the app, and reaps clients that stop reading.
import { Fault } from "@turnpike/base";
import type { App } from "./app.ts";
import { answerFault, newCallIds } from "./http/answer-fault.ts";
import { joinHotReload } from "./http/proxy-console.ts";
import type { Services } from "./services.ts";

/** Above our own limit for `/v1`, so that a body too large is refused in our words (20 MiB). */
const requestMaxBytes = 32 * 1024 * 1024;
/** A client that stops reading its answer is let go after this long. */
const defaultIdleSeconds = 60;
const methods = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]);

export type Server = ReturnType<typeof Bun.serve>;

/** What the doors know of the listener they are behind. */
export type Listener = { readonly server: () => Server; readonly idleSeconds: number };

/**
 * Throws EADDRINUSE when another process listens on the port, also on a wildcard address that covers
 * ours. `idleSeconds` is for tests: Bun looks every four seconds and rounds up to that.
 */
export function listen(
  services: Services,
  createApp: (listener: Listener) => App,
  idleSeconds = defaultIdleSeconds,
): Server {
  const app = createApp({ server: () => server, idleSeconds });
  const hotReload = joinHotReload(services.config.CONSOLE_DEV_URL);
  const server: Server = Bun.serve({
    hostname: services.config.HOST,
    port: services.config.PORT,
    development: false,
    // Stated, because Bun shares the port silently where `development` is false.
    reusePort: false,
    idleTimeout: idleSeconds,
    maxRequestBodySize: requestMaxBytes,
    websocket: hotReload.websocket,
    fetch(request, self) {
      const malformed = findMalformed(request);
      if (malformed !== undefined) return answerFault(services, newCallIds(), malformed);
      if (hotReload.upgrade(request, self)) return undefined;
      return app.fetch(request);
    },
    error: (error) => answerFault(services, newCallIds(), error),
  });
  return server;
}

/**
 * A Host that breaks URLs, or two of them, is how authorisation gets confused: never route it. Some
 * (`999.1.1.1`) leave a URL that looks whole and that no handler could read.
 */
function findMalformed(request: Request): Fault | undefined {
  const { url } = request;
  const host = request.headers.get("host");
  if (!url.startsWith("http") || !URL.canParse(url) || host === null || host.includes(",")) {
    return new Fault("malformed_request", "The Host header of this request is not valid.");
  }
  if (methods.has(request.method)) return undefined;
  return new Fault("method_not_supported", `${request.method} is not supported.`, {
    metadata: { allow: [...methods] },
  });
}
