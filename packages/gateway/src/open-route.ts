// Calls the upstream of a model and remembers how it went. One attempt at the first route; the
// call is aborted when the client hangs up or the process has to end its answers.
import { chatIdOf, Fault, toFault } from "@turnpike/base";
import { callUpstream, type UpstreamAnswer } from "@turnpike/providers";
import type { Exchange } from "./exchange.ts";
import type { Gateway } from "./gateway.ts";

/** Rejects with a Fault; the attempt is on record either way. */
export async function openRoute(gateway: Gateway, exchange: Exchange): Promise<UpstreamAnswer> {
  const { call, chat, model, reservation } = exchange.story;
  const [route] = model.routes;
  const startedAtMs = performance.now();
  const attempt = { provider: route.provider.id, model: route.upstreamModel };
  gateway.failpoint("before-upstream");
  exchange.attempting();
  try {
    const answer = await callUpstream(
      {
        provider: route.provider,
        upstreamModel: route.upstreamModel,
        chat,
        maxTokens: reservation.maxTokens,
        chatId: chatIdOf(call.id),
        publicModel: model.id,
        created: exchange.created,
      },
      {
        signals: [call.signal, exchange.endSignal],
        limits: chat.stream ? gateway.limits.stream : gateway.limits.whole,
        allowPrivate: gateway.allowPrivateUpstreams,
      },
    );
    const waitedMs = performance.now() - startedAtMs;
    exchange.attempted({ ...attempt, status: 200, firstByteMs: waitedMs, error: null }, waitedMs);
    exchange.named(answer.upstreamId);
    return answer;
  } catch (thrown) {
    const fault = toFault(thrown);
    const waitedMs = performance.now() - startedAtMs;
    const status = fault.details.upstreamStatus ?? 0;
    exchange.attempted({ ...attempt, status, firstByteMs: null, error: fault.code }, waitedMs);
    throw fault;
  }
}

/** How an exchange ends when `thrown` stopped it. */
export function endingOf(exchange: Exchange, thrown: unknown) {
  if (exchange.story.call.signal.aborted) return { outcome: "client_closed" } as const;
  if (exchange.endSignal.aborted) {
    const fault = new Fault(
      "shutting_down",
      "The gateway is restarting and had to end this answer. What was delivered is billed.",
    );
    return { outcome: "ended_by_gateway", fault } as const;
  }
  return { outcome: "upstream_failed", fault: toFault(thrown) } as const;
}
