// Calls the upstream of a model and remembers how it went. One attempt at the first route; the call
// is aborted when the process has to end its answers, and when its client leaves and its cost can be seen.
import { chatIdOf, toFault } from "@turnpike/base";
import { callUpstream, type UpstreamAnswer } from "@turnpike/providers";
import type { Exchange } from "./completion.ts";
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
        chatId: chatIdOf(call.generationId),
        publicModel: model.id,
        created: exchange.created,
      },
      {
        endSignal: exchange.endSignal,
        client: { signal: call.signal, runsOn: () => exchange.clientLeft() },
        onAccepted: () => exchange.accepted(),
        limits: chat.stream ? gateway.limits.stream : gateway.limits.whole,
        allowPrivate: gateway.allowPrivateUpstreams,
      },
    );
    const waitedMs = performance.now() - startedAtMs;
    exchange.answered({ ...attempt, status: 200, firstByteMs: waitedMs, error: null }, waitedMs);
    exchange.named(answer.upstreamId);
    return answer;
  } catch (thrown) {
    const fault = toFault(thrown);
    const waitedMs = performance.now() - startedAtMs;
    const status = fault.details.upstreamStatus ?? 0;
    const failed = { ...attempt, status, firstByteMs: null, error: fault.code };
    exchange.refused(failed, waitedMs, fault);
    throw fault;
  }
}
