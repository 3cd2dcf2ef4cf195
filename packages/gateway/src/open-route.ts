// Calls the upstream of a call's route and records how it went. One attempt; it is aborted when the
// process has to end its answers, and when its client leaves and its cost is known without the end.
import { toFault } from "@turnpike/base";
import type { ModelRequest } from "@turnpike/catalog";
import type { RequestAttempt } from "@turnpike/db";
import { callUpstream, type UpstreamAnswer, type UpstreamLimits } from "@turnpike/providers";
import type { ParsedRequest } from "@turnpike/wire";
import type { Completion } from "./completion.ts";
import type { Gateway } from "./gateway.ts";

/** What the upstream did with a call: nothing yet, no answer yet, answered 200, or refused it. */
export type UpstreamState = "not_asked" | "asked" | "accepted" | "refused";

/** The attempts of one call and how long it waited for them. */
export class UpstreamLog {
  readonly attempts: RequestAttempt[] = [];
  state: UpstreamState = "not_asked";
  /** The provider's own id of the answer, for questions to its support. */
  upstreamId: string | undefined;
  #waitedMs = 0;
  #askedAtMs: number | undefined;

  /** How long the call has waited for upstreams so far. */
  get waitMs(): number {
    const waitingMs = this.#askedAtMs === undefined ? 0 : performance.now() - this.#askedAtMs;
    return this.#waitedMs + waitingMs;
  }

  /** The upstream works on something, or may. */
  get isRunning(): boolean {
    return this.state === "asked" || this.state === "accepted";
  }

  /** One attempt at one provider begins. */
  asked(): void {
    this.#askedAtMs = performance.now();
    this.state = "asked";
  }

  /** The upstream answered 200; its first token may be far away. */
  accepted(): void {
    this.state = "accepted";
  }

  /** One attempt at one provider has ended, either way. */
  record(attempt: RequestAttempt, waitedMs: number): void {
    this.#askedAtMs = undefined;
    this.#waitedMs += waitedMs;
    this.attempts.push(attempt);
  }
}

/** Rejects with a Fault; the attempt is on record either way. */
export async function openRoute<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
): Promise<UpstreamAnswer> {
  const { request, route, upstream } = completion;
  const startedAtMs = performance.now();
  const { provider, upstreamModel } = route;
  gateway.failpoint("before-upstream");
  upstream.asked();
  try {
    const answer = await callUpstream(
      {
        provider,
        upstreamModel,
        request,
        maxTokens: completion.reservation.maxTokens,
        coveredTokens: completion.reservation.coveredTokens,
        omittedFields: omittedFields(completion.asked),
        stamp: completion.stamp,
      },
      {
        endSignal: completion.endSignal,
        client: completion,
        limits: limitsOf(gateway, request),
        allowPrivate: gateway.allowPrivateUpstreams,
      },
    );
    const waitedMs = performance.now() - startedAtMs;
    const success = { status: 200, firstByteMs: waitedMs, error: null };
    completion.answered({ provider: provider.id, model: upstreamModel, ...success }, waitedMs);
    upstream.upstreamId = answer.upstreamId;
    return answer;
  } catch (thrown) {
    const fault = toFault(thrown);
    const waitedMs = performance.now() - startedAtMs;
    const status = fault.details.upstreamStatus ?? 0;
    const failure = { status, firstByteMs: null, error: fault.code };
    upstream.record({ provider: provider.id, model: upstreamModel, ...failure }, waitedMs);
    completion.refused(fault);
    throw fault;
  }
}

/**
 * Admitted without the capability, `dimensions` names the model's own length, and a client that asks
 * every model to think gets an answer of one that cannot.
 */
function omittedFields({ operation, model }: ModelRequest): readonly string[] {
  if (operation === "embeddings") {
    return model.capabilities.includes("dimensions") ? [] : ["dimensions"];
  }
  return model.capabilities.includes("reasoning") ? [] : reasoningFields;
}

/** Of translated requests; what a caller of the upstream's own language asks for passes as it is. */
const reasoningFields = ["reasoning", "reasoning_effort"];

function limitsOf({ limits }: Gateway, request: ParsedRequest): UpstreamLimits {
  if (request.operation === "embeddings") return limits.embeddings;
  return request.stream ? limits.stream : limits.whole;
}
