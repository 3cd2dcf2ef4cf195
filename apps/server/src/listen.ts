// The one listener: refuses requests that cannot be ours before any routing, passes the rest to the
// app, and disconnects clients that stop reading.
import { claimPort, type SharedPort } from "./claim-port.ts";
import type { Config } from "./config.ts";
import { answerFault, newCallIds } from "./http/answers/answer-fault.ts";
import { errorFormatOf } from "./http/answers/error-format-of.ts";
import { ownOrigins } from "./http/callers/assert-same-site.ts";
import { hotReloadSockets, joinHotReload } from "./http/pages/proxy-console.ts";
import { createTargetCheck } from "./http/requests/check-target.ts";
import { createConnectionLimit } from "./http/requests/limit-connections.ts";
import { parseClientAddress } from "./http/requests/parse-client-address.ts";
import { createOverloadRefusal } from "./http/requests/refuse-overload.ts";
import type { Services } from "./services.ts";

/** Bun's own 413 has no body and no id, so its limit is never reached; read-body.ts has ours. */
const requestMaxBytes = Number.MAX_SAFE_INTEGER;
/** A client that stops reading its answer is disconnected after this long. */
const defaultIdleSeconds = 60;

/** Answers the requests that the listener admits. */
export type App = { readonly fetch: (request: Request) => Response | Promise<Response> };

export type Server = ReturnType<typeof Bun.serve>;

/** What routes can learn from the listener. */
export type HttpListener = {
  readonly server: () => Server;
  readonly idleSeconds: number;
  /** The address a request comes from; empty if it is unknown. */
  readonly addressOf: (request: Request) => string;
  /** Counts a streamed answer as a connection until its body has been sent. */
  readonly keepUntilSent: (request: Request, sent: Promise<void>) => void;
};

export type ListenOptions = {
  /** For tests: Bun looks every four seconds and rounds up to that. */
  readonly idleSeconds?: number;
  /** Of a worker; without it the port belongs to this process only. */
  readonly sharedPort?: SharedPort;
};

/**
 * Throws EADDRINUSE if another process listens on the port, even on a wildcard address that covers
 * ours. Only the workers of one parent share a port.
 */
export function listen(
  services: Services,
  createApp: (listener: HttpListener) => App,
  { idleSeconds = defaultIdleSeconds, sharedPort }: ListenOptions = {},
): Server {
  const { config } = services;
  const release = sharedPort?.claim === true ? claimPort(config) : undefined;
  try {
    return serve(services, createApp, idleSeconds, sharedPort);
  } finally {
    release?.();
  }
}

function serve(
  services: Services,
  createApp: (listener: HttpListener) => App,
  idleSeconds: number,
  sharedPort: SharedPort | undefined,
): Server {
  const { config } = services;
  const limit = createConnectionLimit(config.CONNECTIONS_PER_ADDRESS_MAX);
  const addressOf = (request: Request) =>
    parseClientAddress(
      server.requestIP(request)?.address ?? "",
      request.headers.get("x-forwarded-for"),
      config.trustedProxies,
    );
  const { keepUntilSent } = limit;
  const app = createApp({ server: () => server, idleSeconds, addressOf, keepUntilSent });
  const { CONSOLE_DEV_URL } = config;
  const joinSocket =
    CONSOLE_DEV_URL === undefined
      ? undefined
      : joinHotReload(CONSOLE_DEV_URL, (url) => ownOrigins(config, url));
  const answerBy = (request: Request) => app.fetch(request);
  const check = createTargetCheck(config);
  const seal = sealAnswers(config);
  const refuseOverload = createOverloadRefusal(services);
  const refuse = (thrown: unknown, request?: Request) =>
    seal(answerFault(services, newCallIds(), thrown, request && errorFormatOf(request)));
  const server: Server = Bun.serve({
    hostname: config.HOST,
    port: sharedPort?.port ?? config.PORT,
    development: false,
    // Explicit, because Bun silently shares the port if `development` is false.
    reusePort: sharedPort !== undefined,
    idleTimeout: idleSeconds,
    maxRequestBodySize: requestMaxBytes,
    websocket: hotReloadSockets,
    fetch(request, self) {
      const overload = refuseOverload(request);
      if (overload !== undefined) return seal(overload);
      const malformed = check(request);
      if (malformed !== undefined) return refuse(malformed, request);
      if (joinSocket?.(request, self)) return undefined;
      const answer = limit.run(request, addressOf(request), answerBy);
      return answer instanceof Promise ? answer.then(seal) : seal(answer);
    },
    error: (thrown) => refuse(thrown),
  });
  return server;
}

/**
 * Adds the headers of every answer, whatever produced it: types are not guessed, and if the
 * public URL is https, browsers never use http again.
 */
export function sealAnswers({
  PUBLIC_URL,
}: Pick<Config, "PUBLIC_URL">): (answer: Response) => Response {
  const secure = PUBLIC_URL.startsWith("https:");
  return (answer) => {
    answer.headers.set("x-content-type-options", "nosniff");
    if (secure) answer.headers.set("strict-transport-security", "max-age=31536000");
    return answer;
  };
}
