// The end of a call: its bill is computed and its hold is charged, once, whatever ended it. Anyone who answers
// the client waits here until the charge is durable, but not forever.
import { type Fault, unwatchDeadline, type Watched, watchDeadline } from "@turnpike/base";
import { type PricedUsage, priceUsage } from "@turnpike/catalog";
import type { Charge, Charged } from "@turnpike/ledger";
import type { CallTrace } from "@turnpike/telemetry";
import type { Bill, TokenUsage } from "@turnpike/wire";
import type { Gateway } from "../gateway.ts";
import type { Admission } from "../rates/limit-rates.ts";
import type { CallProgress } from "../upstream-log.ts";
import type { LeaveBackground } from "./background-calls.ts";
import { type BilledUsage, billEnding, type Ending } from "./bill-ending.ts";
import { describeCharge, statusOf } from "./describe-charge.ts";
import { reportUpstream } from "./report-upstream.ts";

/** A call that ends, and what its end needs. */
export type SettlementStart = {
  readonly gateway: Gateway;
  readonly progress: CallProgress & { readonly admission: Admission };
  readonly ending: Ending;
  /** As the upstream reported it. */
  readonly usage: TokenUsage | undefined;
  /** Of a call that continued without its client. */
  readonly leaveBackground: LeaveBackground | undefined;
};

export class Settlement implements Watched {
  readonly #of: SettlementStart;
  readonly #waiting = Promise.withResolvers<Charged | undefined>();
  readonly dueAtMs: number;
  #isCharged: boolean | undefined;
  #priced: PromiseWithResolvers<boolean> | undefined;
  #bill: Bill | undefined;

  constructor(start: SettlementStart) {
    this.#of = start;
    this.dueAtMs = performance.now() + start.gateway.times.settleWaitMs;
    watchDeadline(this);
  }

  /** Undefined means that the charge is still queued because the database does not respond, or was given up. */
  get charged(): Promise<Charged | undefined> {
    return this.#waiting.promise;
  }

  /** What the account was charged and for what, once that is durable. */
  get bill(): Bill | undefined {
    return this.#bill;
  }

  /**
   * Resolves with whether the call costs something as soon as it is priced, which may take longer than
   * `charged`, and before its charge is durable. Never rejects.
   */
  get isCharged(): Promise<boolean> {
    if (this.#isCharged !== undefined) return Promise.resolve(this.#isCharged);
    this.#priced ??= Promise.withResolvers();
    return this.#priced.promise;
  }

  /** Only the first verdict counts. */
  #setCharged(isCharged: boolean): void {
    this.#isCharged ??= isCharged;
    this.#priced?.resolve(this.#isCharged);
  }

  /** Called once. */
  start(): void {
    const { gateway, progress, ending, usage } = this.#of;
    try {
      reportUpstream(gateway, progress, ending);
      progress.upstream.trace?.end(faultOf(ending)?.code);
      const billing = billEnding(ending, progress, usage);
      if (!(billing instanceof Promise)) this.#charge(billing);
      else {
        const charging = billing.then((billed) => this.#charge(billed));
        charging.catch((error: unknown) => this.#fail(error));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #charge(billed: BilledUsage | undefined): void {
    const { gateway, progress, ending, leaveBackground } = this.#of;
    const usage = billed?.usage;
    const priced = usage && priceUsage(progress.modelRequest, progress.route, usage);
    this.#setCharged((priced?.costNanos ?? 0n) > 0n);
    progress.admission.end(usage === undefined ? 0 : usage.promptTokens + usage.completionTokens);
    gateway.failpoint("before-settle");
    const charge = describeCharge(progress, { ending, billed, priced });
    const { trace } = progress.call;
    const chargedAtMs = trace === undefined ? 0 : performance.now();
    const charging = gateway.ledger.charge(charge);
    if (trace !== undefined) void charging.then(() => trace.part("charge", chargedAtMs), ignore);
    // From here on the ledger is responsible for it, even in a drain.
    leaveBackground?.(billed?.source ?? "none");
    charging.then(
      (charged) => this.#succeed(charged, charge, usage, priced),
      (error: unknown) => this.#fail(error),
    );
  }

  /** The charge is durable. */
  #succeed(
    charged: Charged,
    { hold }: Charge,
    usage: TokenUsage | undefined,
    priced: PricedUsage | undefined,
  ): void {
    const { metrics } = this.#of.gateway;
    const { chargedNanos: costNanos, shortfallNanos } = charged;
    if (usage !== undefined) this.#bill = { usage, costNanos, serviceTier: priced?.serviceTier };
    metrics.countSettled(costNanos);
    if (shortfallNanos > 0n) metrics.countShortfall(shortfallNanos);
    metrics.countSale(hold.request.facts, costNanos);
    this.#end(charged);
  }

  #fail(error: unknown): void {
    const { gateway, progress, leaveBackground } = this.#of;
    const { generationId } = progress.call;
    gateway.log.error({ err: error, generationId }, "hold not settled");
    // Without effect if it was priced.
    progress.admission.end(0);
    // Without a price it keeps its hold, so it counts as charged.
    this.#setCharged(true);
    // Without effect if the ledger had taken it.
    leaveBackground?.("lost");
    this.#end(undefined);
  }

  /** Charged, or given up and left to the reaper: either way the call no longer runs here. */
  #end(charged: Charged | undefined): void {
    const { gateway, progress, ending } = this.#of;
    const { metrics } = gateway;
    const status = statusOf(ending, progress);
    const model = progress.modelRequest.model.id;
    const { outcome } = ending;
    const completedMs = outcome === "completed" ? progress.elapsedMs : undefined;
    metrics.requestEnded({ model, status, outcome, completedMs });
    metrics.holdEnded(progress.reservation.hold.grantedNanos);
    if (progress.call.trace !== undefined) this.#endTrace(progress.call.trace, status);
    this.#endWait(charged);
  }

  #endTrace(trace: CallTrace, status: number): void {
    const { progress, ending } = this.#of;
    trace.end({
      status,
      outcome: ending.outcome,
      error: faultOf(ending)?.code,
      model: progress.modelRequest.model.id,
      provider: progress.route.provider.id,
      promptTokens: this.#bill?.usage.promptTokens,
      completionTokens: this.#bill?.usage.completionTokens,
      finishReason: progress.finish?.reason,
      accountId: progress.call.principal.accountId,
    });
  }

  /** Called by the shared timer: the charge stays queued. */
  checkDeadline(): void {
    this.#endWait(undefined);
  }

  #endWait(charged: Charged | undefined): void {
    unwatchDeadline(this);
    this.#waiting.resolve(charged);
  }
}

function faultOf(ending: Ending): Fault | undefined {
  return ending.outcome === "completed" ? undefined : ending.fault;
}

const ignore = () => undefined;
