// The life of one call after its money is held: what was delivered, what it costs, and the one way
// it ends. However many things end it at once, it is settled once.
import { type Fault, type Nanos, toNanos, zeroNanos } from "@turnpike/base";
import { costOf, estimatePromptTokens, isPossibleUsage, type Model } from "@turnpike/catalog";
import type { RequestAttempt } from "@turnpike/db";
import type { RequestFacts, Settled, Settlement } from "@turnpike/ledger";
import type { ChatRequest, TokenUsage } from "@turnpike/wire";
import type { ChatCall, Gateway, Reservation, Spender } from "./gateway.ts";
import type { Admission } from "./limit-rates.ts";

/** How a call ended. Who pays what for each is the table in docs/billing.md. */
export type Ending =
  | { readonly outcome: "completed" }
  | { readonly outcome: "client_closed" }
  | { readonly outcome: "ended_by_gateway"; readonly fault: Fault }
  | { readonly outcome: "upstream_failed"; readonly fault: Fault };

export type Bill = { readonly usage: TokenUsage; readonly costNanos: Nanos };

type Story = {
  readonly call: ChatCall;
  readonly spender: Spender;
  readonly model: Model;
  readonly chat: ChatRequest;
  readonly admission: Admission;
  readonly reservation: Reservation;
};

export class Exchange {
  readonly story: Story;
  /** Unix seconds, the same in every chunk. */
  readonly created = Math.floor(Date.now() / 1000);
  /** The process's own wish to end this answer, as it was when the answer began. */
  readonly endSignal: AbortSignal;
  readonly #gateway: Gateway;
  readonly #attempts: RequestAttempt[] = [];
  #usage: TokenUsage | undefined;
  #finish: { readonly reason: string; readonly native: string } | undefined;
  #upstreamId: string | undefined;
  #relayedTokens = 0;
  #committed = false;
  #upstreamBegan = false;
  #upstreamWaitMs = 0;
  #askedAtMs: number | undefined;
  #firstByteMs: number | null = null;
  #settled: Promise<Settled> | undefined;
  #endedAtMs = 0;
  #bill: Bill | undefined;

  constructor(gateway: Gateway, story: Story) {
    this.#gateway = gateway;
    this.endSignal = gateway.endSignal();
    this.story = story;
  }

  /** Output tokens handed to the client so far, by our own count. */
  get relayedTokens(): number {
    return this.#relayedTokens;
  }

  /** Whether its end was decided: what is relayed after that would be billed to nobody. */
  get ended(): boolean {
    return this.#settled !== undefined;
  }

  /** How long ago it ended, settled or not. */
  get endedForMs(): number {
    return this.#settled === undefined ? 0 : performance.now() - this.#endedAtMs;
  }

  /** What the account was charged and for what, once that is durable. */
  get bill(): Bill | undefined {
    return this.#bill;
  }

  /** One try at one provider begins. */
  attempting(): void {
    this.#askedAtMs = performance.now();
  }

  /** One try at one provider is over: its status line, or why there was none. */
  attempted(attempt: RequestAttempt, waitedMs: number): void {
    this.#askedAtMs = undefined;
    this.#attempts.push(attempt);
    this.#upstreamWaitMs += waitedMs;
    if (attempt.status !== 200) return;
    this.#upstreamBegan = true;
    this.#firstByteMs = this.elapsedMs();
    this.#gateway.metrics.observeFirstByte(this.#firstByteMs);
    this.#gateway.metrics.observeOverhead(this.#firstByteMs - this.#upstreamWaitMs);
  }

  /** The status line is out, and it said 200. */
  committed(): void {
    this.#committed = true;
  }

  /** The provider's own id of the answer, for questions to its support. */
  named(upstreamId: string | undefined): void {
    this.#upstreamId = upstreamId;
  }

  relayed(tokens: number): void {
    this.#relayedTokens += tokens;
  }

  /** False where the model's context makes `usage` impossible: then it counts as missing. */
  reported(usage: TokenUsage): boolean {
    const { call, chat, model } = this.story;
    if (!isPossibleUsage(model, chat.choices, usage)) {
      const facts = { requestId: call.id, model: model.id, usage };
      this.#gateway.log.warn(facts, "reported usage exceeds the context: tokens counted instead");
      return false;
    }
    this.#usage = usage;
    return true;
  }

  finished(reason: string, native: string): void {
    this.#finish = { reason, native };
  }

  elapsedMs(): number {
    return performance.now() - this.story.call.receivedAtMs;
  }

