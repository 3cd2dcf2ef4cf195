// Every path no other route answers: a page or file of the console, or else a 404 in the format of
// `/v1`, with the right base URL for a client that has a wrong one. And errors that escaped a handler,
// including Elysia's own refusals.
import { Fault } from "@turnpike/base";
import type { Elysia } from "elysia";
import type { Config } from "../config.ts";
import type { Services } from "../services.ts";
import { answerFault, newCallIds } from "./answer-fault.ts";
import { errorFormatOf, isAnthropicClient } from "./error-format-of.ts";
import { answerPreflight } from "./route.ts";

/** Undefined for a request that is not for the console. */
export type ServeConsole = (request: Request) => Promise<Response | undefined>;

/** Must be registered last. */
export function registerUnknown(
  app: Pick<Elysia, "all">,
  services: Services,
  console: ServeConsole | undefined,
): void {
  app.all(
    "/*",
    async ({ request }: { request: Request }) => {
      const page = await console?.(request);
      if (page !== undefined) return page;
      const ids = newCallIds();
      const { pathname } = new URL(request.url);
      if (request.method === "OPTIONS" && apiPath.test(pathname)) {
        return answerPreflight(request, ids);
      }
      return answerFault(services, ids, unknownUrl(services, request), errorFormatOf(request));
    },
    { parse: "none" },
  );
}

/** For errors that escaped a handler. */
export function answerThrown(services: Services, request: Request, thrown: unknown): Response {
  const known = thrown instanceof Fault ? thrown : readElysiaError(services, thrown, request);
  return answerFault(services, newCallIds(), known, errorFormatOf(request));
}

function readElysiaError(services: Services, thrown: unknown, request: Request): unknown {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code;
  return code === "NOT_FOUND" ? unknownUrl(services, request) : thrown;
}

const apiPath = /^(?:\/api)?\/v1\//;

const pathsOfClients =
  /^\/(?:chat\/completions|completions|models|embeddings|responses|messages|credits|key|generation)(?:\/|$)/;

/** Endpoints that clients know from OpenAI and OpenRouter and that do not exist here. */
const notOffered =
  /^(?:\/api)?\/v1\/(images|audio|files|uploads|moderations|batches|fine_tuning|assistants|threads|vector_stores|realtime|videos|containers|evals|rerank)(?:\/|$)/;

function describeOffer(pathname: string): string {
  const name = notOffered.exec(pathname)?.[1];
  if (name === undefined) return "";
  return ` This gateway does not offer ${name.replace("_", " ")}. It offers chat completions, responses, messages, completions and embeddings; GET /v1/models lists the models.`;
}

/** Whether a client with a base URL without `/v1` would request this path. */
export function lacksVersion(pathname: string): boolean {
  return pathsOfClients.test(pathname);
}

/** What clients append to their base URL. */
const endpoints = [
  "/chat/completions",
  "/completions",
  "/embeddings",
  "/messages",
  "/messages/count_tokens",
  "/models",
  "/responses",
];

/** TLS ends before us: the URL of a request always begins with `http:`, and a key must not be sent there. */
function publicOrigin(
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

/** Says what to change: the base URL, or else which endpoints there are. */
export function unknownUrl(services: Pick<Services, "config">, request: Request): Fault {
  const { pathname } = new URL(request.url);
  const shown = pathname.length > 200 ? `${pathname.slice(0, 200)}…` : pathname;
  const hint = describeOffer(pathname) || describeBase(services, request);
  return new Fault("unknown_url", `Unknown request URL: ${request.method} ${shown}.${hint}`);
}
