// How many further attempts a process may make, so that failing providers do not get several times the load
// they fail under: a fifth of its calls, and five a second if there are few. The last part is kept for
// accounts that have made few, so that no caller's failing requests take failover from others.
import type { AccountId } from "@turnpike/base";

const share = 0.2;
const perSecond = 5;
/** What an idle process may spend as a burst. */
const reserve = 50;
const most = 100;
/** Below this only accounts with fewer than `fewPerMinute` attempts in the current minute may spend. */
const keptForFew = reserve / 2;
const fewPerMinute = 5;
const minuteMs = 60_000;
/** With more accounts, the counts start from zero again. */
const accountsMax = 10_000;

export class RetryBudget {
  #attempts = reserve;
  #refilledAtMs: number;
  #minute = -1;
  /** Attempts in the current minute, of accounts that made any. */
  readonly #spentBy = new Map<AccountId, number>();

  constructor(nowMs = performance.now()) {
    this.#refilledAtMs = nowMs;
  }

  /** Called when a call begins. */
  earn(): void {
    if (this.#attempts < most) this.#attempts += share;
  }

  /**
   * Takes one further attempt; false when what the account may use of the budget is used up. An attempt in the place of
   * one that has not failed yet takes nothing of what is kept for calls that have.
   */
  spend(accountId: AccountId, nowMs: number, { isSpare = false } = {}): boolean {
    const earned = ((nowMs - this.#refilledAtMs) / 1_000) * perSecond;
    this.#refilledAtMs = nowMs;
    if (this.#attempts < reserve) this.#attempts = Math.min(reserve, this.#attempts + earned);
    const spent = this.#spentInMinute(accountId, nowMs);
    if (this.#attempts < (spent < fewPerMinute && !isSpare ? 1 : keptForFew + 1)) return false;
    this.#attempts -= 1;
    this.#spentBy.set(accountId, spent + 1);
    return true;
  }

  #spentInMinute(accountId: AccountId, nowMs: number): number {
    const minute = Math.floor(nowMs / minuteMs);
    if (minute !== this.#minute || this.#spentBy.size >= accountsMax) this.#spentBy.clear();
    this.#minute = minute;
    return this.#spentBy.get(accountId) ?? 0;
  }
}
