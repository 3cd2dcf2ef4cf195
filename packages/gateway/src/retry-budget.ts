// How many further attempts a process may make, so that failing providers do not get several times the load
// they fail under: a fifth of its calls, and five a second where there are few.

const share = 0.2;
const perSecond = 5;
/** What a quiet process may do at once. */
const reserve = 50;
const most = 100;

export class RetryBudget {
  #attempts = reserve;
  #refilledAtMs: number;

  constructor(nowMs = performance.now()) {
    this.#refilledAtMs = nowMs;
  }

  /** A call begins. */
  earn(): void {
    if (this.#attempts < most) this.#attempts += share;
  }

  /** Takes one further attempt; false when the budget is used up. */
  spend(nowMs: number): boolean {
    const earned = ((nowMs - this.#refilledAtMs) / 1_000) * perSecond;
    this.#refilledAtMs = nowMs;
    if (this.#attempts < reserve) this.#attempts = Math.min(reserve, this.#attempts + earned);
    if (this.#attempts < 1) return false;
    this.#attempts -= 1;
    return true;
  }
}
