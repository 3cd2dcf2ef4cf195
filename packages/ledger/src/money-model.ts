// For tests: what an account's money should be, in plain numbers. It knows nothing of SQL; the
// ledger is right when it agrees with this after any sequence of steps.
import { newId, type PriceId, type RequestId, toNanos } from "@turnpike/base";
import type { Settled } from "./hold.ts";

export const periods = ["day", "week", "month", "total"] as const;

export type ModelHold = {
  readonly id: RequestId;
  readonly key: number;
  readonly granted: bigint;
  readonly priceId: PriceId;
  state: "open" | "ended" | "expired";
  charged: bigint;
  shortfall: bigint;
};

type ModelKey = { readonly limit: bigint | undefined; spent: bigint; held: bigint };
type Ask = { key: number; want: bigint; floor: bigint; kind: "clamp" | "exact" | "halve" };

export class MoneyModel {
  balance: bigint;
  held = 0n;
  suspended = false;
  priceId = newId<PriceId>();
  readonly #keys: readonly ModelKey[];
  readonly #holds: ModelHold[] = [];

  /** The limit of key 0 is per day, of 1 per week, of 2 per month, of 3 in all. */
  constructor(balance: bigint, limits: readonly (bigint | undefined)[]) {
    this.balance = balance;
    this.#keys = limits.map((limit) => ({ limit, spent: 0n, held: 0n }));
  }

  get frozen(): boolean {
    return this.balance < this.held;
  }

  keyOf(index: number): ModelKey {
    const key = this.#keys[index];
    if (key === undefined) throw new Error(`no key ${index}`);
    return key;
  }

  pick(index: number): ModelHold | undefined {
    return this.#holds[index % Math.max(1, this.#holds.length)];
  }

  /** What is granted, or the word of the refusal. */
  hold(id: RequestId, ask: Ask): bigint | string {
    if (this.suspended) return "suspended";
    if (this.frozen) return "frozen";
    const left = this.#left(ask.key);
    const least = min(ask.floor, ask.want);
    const most = ask.kind === "halve" ? max(left / 2n, min(left, least)) : left;
    const granted = min(ask.want, most);
    if (granted < least) return this.#refusal(ask.key, least);
    if (ask.kind === "exact" && granted < ask.want) return "clamped";
    this.held += granted;
    this.keyOf(ask.key).held += granted;
    this.#holds.push({
      id,
      key: ask.key,
      granted,
      priceId: this.priceId,
      state: "open",
      charged: 0n,
      shortfall: 0n,
    });
    return granted;
  }

  /** What the answer should be; a cost beyond what may be charged is the shortfall. */
  settle(hold: ModelHold, cost: bigint, state: "settled" | "released"): Settled {
    const late = hold.state === "expired" && state === "settled";
    if (hold.state !== "open" && !late) return answer("already", hold);
    const charged = min(cost, hold.granted);
    hold.charged = late ? min(charged, this.#left(hold.key)) : charged;
    hold.shortfall = cost - hold.charged;
    if (!late) this.#release(hold);
    this.balance -= hold.charged;
    this.keyOf(hold.key).spent += hold.charged;
    hold.state = "ended";
    return answer(late ? "late_settled" : state, hold);
  }

  expire(hold: ModelHold): void {
    this.#release(hold);
    hold.state = "expired";
  }

  #release(hold: ModelHold): void {
    this.held -= hold.granted;
    this.keyOf(hold.key).held -= hold.granted;
  }

  #left(index: number): bigint {
    return max(min(this.balance - this.held, this.#leftOfKey(index)), 0n);
  }

  #leftOfKey(index: number): bigint {
    const key = this.keyOf(index);
    return key.limit === undefined ? this.balance : key.limit - key.spent - key.held;
  }

  #refusal(index: number, least: bigint): string {
    const left = this.balance - this.held;
    if (this.keyOf(index).limit !== undefined && this.#leftOfKey(index) < left) {
      return `key_${periods[index]}`;
    }
    return this.balance >= least ? "in_flight" : "balance";
  }
}

function answer(verdict: Settled["verdict"], hold: ModelHold): Settled {
  return {
    verdict,
    chargedNanos: toNanos(hold.charged),
    shortfallNanos: toNanos(hold.shortfall),
  };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
