// Refuses paid calls while the process is overloaded, before routing: a flood must cost next to nothing
// per call, or refusing it would take the time of the calls that were admitted.
import { formatGenerationId } from "@turnpike/base";
import { overloaded } from "@turnpike/gateway";
import { answerForFault } from "@turnpike/wire";
import type { Services } from "../services.ts";
import { answerHeaders, newCallIds } from "./answer-fault.ts";

const paidPath = /\/v1\/(?:chat\/completions|embeddings)$/;

/** Returns the refusal of a request that the process cannot take on, undefined for all others. */
export function openOverloadRefusal({
  gateway: { load, metrics },
}: Pick<Services, "gateway">): (request: Request) => Response | undefined {
  const fault = overloaded();
  const { status, headers, body } = answerForFault(fault);
  // All but the ids are the same for every refusal; it takes less than a millisecond.
  const prebuilt = new Headers({ ...answerHeaders(newCallIds()), ...headers });
  const text = JSON.stringify(body);
  return (request) => {
    const reason = load.reasonToShed();
    if (reason === undefined) return undefined;
    if (request.method !== "POST" || !paidPath.test(request.url)) return undefined;
    metrics.callShed(reason);
    metrics.requestStarted();
    metrics.requestEnded({ model: undefined, status, outcome: fault.code });
    const answer = new Response(text, { status, headers: prebuilt });
    const ids = newCallIds();
    answer.headers.set("x-request-id", ids.requestId);
    answer.headers.set("x-generation-id", formatGenerationId(ids.generationId));
    return answer;
  };
}
