// Begins the trace of a call, in that of its caller if there is one.
import { formatGenerationId } from "@turnpike/base";
import type { IncomingCall } from "@turnpike/gateway";
import type { Services } from "../../services.ts";

/** The same call unless tracing is configured and samples it. */
export function traceCall(
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
