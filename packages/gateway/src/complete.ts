// The whole path of a paid call: what is asked, whether it is allowed, whether there is enough money, the
// upstream's answer, and the bill. Nothing is called before its money is held, and no answer is
// complete before its charge is durable.
import { clientClosed, Fault, toFault } from "@turnpike/base";
import type { UpstreamAnswer } from "@turnpike/providers";
import { nameForCaller, namesForCaller, type ParsedRequest, readMaxCost } from "@turnpike/wire";
import { type Admitted, admitRequest } from "./admit-request.ts";
import { Completion } from "./completion.ts";
import type { Answer, AuthenticatedCall, Call, Gateway } from "./gateway.ts";
import { openRoute } from "./open-route.ts";
import { refuseCall } from "./refuse-call.ts";
import { relayStream } from "./relay-stream.ts";
import { reserveMoney } from "./reserve-money.ts";
import { Failover } from "./routing/fail-over.ts";
import { keepFitting, type RoutePlan } from "./routing/plan-routes.ts";
import { completionTiming } from "./server-timing.ts";

/** Answers one call, or rejects with the Fault to answer with; either way it is recorded, once. */
export async function complete<Request extends ParsedRequest>(
  gateway: Gateway,
  call: Call<Request>,
): Promise<Answer> {
  const request = parse(gateway, call);
  try {
    return await answer(gateway, call, request);
  } catch (thrown) {
    throw nameForCaller(toFault(thrown), request);
  }
}

async function answer<Request extends ParsedRequest>(
  gateway: Gateway,
  call: Call<Request>,
  request: Request,
): Promise<Answer> {
  const admitted = admit(gateway, call, request);
  const { completion, plan } = await reserve(gateway, call, request, admitted);
  try {
    if (call.signal.aborted) throw clientClosed();
    const opening = tryRoutes(gateway, completion, plan);
    const { stream } = call.protocol;
    if (request.stream && stream !== undefined) {
      const relayed = await relayStream(gateway, completion, stream, opening);
      return { ...relayed, headers: describeAnswer(completion) };
    }
    const body = await answerWhole(gateway, completion, await opening);
    return { body, headers: describeAnswer(completion), sent: undefined };
  } catch (thrown) {
    throw await completion.stop(thrown);
  }
}

/** What is asked. */
function parse<Request extends ParsedRequest>(gateway: Gateway, call: Call<Request>): Request {
  try {
    const request = call.protocol.parse(call.text, call.headers);
    call.place?.countParsed(request.parsedBytes ?? 0);
    return request;
  } catch (thrown) {
    throw refuseCall(gateway, call, {}, thrown);
  }
}

/** Whether it is allowed: for this model, with this key, now. */
function admit(gateway: Gateway, call: AuthenticatedCall, request: ParsedRequest): Admitted {
  try {
    return admitRequest(gateway, call.principal, request);
  } catch (thrown) {
    throw refuseCall(gateway, call, { request }, thrown);
  }
}

/** A call whose money is held, and where it may go for that money. */
type Started<Request extends ParsedRequest> = {
  readonly completion: Completion<Request>;
  readonly plan: RoutePlan;
};

/** Whether there is enough money: from here on the call is a completion, which ends with a charge. */
async function reserve<Request extends ParsedRequest>(
  gateway: Gateway,
  call: Call<Request>,
  request: Request,
  { plan: admitted, admission }: Admitted,
): Promise<Started<Request>> {
  try {
    // Takes time in proportion to the prompt, so it comes after the rates.
    const caller = { accountId: call.principal.accountId, signal: call.signal };
    const fitting = await keepFitting(admitted, caller);
    const startedAtMs = performance.now();
    const maxCostNanos = readMaxCost(call.headers, request.parsed);
    const { plan, reservation } = await reserveMoney(gateway, call, fitting, maxCostNanos);
    gateway.metrics.holdPlaced(reservation.hold.grantedNanos);
    const holdMs = performance.now() - startedAtMs;
    const { matched, routes } = plan;
    const [route] = routes;
    const start = { call, request, matched, route, admission, reservation, holdMs };
    return { completion: new Completion(gateway, start), plan };
  } catch (thrown) {
    throw refuseCall(gateway, call, { request, admission }, thrown);
  }
}

/** The upstream's answer, from the first route that gives one. Rejects with the Fault of the last attempt. */
async function tryRoutes<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  plan: RoutePlan,
): Promise<UpstreamAnswer> {
  gateway.retryBudget.earn();
  try {
    return await openRoute(gateway, completion);
  } catch (thrown) {
    return new Failover(gateway, completion, plan).recover(toFault(thrown));
  }
}

/**
 * An answer in one piece, and not a byte before its charge is durable. It is completed and billed even if
 * its client has disconnected. Rejects with the Fault to answer with.
 */
async function answerWhole<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  answer: UpstreamAnswer,
): Promise<string> {
  if (answer.kind === "stream") throw new Error("a stream answered a request for a whole answer");
  completion.received(answer);
  gateway.failpoint("first-byte");
  const ending = completion.endingWhole();
  const isDurable = await completion.endWithin(ending);
  if (ending.outcome === "client_closed" || answer.kind === "unread") throw clientClosed();
  if (!isDurable) throw unbilled();
  const { call, stamp, bill, request } = completion;
  return completion.keepItems(call.protocol.writeWhole(answer.content, stamp, bill, request));
}

/** The charge stays queued, so a retry would be billed again. */
function unbilled(): Fault {
  return new Fault(
    "overloaded",
    "This answer is complete but could not be billed in time, so it was not returned. It may still be charged once: query `/v1/generation` with the id in `x-generation-id` before you retry.",
    { shouldRetry: false },
  );
}

function describeAnswer<Request extends ParsedRequest>({
  call,
  request,
  admission,
  reservation,
  holdMs,
  upstream,
  elapsedMs,
}: Completion<Request>): Record<string, string> {
  const headers: Record<string, string> = {
    "server-timing": completionTiming({
      authMs: call.authMs,
      holdMs,
      upstreamMs: upstream.waitMs,
      elapsedMs,
    }),
    "content-type": "application/json",
  };
  if (reservation.maxTokens !== undefined) {
    headers["x-turnpike-max-tokens"] = String(reservation.maxTokens);
  }
  const ignored = namesForCaller(upstream.ignored, request);
  if (ignored.length > 0) headers["x-turnpike-ignored"] = ignored.join(", ");
  if (request.stream && call.protocol.stream !== undefined) {
    headers["content-type"] = call.protocol.stream.contentType;
    headers["cache-control"] = "no-cache, no-transform";
    headers["x-accel-buffering"] = "no";
  }
  return Object.assign(headers, admission.headers);
}
