// A limit below the number of instances: every minute it belongs to one of them, which may grant all of it,
// and then to the next one. Nothing refills during a turn and nothing is carried over, so any minute sees at
// most twice the limit, as with a bucket.
import type { ApiKeyId } from "@turnpike/base";
import type { InstanceShare } from "@turnpike/ledger";
import { readIdNumber } from "./share-limit.ts";

const turnMs = 60_000;

export class RateTurn {
  /** What the owner of the key set, over all instances. */
  readonly limit: number;
  readonly #instances: number;
  /** Turns are counted in rounds, of which each begins with the turn of this instance. */
  readonly #place: number;
  #round = 0;
  #left: number;

  constructor(limit: number, id: ApiKeyId, share: InstanceShare) {
    this.limit = limit;
    this.#instances = share.instances;
    this.#place = placeOf(id, share);
    this.#left = limit;
  }

  /** Whether it is still right for this limit and these instances. */
  isOf(limit: number, id: ApiKeyId, share: InstanceShare): boolean {
    return (
      this.limit === limit &&
      this.#instances === share.instances &&
      this.#place === placeOf(id, share)
    );
  }

  /** The most that this instance may grant at once. */
  get share(): number {
    return this.limit;
  }

  /** What may be taken now: nothing outside this instance's turns. */
  level(nowMs: number): number {
    return this.isOpen(nowMs) ? this.#leftIn(this.#roundOf(nowMs)) : 0;
  }

  take(amount: number, nowMs: number): void {
    const round = this.#roundOf(nowMs);
    this.#left = this.#leftIn(round) - amount;
    this.#round = round;
  }

  /** The time until this instance may grant `amount`. */
  waitMs(amount: number, nowMs: number): number {
    if (this.level(nowMs) >= amount) return 0;
    const round = this.#roundOf(nowMs) + 1;
    const lacking = Math.max(0, amount - this.#leftIn(round));
    return this.#startOf(round + Math.ceil(lacking / this.limit)) - nowMs;
  }

  /** Whether a new one would be the same. */
  isFull(nowMs: number): boolean {
    return this.#leftIn(this.#roundOf(nowMs)) >= this.limit;
  }

  resetMs(nowMs: number): number {
    return this.waitMs(this.limit, nowMs);
  }

  /** Whether the present turn is this instance's. If it is not, another instance may grant. */
  isOpen(nowMs: number): boolean {
    return nowMs - this.#startOf(this.#roundOf(nowMs)) < turnMs;
  }

  /** What was used beyond what had been taken in advance is a debt that later turns pay. */
  #leftIn(round: number): number {
    return Math.min(this.limit, this.#left + this.limit * (round - this.#round));
  }

  #roundOf(nowMs: number): number {
    return Math.floor((Math.floor(nowMs / turnMs) + this.#place) / this.#instances);
  }

  #startOf(round: number): number {
    return (round * this.#instances - this.#place) * turnMs;
  }
}

function placeOf(id: ApiKeyId, { instances, rank }: InstanceShare): number {
  return (rank + readIdNumber(id)) % instances;
}
