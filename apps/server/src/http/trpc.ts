// The console's door: `/trpc/*` by tRPC's own handler, behind the rules that hold for every request
// with a session cookie. Answers are private, never cached, and carry no word of a bug.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { type ApiContext, appRouter, faultOf, refusalOf } from "@turnpike/api";
import { identifySession } from "@turnpike/auth";
import { Fault, newTraceId, toFault } from "@turnpike/base";
import type { Elysia } from "elysia";
import type { Services } from "../services.ts";
import { readBody } from "./read-body.ts";
import { ownOrigins, refuseCrossSite } from "./refuse-cross-site.ts";

const bodyMaxBytes = 64 * 1024;
const batchMax = 10;

const privateHeaders = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
};

export type ClientAddress = (request: Request) => string;

export function mountTrpc(
  app: Pick<Elysia, "all">,
  services: Services,
  addressOf: ClientAddress,
): void {
  app.all(
    "/trpc/*",
    async ({ request }: { request: Request }) => {
      const requestId = newTraceId();
      const response = await answer(services, request, { requestId, address: addressOf(request) });
      for (const [name, value] of Object.entries(privateHeaders)) {
        response.headers.set(name, value);
      }
      response.headers.set("x-request-id", requestId);
      return response;
    },
    { parse: "none" },
  );
}

type Call = Pick<ApiContext, "requestId" | "address">;

async function answer(services: Services, request: Request, call: Call): Promise<Response> {
  try {
    return await callProcedures(services, await readCall(services, request), call);
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault.code === "internal_error") {
      services.log.error({ err: fault.cause, traceId: call.requestId }, "bug");
    }
    const { status, body } = refusalOf(fault, call.requestId);
    return Response.json(body, { status });
  }
}

/** The request with its body read under our own limit, once it may be trusted to be ours. */
async function readCall(services: Services, request: Request): Promise<Request> {
  const { url, method, headers } = request;
  if (method === "GET") return new Request(url, { headers });
  if (method !== "POST") {
    throw new Fault("method_not_supported", `${method} is not supported here. Use GET or POST.`);
  }
  refuseCrossSite(request, ownOrigins(services.config, url));
  const body = await readBody(request, bodyMaxBytes);
  return new Request(url, { method, headers, body });
}

function callProcedures(services: Services, request: Request, call: Call): Promise<Response> {
  return fetchRequestHandler({
    endpoint: "/trpc",
    req: request,
    router: appRouter,
    maxBatchSize: batchMax,
    async createContext({ resHeaders }): Promise<ApiContext> {
      const cookies = request.headers.get("cookie");
      return {
        ...services.api,
        ...call,
        cookies,
        userAgent: request.headers.get("user-agent") ?? "",
        identified: await identifySession(services.api.auth, cookies),
        setCookies: (values) => {
          for (const value of values) resHeaders.append("set-cookie", value);
        },
      };
    },
    onError({ error, path }) {
      const fault = faultOf(error);
      const { cause } = fault.details;
      if (fault.code === "internal_error") {
        services.log.error({ err: cause, traceId: call.requestId, path }, "bug");
      } else if (fault.code === "overloaded") {
        services.log.warn({ err: cause, traceId: call.requestId, path }, "console overloaded");
      }
    },
  });
}
