// The console's route: `/trpc/*` by tRPC's own handler, behind the rules that apply to every
// request with a session cookie. Answers are private, never cached, and reveal nothing about a bug.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { type ApiContext, appRouter, faultOf, refusalOf } from "@turnpike/api";
import { parseCookie } from "@turnpike/auth";
import { customerNetwork, Fault, newRequestId } from "@turnpike/base";
import { faultOfThrown } from "@turnpike/db";
import { batchCallsMax } from "@turnpike/terms";
import type { Elysia } from "elysia";
import { readOwnWritesSeconds } from "../../open-replica.ts";
import type { Services } from "../../services.ts";
import { compressAnswer } from "../answers/compress-answer.ts";
import { assertSameSite, ownOrigins } from "../callers/assert-same-site.ts";
import type { ClientAddress } from "../callers/authenticate-request.ts";
import { assertNotLimited, findAccountOf, type Visitors } from "../callers/authenticate-visitor.ts";
import {
  type CallLimiter,
  callLimit,
  createCallLimiter,
  scaleLimit,
} from "../callers/limit-calls.ts";
import { assertShallowJson, readPlainJson } from "../requests/read-body.ts";

const bodyMaxBytes = 64 * 1024;
/** For a catalog, and for a shared conversation, whose text is JSON in JSON: only who is signed in sends as much. */
const longBodyMaxBytes = 2 * 1024 * 1024;
const longBodies = /^\/trpc\/(?:operator\.catalog\.|conversations\.share$)/;

const privateHeaders = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
};

export function registerTrpc(
  app: Pick<Elysia, "all">,
  services: Services,
  addressOf: ClientAddress,
  visitors: Visitors,
): void {
  const limiter = createCallLimiter(scaleLimit(callLimit, services.config.THROTTLE_SCALE));
  const entrance = { services, limiter, visitors };
  app.all(
    "/trpc/*",
    async ({ request }: { request: Request }) => {
      const startedAtMs = performance.now();
      const call = { requestId: newRequestId(), address: addressOf(request), hasFailed: false };
      const response = await answer(entrance, request, call);
      services.metrics.consoleAnswered(
        call.hasFailed ? "failed" : response.status < 400 ? "ok" : "refused",
        performance.now() - startedAtMs,
      );
      for (const [name, value] of Object.entries(privateHeaders)) {
        response.headers.set(name, value);
      }
      response.headers.set("x-request-id", call.requestId);
      return compressAnswer(request, response);
    },
    { parse: "none" },
  );
}

const wroteCookie = "turnpike_wrote";
const rememberWrite = new Headers({
  "set-cookie": `${wroteCookie}=1; Max-Age=${readOwnWritesSeconds}; Path=/trpc; HttpOnly; SameSite=Lax`,
});

type Call = Pick<ApiContext, "requestId" | "address"> & {
  /** Whether this server, and not the caller, is the reason of a refusal. */
  hasFailed: boolean;
};
type Visit = Pick<ApiContext, "cookies" | "authenticated" | "account">;

type Entrance = {
  readonly services: Services;
  readonly limiter: CallLimiter;
  readonly visitors: Visitors;
};

async function answer(entrance: Entrance, request: Request, call: Call): Promise<Response> {
  const { services, limiter, visitors } = entrance;
  try {
    assertOwnPage(services, request);
    const cookies = request.headers.get("cookie");
    const authenticated = await visitors.authenticate(request);
    const caller = authenticated?.session.publicId ?? customerNetwork(call.address);
    assertNotLimited(limiter.take(caller, countCalls(request.url)));
    const read = await readCall(request, authenticated !== undefined);
    const account = await findAccountOf(services.api, request, authenticated);
    return await callProcedures(entrance, read, call, { cookies, authenticated, account });
  } catch (thrown) {
    const fault = faultOfThrown(thrown);
    report(services, fault, call, undefined);
    const { status, body } = refusalOf(fault, call.requestId);
    return Response.json(body, { status });
  }
}

/** A batch names its procedures separated by commas; tRPC also accepts encoded commas. */
function countCalls(url: string): number {
  return new URL(url).pathname.split(/,|%2c/i).length;
}

/** What does not come from our pages, before anything of it is read. */
function assertOwnPage({ config }: Services, request: Request): void {
  const { method, url } = request;
  if (method === "GET") return;
  if (method !== "POST") {
    throw new Fault("method_not_supported", `${method} is not supported here. Use GET or POST.`);
  }
  assertSameSite(request, ownOrigins(config, new URL(url)));
}

/** The request with its body read under our own limit. */
async function readCall(request: Request, isSignedIn: boolean): Promise<Request> {
  const { url, method, headers } = request;
  assertShallowJson(new URL(url).searchParams.get("input") ?? "");
  if (method === "GET") return new Request(url, { headers });
  const isLong = isSignedIn && longBodies.test(new URL(url).pathname);
  const body = await readPlainJson(request, isLong ? longBodyMaxBytes : bodyMaxBytes);
  return new Request(url, { method, headers, body });
}

function callProcedures(
  { services, visitors }: Entrance,
  request: Request,
  call: Call,
  visit: Visit,
): Promise<Response> {
  const { requestId, address } = call;
  const { replicaReads } = services;
  const isFollowed = parseCookie(visit.cookies, wroteCookie) !== undefined;
  return fetchRequestHandler({
    endpoint: "/trpc",
    req: request,
    router: appRouter,
    maxBatchSize: batchCallsMax,
    // For a query whose input is too long for an address.
    allowMethodOverride: true,
    createContext: ({ resHeaders }): ApiContext => ({
      ...services.api,
      ...(isFollowed ? undefined : replicaReads),
      ...visit,
      requestId,
      address,
      userAgent: request.headers.get("user-agent") ?? "",
      setCookies: (values) => {
        for (const value of values) {
          resHeaders.append("set-cookie", value);
          visitors.remember(value);
        }
      },
    }),
    // Also after a failure: something may have been written before it.
    responseMeta: ({ type }) =>
      replicaReads !== undefined && type === "mutation" ? { headers: rememberWrite } : {},
    onError: ({ error, path }) => report(services, faultOf(error), call, path),
  });
}

/** Logs and counts only what an operator must know about; refusals concern only the caller. */
function report({ log }: Services, fault: Fault, call: Call, path: string | undefined): void {
  const { requestId } = call;
  const { cause } = fault.details;
  call.hasFailed ||= fault.code === "internal_error" || fault.code === "overloaded";
  if (fault.code === "internal_error") log.error({ err: cause, requestId, path }, "bug");
  else if (fault.code === "overloaded") log.warn({ err: cause, requestId, path }, "overloaded");
}
