// The arithmetic of what is reserved in advance, of money and of rates alike: what callers needed lately says how much is
// reserved beside the need of a call, and little is left where the need of one is a large part of it. The functions
// `acquire_leases` and `take_rates` decide by the same numbers (`head_start`).

/** Less than so many times its need is left: then exactly the need is reserved, and what is not used is returned at once. */
const nearlyEmptyBelow = 32;

export function isNearlyEmpty(left: number | bigint, need: number | bigint): boolean {
  return typeof need === "bigint"
    ? left < BigInt(nearlyEmptyBelow) * need
    : left < nearlyEmptyBelow * need;
}

/** What was needed within about the last `windowMs`; older needs fade out evenly. */
export class Demand {
  readonly #windowMs: number;
  #amount = 0;
  #atMs: number;

  constructor(windowMs: number, nowMs: number) {
    this.#windowMs = windowMs;
    this.#atMs = nowMs;
  }

  add(need: number, nowMs: number): void {
    this.#amount = this.at(nowMs) + need;
    this.#atMs = nowMs;
  }

  /** The head start that it suggests. */
  at(nowMs: number): number {
    const faded = 1 - (nowMs - this.#atMs) / this.#windowMs;
    return faded > 0 ? this.#amount * faded : 0;
  }
}
