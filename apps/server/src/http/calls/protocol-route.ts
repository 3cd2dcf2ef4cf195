// Answers the calls of a paid endpoint, or of one protocol where a part of a request is in its address.
import { formatGenerationId } from "@turnpike/base";
import { type Answer, CallRecord, type IncomingCall } from "@turnpike/gateway";
import { appOf, type ParsedRequest, type Protocol } from "@turnpike/wire";
import type { HttpListener } from "../../listen.ts";
import type { Services } from "../../services.ts";
import { newAnswer } from "../answers/answer-fault.ts";
import type { Authenticator } from "../callers/authenticate-request.ts";
import type { Handle } from "../routes/route.ts";
import { type CallRoute, handleCall } from "./handle-call.ts";

const userAgentMaxChars = 200;

export type CallContext = Authenticator & {
  readonly services: Services;
  readonly listener: HttpListener;
};

/** Answers the calls of one protocol. */
export function createCallHandle<Request extends ParsedRequest>(
  { services, identify, requireAddress, listener }: CallContext,
  protocol: Protocol<Request>,
): Handle {
  const { operation, errors } = protocol;
  const route: CallRoute<Request> = { protocol, identify, requireAddress, respond };
  return (request, ids) => {
    const head = parseHead(request.headers);
    const { generationId, requestId, receivedAtMs } = ids;
    const record = new CallRecord();
    const call = { generationId, requestId, receivedAtMs, head, record, operation, errors };
    return handleCall(services, listener, route, request, traceCall(services, request, call));
  };
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
