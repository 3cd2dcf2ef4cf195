// The life of one call after its money is held: what was delivered, whether its client disconnected, and
// the one way it ends and is billed. However many things end it at the same time, it is charged once.
import { clientClosed, type Fault, toFault } from "@turnpike/base";
import { fitUsage, isPossibleUsage, type ModelRequest, type Route } from "@turnpike/catalog";
import type { RequestAttempt } from "@turnpike/db";
import type { Charged } from "@turnpike/ledger";
import type { FinishWords, UnreadAnswer, UpstreamClient, WholeAnswer } from "@turnpike/providers";
import type { UnitCount } from "@turnpike/terms";
import type { AnswerIdentity, Bill, ParsedRequest, TokenUsage } from "@turnpike/wire";
import type { LeaveBackground } from "./ending/background-calls.ts";
import {
  type Ending,
  isBilledAsDelivered,
  type StoppedEnding,
  shuttingDown,
} from "./ending/bill-ending.ts";
import { Settlement } from "./ending/settlement.ts";
import type { Call, Gateway } from "./gateway.ts";
import { coverCandidate, type Reservation } from "./money/reserve-money.ts";
import type { Admission } from "./rates/limit-rates.ts";
import { identifyAnswer, identifyCandidate } from "./relay/identify-answer.ts";
import type { Candidate } from "./routing/plan-routes.ts";
import { refusalTiming } from "./server-timing.ts";
import { type CallProgress, UpstreamLog } from "./upstream-log.ts";

export type CompletionStart<Request extends ParsedRequest> = {
  readonly call: Call<Request>;
  readonly request: Request;
  readonly modelRequest: ModelRequest;
  readonly route: Route;
  readonly admission: Admission;
  readonly reservation: Reservation;
  /** How long the reservation took. */
  readonly holdMs: number;
};

const completed: Ending = { outcome: "completed" };
const clientLeft: Ending = { outcome: "client_closed" };

