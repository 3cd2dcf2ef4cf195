// Refuses calls that cause work while the process is overloaded or could not charge them, before routing: a flood must cost very
// little per call, or refusing it would take time from the calls that were admitted. Nothing of a refused call has begun, so a
// proxy may ask another server.
import { type Fault, formatGenerationId } from "@turnpike/base";
import { refusalFor } from "@turnpike/gateway";
import type { ShedReason } from "@turnpike/telemetry";
import type { ErrorFormat } from "@turnpike/wire";
import type { Services } from "../../services.ts";
import { answerHeaders, newCallIds } from "../answers/answer-fault.ts";
import { errorFormatOf } from "../answers/error-format-of.ts";
import { workingUrl } from "../routes/api-base.ts";

/**
 * By this header nginx says that it can ask another server, and where it does (deploy/nginx/turnpike.conf). Its own
 * retries cannot tell a refusal from a call that broke off, which may cost money and must not be repeated.
 */
const otherServerHeader = "x-turnpike-other";
const otherServerLocation = "@turnpike_other";

/** Whether another server may be able to take what this one refuses: `/readyz` says the same. */
function concernsThisServer(reason: ShedReason): boolean {
  return reason === "clock" || reason === "database";
}

/** Returns the refusal of a request that the process cannot accept, undefined for all others. */
export function createOverloadRefusal({
  gateway: { load, metrics },
}: Pick<Services, "gateway">): (request: Request) => Response | undefined {
  // The same for every refusal except the ids; it takes less than a millisecond.
  const prebuilt = new Headers(answerHeaders(newCallIds()));
  const refuseWith = (fault: Fault, errors: ErrorFormat): Response => {
    const ids = newCallIds();
    const { status, headers, body } = errors.answer(fault, ids.requestId);
    metrics.requestEnded({ model: undefined, status, outcome: fault.code });
    const answer = new Response(JSON.stringify(body), { status, headers: prebuilt });
    for (const name in headers) answer.headers.set(name, headers[name] ?? "");
    answer.headers.set("x-request-id", ids.requestId);
    answer.headers.set("x-generation-id", formatGenerationId(ids.generationId));
    return answer;
  };
  return (request) => {
    const reason = load.reasonToShed();
    if (reason === undefined) return undefined;
    if (request.method !== "POST" || !workingUrl.test(request.url)) return undefined;
    metrics.callShed(reason);
    metrics.requestStarted();
    const answer = refuseWith(refusalFor(reason), errorFormatOf(request));
    const mayRedirect = request.headers.get(otherServerHeader) === otherServerLocation;
    if (mayRedirect && concernsThisServer(reason)) {
      answer.headers.set("x-accel-redirect", otherServerLocation);
    }
    return answer;
  };
}
