// The whole path of a paid call: what is asked, whether it is allowed, whether there is enough money, the
// upstream's answer, and the bill. Nothing is called before its money is held, and no answer is
// complete before its charge is durable.
import { clientClosed, Fault, toFault } from "@turnpike/base";
import type { Charged } from "@turnpike/ledger";
import type { UnreadAnswer, UpstreamAnswer, WholeAnswer } from "@turnpike/providers";
import { nameForCaller, namesForCaller, type ParsedRequest, readMaxCost } from "@turnpike/wire";
import { type Admitted, admitRequest } from "./admit-request.ts";
import type { Ending } from "./bill-ending.ts";
import { Completion } from "./completion.ts";
import type { Answer, AuthenticatedCall, Call, Gateway } from "./gateway.ts";
import type { Admission } from "./limit-rates.ts";
import { openRoute } from "./open-route.ts";
import { refuseCall } from "./refuse-call.ts";
import { relayStream } from "./relay-stream.ts";
import { type Reserved, reserveMoney } from "./reserve-money.ts";
import { Failover } from "./routing/fail-over.ts";
import { keepFitting, type RoutePlan } from "./routing/plan-routes.ts";
import { completionTiming } from "./server-timing.ts";

/** Answers one call, or rejects with the Fault to answer with; either way it is recorded, once. */
export async function complete<Request extends ParsedRequest>(
  gateway: Gateway,
  call: Call<Request>,
): Promise<Answer> {
  const request = parse(gateway, call);
  let completion: Completion<Request> | undefined;
  try {
    // A call that its slices and its lease cover waits for nothing here.
    const admitting = admit(gateway, call, request);
    const admitted = admitting instanceof Promise ? await admitting : admitting;
    const reserving = reserve(gateway, call, request, admitted);
    const started = reserving instanceof Promise ? await reserving : reserving;
    completion = started.completion;
    if (call.signal.aborted) throw clientClosed();
    const opening = openAnyRoute(gateway, completion, started.plan);
    const { stream } = call.protocol;
    if (request.stream && stream !== undefined) {
      const relayed = await relayStream(gateway, completion, stream, opening);
      return { ...relayed, headers: describeAnswer(completion) };
    }
    const received = receive(gateway, completion, await opening);
    const charged = await completion.endWithin(received.ending);
    const body = await writeWhole(completion, received, charged);
    return { body, headers: describeAnswer(completion), sent: undefined };
  } catch (thrown) {
    const fault = completion === undefined ? toFault(thrown) : await completion.stop(thrown);
    throw nameForCaller(fault, request);
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
function admit(
  gateway: Gateway,
  call: AuthenticatedCall,
  request: ParsedRequest,
): Admitted | Promise<Admitted> {
  const refuse = (thrown: unknown) => {
    throw refuseCall(gateway, call, { request }, thrown);
  };
  try {
    const admitted = admitRequest(gateway, call.principal, request);
    return admitted instanceof Promise ? admitted.catch(refuse) : admitted;
  } catch (thrown) {
    return refuse(thrown);
  }
}

/** A call whose money is held, and where it may go for that money. */
type Started<Request extends ParsedRequest> = {
  readonly completion: Completion<Request>;
  readonly plan: RoutePlan;
};

/** Whether there is enough money: from here on the call is a completion, which ends with a charge. */
function reserve<Request extends ParsedRequest>(
  gateway: Gateway,
  call: Call<Request>,
  request: Request,
  { plan: admitted, admission }: Admitted,
): Started<Request> | Promise<Started<Request>> {
  try {
    const caller = { accountId: call.principal.accountId, signal: call.signal };
    // Takes time in proportion to the prompt, so it comes after the rates.
    const fitting = keepFitting(admitted, caller);
    const asked = { call, request, admission, askedAtMs: performance.now() };
    if (fitting instanceof Promise) return reserveLater(gateway, asked, fitting);
    const reserved = reserveMoney(
      gateway,
      call,
      fitting,
      readMaxCost(call.headers, request.parsed),
    );
    if (reserved instanceof Promise) return reserveLater(gateway, asked, fitting, reserved);
    return start(gateway, asked, reserved);
  } catch (thrown) {
    throw refuseCall(gateway, call, { request, admission }, thrown);
  }
}

type Asked<Request extends ParsedRequest> = {
  readonly call: Call<Request>;
  readonly request: Request;
  readonly admission: Admission;
  readonly askedAtMs: number;
};

/** The same for a call whose prompt is counted, or that waits for the database. */
async function reserveLater<Request extends ParsedRequest>(
  gateway: Gateway,
  asked: Asked<Request>,
  fitting: RoutePlan | Promise<RoutePlan>,
  reserving?: Promise<Reserved>,
): Promise<Started<Request>> {
  const { call, request, admission } = asked;
  try {
    if (reserving !== undefined) return start(gateway, asked, await reserving);
    const plan = await fitting;
    const askedAtMs = performance.now();
    const maxCostNanos = readMaxCost(call.headers, request.parsed);
    const reserved = await reserveMoney(gateway, call, plan, maxCostNanos);
    return start(gateway, { ...asked, askedAtMs }, reserved);
  } catch (thrown) {
    throw refuseCall(gateway, call, { request, admission }, thrown);
  }
}

function start<Request extends ParsedRequest>(
  gateway: Gateway,
  { call, request, admission, askedAtMs }: Asked<Request>,
  { plan, reservation }: Reserved,
): Started<Request> {
  gateway.metrics.holdPlaced(reservation.hold.grantedNanos);
  const holdMs = performance.now() - askedAtMs;
  call.trace?.part("hold", askedAtMs);
  const { matched, routes } = plan;
  const [route] = routes;
  const started = { call, request, matched, route, admission, reservation, holdMs };
  return { completion: new Completion(gateway, started), plan };
}

/** The upstream's answer, from the first route that gives one. Rejects with the Fault of the last attempt. */
function openAnyRoute<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  plan: RoutePlan,
): Promise<UpstreamAnswer> {
  gateway.retryBudget.earn();
  return openRoute(gateway, completion, plan).catch((thrown: unknown) =>
    new Failover(gateway, completion, plan).recover(toFault(thrown)),
  );
}

/** An answer in one piece, and how its call ends. */
type Received = {
  readonly answer: WholeAnswer | UnreadAnswer;
  readonly ending: Ending;
};

/** It is completed and billed even if its client has disconnected. */
function receive<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  answer: UpstreamAnswer,
): Received {
  if (answer.kind === "stream") throw new Error("a stream answered a request for a whole answer");
  completion.received(answer);
  gateway.failpoint("first-byte");
  return { answer, ending: completion.endingWhole() };
}

/** Not a byte before its charge is durable. Throws the Fault to answer with. */
function writeWhole<Request extends ParsedRequest>(
  completion: Completion<Request>,
  { answer, ending }: Received,
  charged: Charged | undefined,
): string | Promise<string> {
  if (ending.outcome === "client_closed" || answer.kind === "unread") throw clientClosed();
  if (charged === undefined) throw unbilled();
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