export class Completion<Request extends ParsedRequest = ParsedRequest>
  implements CallProgress, UpstreamClient
{
  readonly call: Call<Request>;
  readonly request: Request;
  modelRequest: ModelRequest;
  route: Route;
  reservation: Reservation;
  identity: AnswerIdentity;
  readonly admission: Admission;
  readonly holdMs: number;
  readonly upstream = new UpstreamLog();
  /** Aborts when the process must end its answers; the one in force when the answer began. */
  readonly endSignal: AbortSignal;
  relayedTokens = 0;
  relayedAudioTokens = 0;
  relayedImages = 0;
  relayedUnits: readonly UnitCount[] | undefined;
  usageSoFar: TokenUsage | undefined;
  finish: FinishWords | null = null;
  committed = false;
  firstByteMs: number | null = null;
  readonly #gateway: Gateway;
  #usage: TokenUsage | undefined;
  #departure: "cut" | "continues" | undefined;
  #leaveBackground: LeaveBackground | undefined;
  #settlement: Settlement | undefined;

  constructor(gateway: Gateway, start: CompletionStart<Request>) {
    this.#gateway = gateway;
    this.call = start.call;
    this.request = start.request;
    this.modelRequest = start.modelRequest;
    this.route = start.route;
    this.admission = start.admission;
    this.reservation = start.reservation;
    this.holdMs = start.holdMs;
    this.endSignal = gateway.endSignal.current;
    this.identity = identifyAnswer(start.call, start.request, start.modelRequest, start.route);
  }

  /** The next attempt is made elsewhere. Nothing of the previous one was delivered. */
  switchTo(candidate: Candidate): void {
    this.modelRequest = candidate.modelRequest;
    this.route = candidate.route;
    this.reservation = coverCandidate(this.reservation, candidate);
    this.identity = identifyCandidate(this.identity, this.request, candidate);
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  /** Whether its end was decided: anything relayed after that would not be billed. */
  get ended(): boolean {
    return this.#settlement !== undefined;
  }

  /** Whether another route may answer: not once its client has disconnected, or the process must end its answers. */
  get mayGoElsewhere(): boolean {
    return !this.ended && !this.call.signal.aborted && !this.endSignal.aborted;
  }

  /** Of a call that has ended: whether it costs something. */
  get isCharged(): Promise<boolean> {
    return this.#settlement?.isCharged ?? Promise.resolve(false);
  }

  /** What the account was charged and for what, once that is durable. */
  get bill(): Bill | undefined {
    return this.#settlement?.bill;
  }

  get elapsedMs(): number {
    return performance.now() - this.call.receivedAtMs;
  }

  /**
   * The client has disconnected: true while the upstream call continues without it. A call whose cost is
   * known without its end continues to its status line, which says whether there is anything to bill, and is
   * cut there; every other one continues to its end. If too many do so already, this one is cut and billed
   * by the estimate.
   */
  continuesWithoutClient(): boolean {
    if (this.#departure === undefined) {
      const isBillOpen = this.#usage === undefined && !this.ended;
      if (this.upstream.isRunning && isBillOpen && !this.#isCutNow()) {
        const { accountId } = this.call.principal;
        const { background } = this.#gateway;
        this.#leaveBackground = background.enter(accountId, this.request.raw.length);
      }
      this.#departure = this.#leaveBackground === undefined ? "cut" : "continues";
    } else if (this.#departure === "continues" && this.#isCutNow()) this.#departure = "cut";
    return this.#departure === "continues";
  }

  countAnswer(bytes: number): void {
    this.call.slot?.countAnswer(bytes);
  }

  #isCutNow(): boolean {
    return this.upstream.state === "accepted" && isBilledAsDelivered(this.modelRequest, this.route);
  }

  /** An attempt succeeded: its first token, or its whole answer, is there. */
  answered(attempt: RequestAttempt, waitedMs: number): void {
    this.upstream.record(attempt, waitedMs);
    this.upstream.accepted();
    this.firstByteMs = this.elapsedMs;
    this.#gateway.metrics.observeFirstByte(this.firstByteMs);
    this.#gateway.metrics.observeOverhead(this.firstByteMs - this.upstream.waitMs);
  }

  /** An attempt failed, before or after it was accepted. */
  refused(fault: Fault): void {
    // An upstream that was cut off had no chance to refuse.
    const wasCut = this.#departure === "cut" || this.endSignal.aborted;
    const saidNo = fault.details.upstreamStatus !== undefined;
    const { upstream } = this;
    if (saidNo || (upstream.state === "asked" && !wasCut)) upstream.state = "refused";
  }

  /** A whole answer is there, or as much of it as was kept for a client that had disconnected. */
  received(answer: WholeAnswer | UnreadAnswer): void {
    if (answer.usage !== undefined) this.reported(answer.usage);
    if (answer.kind === "unread") return;
    this.relayedTokens += answer.deliveredTokens;
    this.relayedAudioTokens += answer.deliveredAudioTokens ?? 0;
    this.relayedImages += answer.deliveredImages ?? 0;
    this.relayedUnits = answer.deliveredUnits;
    this.finish = answer.finish;
  }

  /** The upstream's own usage; of several reports the last one counts. A report that lacks what is billed is ignored. */
  reported(usage: TokenUsage): void {
    this.#usage = this.#fitContext(usage) ?? this.#usage;
  }

  /** The last of several reports of a running answer counts. */
  reportedSoFar(usage: TokenUsage): void {
    this.usageSoFar = this.#fitContext(usage) ?? this.usageSoFar;
  }

  #fitContext(usage: TokenUsage): TokenUsage | undefined {
    const { modelRequest, route } = this;
    if (modelRequest.operation === "chat" && isPossibleUsage(modelRequest, usage)) return usage;
    const fitted = fitUsage(modelRequest, route, usage);
    if (fitted?.isClamped !== true) return fitted?.usage;
    const { generationId } = this.call;
    const { id: model, contextTokens } = modelRequest.model;
    const facts = { generationId, model, contextTokens, usage };
    this.#gateway.log.warn(facts, "reported usage exceeds the context: billed up to the context");
    return fitted.usage;
  }

  /** How a call ends whose upstream has finished. */
  endingWhole(): Ending {
    return this.#clientHasLeft() ? clientLeft : completed;
  }

  /** How a call ends that `thrown` stopped: the one mapping of what was thrown to an outcome. */
  endingBy(thrown: unknown): StoppedEnding {
    const clientHasLeft = this.#clientHasLeft();
    if (this.#departure === "cut") return { outcome: "client_closed" };
    const { aborted: endedByUs } = this.endSignal;
    const fault = endedByUs ? shuttingDown(this, this.#usage) : toFault(thrown);
    if (clientHasLeft) return { outcome: "client_closed", fault };
    return { outcome: endedByUs ? "ended_by_gateway" : "upstream_failed", fault };
  }

  #clientHasLeft(): boolean {
    if (this.call.signal.aborted) this.continuesWithoutClient();
    return this.#departure !== undefined;
  }

  /** Ends a call that `thrown` stopped before its answer began; the Fault is what to answer. */
  async stop(thrown: unknown): Promise<Fault> {
    let fault: Fault;
    if (this.ended) fault = toFault(thrown);
    else {
      const ending = this.endingBy(thrown);
      await this.endWithin(ending);
      fault = ending.outcome === "client_closed" ? clientClosed() : ending.fault;
    }
    const timing = { "server-timing": refusalTiming(this.elapsedMs, this.call.record.authMs) };
    const answer = fault.withHeaders({ ...timing, ...this.admission.headers });
    return (await this.isCharged) ? answer.asCharged() : answer;
  }

  /**
   * Ends the call and waits until its charge is durable, but not forever: see `Settlement`. The first ending
   * counts, and however often it is called, the wait is one.
   */
  endWithin(ending: Ending): Promise<Charged | undefined> {
    if (this.#settlement === undefined) {
      this.#settlement = new Settlement({
        gateway: this.#gateway,
        progress: this,
        ending,
        usage: this.#usage,
        leaveBackground: this.#leaveBackground,
      });
      this.#settlement.start();
    }
    return this.#settlement.charged;
  }

  /** Stores what later calls may refer to, and returns what to send instead of `answer`, which is complete. */
  persistItems(answer: string): string | Promise<string> {
    const { protocol, persistItems } = this.call;
    // A client that has disconnected cannot refer to it.
    if (persistItems === undefined || this.#departure !== undefined) return answer;
    return protocol.items?.keeps(this.request) === true ? persistItems(answer) : answer;
  }
}
