// A token bucket: what may be taken refills evenly, up to the share of one minute that this instance
// may grant. It starts full unless it is known to have less, and a new share never adds to what is in it.

export class RateBucket {
  /** What the owner of the key set, over all instances. */
  readonly limit: number;
  #share: number;
  #level: number;
  #atMs: number;

  constructor(limit: number, share: number, nowMs: number, level = share) {
    this.limit = limit;
    this.#share = share;
    this.#level = Math.min(share, level);
    this.#atMs = nowMs;
  }

  /** What this instance may grant per minute, and as a burst. */
  get share(): number {
    return this.#share;
  }

  /** Instances were added or removed. */
  resize(share: number, nowMs: number): void {
    if (share === this.#share) return;
    this.#level = Math.min(share, this.level(nowMs));
    this.#share = share;
  }

  /** Negative after more was used than had been taken in advance. */
  level(nowMs: number): number {
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#level = Math.min(this.#share, this.#level + (elapsedMs * this.#share) / 60_000);
    this.#atMs += elapsedMs;
    return this.#level;
  }

  take(amount: number, nowMs: number): void {
    this.#level = this.level(nowMs) - amount;
  }

  /** The time until `amount` may be taken. */
  waitMs(amount: number, nowMs: number): number {
    const lacking = amount - this.level(nowMs);
    return lacking <= 0 ? 0 : (lacking * 60_000) / this.#share;
  }

  isFull(nowMs: number): boolean {
    return this.level(nowMs) >= this.#share;
  }

  resetMs(nowMs: number): number {
    return this.waitMs(this.#share, nowMs);
  }
}
