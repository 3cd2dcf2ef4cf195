// A paid endpoint: its path and its protocol, which may be another under OpenRouter's base path.

import { formatGenerationId } from "@turnpike/base";
import { type Answer, CallRecord, type IncomingCall } from "@turnpike/gateway";
import { appOf, type ParsedRequest, type Protocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { HttpListener } from "../../listen.ts";
import type { Services } from "../../services.ts";
import { newAnswer } from "../answers/answer-fault.ts";
import type { Authenticator } from "../callers/authenticate-request.ts";
import { type Methods, registerRoute } from "../routes/route.ts";
import { type CallRoute, handleCall } from "./handle-call.ts";

const userAgentMaxChars = 200;

export type CallContext = Authenticator & {
  readonly services: Services;
  readonly listener: HttpListener;
};

export function registerProtocol<Request extends ParsedRequest>(
  app: Pick<Elysia, "all">,
  { services, identify, requireAddress, listener }: CallContext,
  path: string,
  protocol: Protocol<Request>,
  atOpenRouter: Protocol<Request> = protocol,
): void {
  const methodsOf = (served: Protocol<Request>): Methods => {
    const { operation, errors } = served;
    const route: CallRoute<Request> = { protocol: served, identify, requireAddress, respond };
    return {
      POST(request, ids) {
        const head = parseHead(request.headers);
        const { generationId, requestId, receivedAtMs } = ids;
        const record = new CallRecord();
        const call = { generationId, requestId, receivedAtMs, head, record, operation, errors };
        return handleCall(services, listener, route, request, traceCall(services, request, call));
      },
    };
  };
  registerRoute(app, services, path, methodsOf(protocol), methodsOf(atOpenRouter));
}

/** What the head of a request says of the call in Logs. */
function parseHead(headers: Headers): IncomingCall["head"] {
  const userAgent = (headers.get("user-agent") ?? "").slice(0, userAgentMaxChars);
  return { userAgent, app: appOf(headers) ?? null };
}

function respond(call: IncomingCall, { body, headers }: Answer): Response {
  const own = call.errors.idHeaders?.(call.requestId);
  return newAnswer(call, body, own === undefined ? headers : { ...headers, ...own });
}

/** The same call unless tracing is configured and samples it. */
function traceCall(
  { tracing }: Pick<Services, "tracing">,
  request: Request,
  call: IncomingCall,
): IncomingCall {
  if (tracing === undefined) return call;
  const generationId = formatGenerationId(call.generationId);
  const traceparent = request.headers.get("traceparent");
  const trace = tracing.start({ ...call, generationId, traceparent });
  return trace === undefined ? call : { ...call, trace };
}
