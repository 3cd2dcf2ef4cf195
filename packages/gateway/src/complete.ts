// The whole path of a paid call: what is asked, whether it is allowed, whether there is enough money, the
// upstream's answer, and the bill. Nothing is called before its money is held, and no answer is
// complete before its charge is durable. Waiting costs heap cells and a turn of the event loop (decision 16),
// so what is nearly always known at once is awaited only where it is a promise.
import { clientClosed, Fault, toFault } from "@turnpike/base";
import { faultOfThrown } from "@turnpike/db";
import type { Charged } from "@turnpike/ledger";
import type { UnreadAnswer, UpstreamAnswer, WholeAnswer } from "@turnpike/providers";
import {
  endUserOf,
  nameForCaller,
  namesForCaller,
  type ParsedRequest,
  parseMaxCost,
} from "@turnpike/wire";
import { admitRequest } from "./admission/admit-request.ts";
import { Completion } from "./completion.ts";
import type { Ending } from "./ending/bill-ending.ts";
import type { Answer, Call, Gateway } from "./gateway.ts";
import { type Reserved, reserveMoney } from "./money/reserve-money.ts";
import type { Admission } from "./rates/limit-rates.ts";
import { relayStream } from "./relay/relay-stream.ts";
import { Failover } from "./routing/fail-over.ts";
import { openRoute } from "./routing/open-route.ts";
import { filterByContext, type RoutePlan } from "./routing/plan-routes.ts";
import { completionTiming } from "./server-timing.ts";
import { statedCost } from "./stated-cost.ts";

/**
 * Answers one call, or rejects with the Fault to answer with. A call whose money was held is charged and recorded here,
 * once; what refuses any other is thrown, and recorded where the call ends.
 */
export async function complete<Request extends ParsedRequest>(
  gateway: Gateway,
  call: Call<Request>,
): Promise<Answer> {
  const request = parse(call);
  let completion: Completion<Request> | undefined;
  try {
    // A call that its slices and its lease cover waits for nothing here.
    const { plan, admission: admitting } = admitRequest(gateway, call.principal, request);
    const admission = admitting instanceof Promise ? await admitting : admitting;
    call.record.admission = admission;
    // Takes time in proportion to the prompt, so it comes after the rates.
    const { accountId } = call.principal;
    const fitting = filterByContext(plan, { accountId, signal: call.signal });
    const fits = fitting instanceof Promise ? await fitting : fitting;
    const askedAtMs = performance.now();
    const maxCostNanos = parseMaxCost(call.headers, request.parsed);
    const reserving = reserveMoney(gateway, call, fits, maxCostNanos);
    const reserved = reserving instanceof Promise ? await reserving : reserving;
    completion = start(gateway, { call, request, admission, askedAtMs }, reserved);
    if (call.signal.aborted) throw clientClosed();
    const opening = openAnyRoute(gateway, completion, reserved.plan);
    const { stream } = call.protocol;
    if (request.stream && stream !== undefined) {
      const relayed = await relayStream(gateway, completion, stream, opening);
      return { ...relayed, headers: describeAnswer(completion) };
    }
    const received = receive(gateway, completion, await opening);
    const charged = await completion.endWithin(received.ending);
    const body = await writeWhole(completion, received, charged);
    const headers = { ...describeAnswer(completion), ...statedCost(completion) };
    return { body, headers, sent: undefined };
  } catch (thrown) {
    if (completion !== undefined) throw nameForCaller(await completion.stop(thrown), request);
    // Now, because what ends the call may have to wait before that.
    call.record.admission?.end(0);
    throw nameForCaller(faultOfThrown(thrown), request);
  }
}

/** What is asked. */
function parse<Request extends ParsedRequest>(call: Call<Request>): Request {
  const { form, protocol, text, headers } = call;
  const request =
    form === undefined || protocol.form === undefined
      ? protocol.parse(text, headers)
      : protocol.form.parse(form, text, headers);
  call.slot?.countParsed(request.parsedBytes ?? 0);
  const { facts } = call;
  facts.model = request.model;
  facts.streamed = request.stream;
  facts.endUser = endUserOf(request) ?? null;
  return request;
}

type ParsedCall<Request extends ParsedRequest> = {
  readonly call: Call<Request>;
  readonly request: Request;
  readonly admission: Admission;
  readonly askedAtMs: number;
};

/** Its money is held: from here on the call is a completion, which ends with a charge. */
function start<Request extends ParsedRequest>(
  gateway: Gateway,
  { call, request, admission, askedAtMs }: ParsedCall<Request>,
  { plan, reservation }: Reserved,
): Completion<Request> {
  gateway.metrics.holdPlaced(reservation.hold.grantedNanos);
  const holdMs = performance.now() - askedAtMs;
  call.trace?.part("hold", askedAtMs);
  const { modelRequest, routes } = plan;
  const [route] = routes;
  const started = { call, request, modelRequest, route, admission, reservation, holdMs };
  const completion = new Completion(gateway, started);
  call.record.isRecorded = true;
  call.onHeld?.();
  return completion;
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
  const { call, identity, bill, request } = completion;
  return completion.persistItems(call.protocol.writeWhole(answer.content, identity, bill, request));
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
      authMs: call.record.authMs ?? 0,
      holdMs,
      upstreamMs: upstream.waitMs,
      elapsedMs,
    }),
    "content-type": call.protocol.wholeType?.(request) ?? "application/json",
  };
  if (reservation.maxTokens !== undefined) {
    headers["x-turnpike-max-tokens"] = String(reservation.maxTokens);
  }
  const ignored = namesForCaller(upstream.ignored, request);
  if (ignored.length > 0) headers["x-turnpike-ignored"] = ignored.join(", ");
  if (request.stream && call.protocol.stream !== undefined) {
    const { contentType } = call.protocol.stream;
    headers["content-type"] = typeof contentType === "string" ? contentType : contentType(request);
    headers["cache-control"] = "no-cache, no-transform";
    headers["x-accel-buffering"] = "no";
  }
  for (const name in admission.headers) headers[name] = admission.headers[name] ?? "";
  return headers;
}