  /** `Server-Timing` of what is known when the answer begins. */
  serverTiming(authMs: number, holdMs: number): string {
    const waitingMs = this.#askedAtMs === undefined ? 0 : performance.now() - this.#askedAtMs;
    const upstreamMs = this.#upstreamWaitMs + waitingMs;
    const parts = {
      auth: authMs,
      hold: holdMs,
      upstream: upstreamMs,
      gateway: this.elapsedMs() - upstreamMs,
    };
    return Object.entries(parts)
      .map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`)
      .join(", ");
  }

  /**
   * Ends the call: computes its bill and settles its hold. The first ending counts; every later
   * call returns the same promise, which resolves when the settlement is durable.
   */
  end(ending: Ending): Promise<Settled> {
    if (this.#settled === undefined) {
      this.#endedAtMs = performance.now();
      this.#settled = this.#settle(ending);
    }
    return this.#settled;
  }

  async #settle(ending: Ending): Promise<Settled> {
    const { model, reservation, admission } = this.story;
    const { metrics, ledger } = this.#gateway;
    try {
      const usage = await this.#billedUsage(ending);
      const costNanos = usage === undefined ? zeroNanos : costOf(model.price, usage);
      admission.end(usage === undefined ? 0 : usage.promptTokens + usage.completionTokens);
      this.#gateway.failpoint("before-settle");
      const settled = await ledger.settleHold(this.#describe(ending, usage, costNanos));
      if (usage !== undefined) this.#bill = { usage, costNanos: settled.chargedNanos };
      metrics.countSettled(settled.chargedNanos);
      if (settled.shortfallNanos > 0n) metrics.countShortfall(settled.shortfallNanos);
      return settled;
    } finally {
      // Settled, or given up and left to the reaper: either way nothing here runs any more.
      const { outcome } = ending;
      metrics.requestEnded({ model: model.id, status: this.#status(ending), outcome });
      metrics.holdEnded(reservation.grantedNanos);
    }
  }

  /** The exit table: undefined charges nothing. */
  async #billedUsage(ending: Ending): Promise<TokenUsage | undefined> {
    if (this.#usage !== undefined) return this.#usage;
    if (ending.outcome !== "completed" && !this.#upstreamBegan) return undefined;
    const delivered = this.#relayedTokens;
    if ("fault" in ending && delivered === 0) return undefined;
    const counted = await estimatePromptTokens(this.story.model, this.story.chat);
    return {
      promptTokens: Math.min(counted, this.story.model.contextTokens),
      completionTokens: delivered,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    };
  }

  #describe(ending: Ending, usage: TokenUsage | undefined, costNanos: Nanos): Settlement {
    const { call, spender } = this.story;
    return {
      id: call.id,
      accountId: spender.accountId,
      state: costNanos === 0n && ending.outcome !== "completed" ? "released" : "settled",
      costNanos: toNanos(costNanos),
      facts: this.#facts(ending, usage),
    };
  }

  #facts(ending: Ending, usage: TokenUsage | undefined): RequestFacts {
    const last = this.#attempts.at(-1);
    const fault = "fault" in ending ? ending.fault : undefined;
    return {
      promptTokens: usage?.promptTokens ?? 0,
      completionTokens: usage?.completionTokens ?? 0,
      cachedTokens: usage?.cachedTokens ?? 0,
      cacheWriteTokens: usage?.cacheWriteTokens ?? 0,
      reasoningTokens: usage?.reasoningTokens ?? 0,
      usageSource: usage === undefined ? "none" : usage === this.#usage ? "upstream" : "counted",
      maxTokens: this.story.reservation.maxTokens ?? null,
      status: this.#status(ending),
      outcome: ending.outcome,
      errorCode: fault?.code ?? null,
      finishReason: this.#finish?.reason ?? null,
      nativeFinishReason: this.#finish?.native ?? null,
      provider: last?.provider ?? null,
      upstreamId: this.#upstreamId ?? null,
      attempts: this.#attempts,
      firstByteMs: this.#firstByteMs,
      overheadMs: Math.max(0, (this.#firstByteMs ?? this.elapsedMs()) - this.#upstreamWaitMs),
      totalMs: this.elapsedMs(),
    };
  }

  /** What the client saw, or 499 where it did not wait for it. */
  #status(ending: Ending): number {
    if (ending.outcome === "completed") return 200;
    if (ending.outcome === "client_closed") return 499;
    if (this.#committed) return 200;
    return ending.fault.details.status ?? 502;
  }
}
