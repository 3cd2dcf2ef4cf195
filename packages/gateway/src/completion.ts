// The life of one call after its money is held: what was delivered, who left, and the one way it
// ends. However many things end it at once, it is settled once.
import { type Fault, type Nanos, toFault, zeroNanos } from "@turnpike/base";
import { costOf, isPossibleUsage, type Model } from "@turnpike/catalog";
import type { RequestAttempt } from "@turnpike/db";
import type { Charge, Charged } from "@turnpike/ledger";
import type { UnreadAnswer, WholeAnswer } from "@turnpike/providers";
import type { ChatRequest, TokenUsage } from "@turnpike/wire";
import {
  billEnding,
  type Ending,
  type StoppedEnding,
  shuttingDown,
  type UpstreamState,
} from "./bill-ending.ts";
import { ClientDeparture } from "./client-departure.ts";
import { describeCharge, type EndedCall, statusOf } from "./describe-charge.ts";
import type { ChatCall, Gateway, Reservation, Spender } from "./gateway.ts";
import type { Admission } from "./limit-rates.ts";
import { reportUpstream } from "./report-upstream.ts";

export type Bill = { readonly usage: TokenUsage; readonly costNanos: Nanos };

export type Story = {
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
  #upstream: UpstreamState = "not_asked";
  readonly #departure: ClientDeparture;
  #upstreamWaitMs = 0;
  #askedAtMs: number | undefined;
  #firstByteMs: number | null = null;
  #settled: Promise<Charged> | undefined;
  #endedAtMs = 0;
  #bill: Bill | undefined;

  constructor(gateway: Gateway, story: Story) {
    this.#gateway = gateway;
    this.#departure = new ClientDeparture(gateway.background);
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

  /** The client is gone: true where the upstream call runs to its end all the same. */
  clientLeft(): boolean {
    const isRunning = this.#upstream === "asked" || this.#upstream === "accepted";
    const isBillOpen = this.#usage === undefined && !this.ended;
    return this.#departure.decide(this.story, isRunning && isBillOpen) === "runs_on";
  }

  /** One try at one provider begins. */
  attempting(): void {
    this.#askedAtMs = performance.now();
    this.#upstream = "asked";
  }

  /** The upstream answered 200; its first token may be far away. */
  accepted(): void {
    this.#upstream = "accepted";
  }

  /** One try at one provider failed, before or after it was accepted. */
  refused(attempt: RequestAttempt, waitedMs: number, fault: Fault): void {
    this.#attempted(attempt, waitedMs);
    // Whoever was cut off had no chance to say no.
    const wasCut = this.#departure.decision === "cut" || this.endSignal.aborted;
    const saidNo = fault.details.upstreamStatus !== undefined;
    if (saidNo || (this.#upstream === "asked" && !wasCut)) this.#upstream = "refused";
  }

  /** One try at one provider succeeded: its first token, or its whole answer, is there. */
  answered(attempt: RequestAttempt, waitedMs: number): void {
    this.#attempted(attempt, waitedMs);
    this.#upstream = "accepted";
    this.#firstByteMs = this.elapsedMs();
    this.#gateway.metrics.observeFirstByte(this.#firstByteMs);
    this.#gateway.metrics.observeOverhead(this.#firstByteMs - this.#upstreamWaitMs);
  }

  #attempted(attempt: RequestAttempt, waitedMs: number): void {
    this.#askedAtMs = undefined;
    this.#attempts.push(attempt);
    this.#upstreamWaitMs += waitedMs;
  }

  /** The status line is out, and it said 200. */
  committed(): void {
    this.#committed = true;
  }

  /** The provider's own id of the answer, for questions to its support. */
  named(upstreamId: string | undefined): void {
    this.#upstreamId = upstreamId;
  }

  /** A whole answer is there, or as much of it as was kept for a client that had left. */
  received(answer: WholeAnswer | UnreadAnswer): void {
    const hasUsage = answer.usage !== undefined && this.reported(answer.usage);
    if (answer.kind === "unread") return;
    if (!hasUsage) this.relayed(answer.deliveredTokens);
    this.finished(answer.finishReason, answer.nativeFinishReason);
  }

  relayed(tokens: number): void {
    this.#relayedTokens += tokens;
  }

  /** False where the model's context makes `usage` impossible: then it counts as missing. */
  reported(usage: TokenUsage): boolean {
    const { call, chat, model } = this.story;
    if (!isPossibleUsage(model, chat.choices, usage)) {
      const facts = { generationId: call.generationId, model: model.id, usage };
      this.#gateway.log.warn(facts, "reported usage exceeds the context: tokens counted instead");
      return false;
    }
    this.#usage = usage;
    return true;
  }

  finished(reason: string, native: string): void {
    this.#finish = { reason, native };
  }

  /** How a call ends whose upstream has said everything. */
  endingWhole(): Ending {
    return { outcome: this.#clientHasLeft() ? "client_closed" : "completed" };
  }

  /** How a call ends that `thrown` stopped. */
  endingBy(thrown: unknown): StoppedEnding {
    const clientHasLeft = this.#clientHasLeft();
    if (this.#departure.decision === "cut") return { outcome: "client_closed" };
    const { aborted: endedByUs } = this.endSignal;
    const fault = endedByUs ? shuttingDown() : toFault(thrown);
    if (clientHasLeft) return { outcome: "client_closed", fault };
    return { outcome: endedByUs ? "ended_by_gateway" : "upstream_failed", fault };
  }

  #clientHasLeft(): boolean {
    if (this.story.call.signal.aborted) this.clientLeft();
    return this.#departure.decision !== undefined;
  }

  elapsedMs(): number {
    return performance.now() - this.story.call.receivedAtMs;
  }

  /** How long it has waited for upstreams so far. */
  upstreamMs(): number {
    const waitingMs = this.#askedAtMs === undefined ? 0 : performance.now() - this.#askedAtMs;
    return this.#upstreamWaitMs + waitingMs;
  }

  /**
   * Ends the call: computes its bill and settles its hold. The first ending counts; every later
   * call returns the same promise, which resolves when the settlement is durable.
   */
  end(ending: Ending): Promise<Charged> {
    if (this.#settled === undefined) {
      this.#endedAtMs = performance.now();
      this.#settled = this.#settle(ending);
    }
    return this.#settled;
  }

  async #settle(ending: Ending): Promise<Charged> {
    const { model, reservation, admission } = this.story;
    const { metrics, ledger } = this.#gateway;
    reportUpstream(this.#gateway, this.story, ending, this.#upstream);
    try {
      const billed = await billEnding(ending, {
        ...this.story,
        upstream: this.#upstream,
        reported: this.#usage,
        relayedTokens: this.#relayedTokens,
      });
      const usage = billed?.usage;
      const costNanos = usage === undefined ? zeroNanos : costOf(model.price, usage);
      admission.end(usage === undefined ? 0 : usage.promptTokens + usage.completionTokens);
      this.#gateway.failpoint("before-settle");
      const settling = ledger.charge(this.#describe({ ending, billed, costNanos }));
      // From here on the ledger answers for it, also in a drain.
      this.#departure.ended(billed?.source ?? "none");
      const settled = await settling;
      if (usage !== undefined) this.#bill = { usage, costNanos: settled.chargedNanos };
      metrics.countSettled(settled.chargedNanos);
      if (settled.shortfallNanos > 0n) metrics.countShortfall(settled.shortfallNanos);
      return settled;
    } finally {
      // Settled, or given up and left to the reaper: either way nothing here runs any more.
      this.#departure.ended("lost");
      const { outcome } = ending;
      const status = statusOf(ending, this.#committed);
      metrics.requestEnded({ model: model.id, status, outcome });
      metrics.holdEnded(reservation.hold.grantedNanos);
    }
  }

  #describe(ended: Pick<EndedCall, "ending" | "billed" | "costNanos">): Charge {
    return describeCharge({
      reservation: this.story.reservation,
      ...ended,
      attempts: this.#attempts,
      committed: this.#committed,
      finish: this.#finish,
      upstreamId: this.#upstreamId,
      firstByteMs: this.#firstByteMs,
      upstreamWaitMs: this.#upstreamWaitMs,
      elapsedMs: this.elapsedMs(),
    });
  }
}
