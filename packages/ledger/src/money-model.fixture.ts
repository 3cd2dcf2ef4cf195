// For tests: what an account's money should be, in plain numbers. It does not use SQL or
// leases; the ledger is right when it agrees with this after any sequence of steps.
import { toNanos } from "@turnpike/terms";
import type { Charged } from "./hold.ts";

export const periods = ["day", "week", "month", "total"] as const;

type Period = (typeof periods)[number];

export type ModelHold = {
  readonly key: number;
  readonly granted: bigint;
  /** How many midnights had passed: in the periods of today it counts only on its own day. */
  readonly day: number;
  /** Its process died: its lease was closed, so it holds nothing and is charged late. */
  lost: boolean;
};

type Sums = Record<Period, bigint>;
type ModelKey = { readonly limit: bigint | undefined; readonly spent: Sums; readonly held: Sums };
type Ask = { key: number; want: bigint; floor: bigint; kind: "clamp" | "exact" | "halve" };

/** Whether a call must be admitted, and the bounds of its hold. */
type Expected = { readonly verdict: string; readonly most: bigint; readonly least: bigint };

export class MoneyModel {
  balance: bigint;
  /** How far below zero the balance may go. */
  creditLimit = 0n;
  held = 0n;
  suspended = false;
  #today = 0;
  readonly #keys: readonly ModelKey[];
  readonly #holds: ModelHold[] = [];

  /** The limit of key 0 is per day, of 1 per week, of 2 per month, of 3 in total. */
  constructor(balance: bigint, limits: readonly (bigint | undefined)[]) {
    this.balance = balance;
    const nothing = { day: 0n, week: 0n, month: 0n, total: 0n };
    this.#keys = limits.map((limit) => ({ limit, spent: { ...nothing }, held: { ...nothing } }));
  }

  keyOf(index: number): ModelKey {
    const key = this.#keys[index];
    if (key === undefined) throw new Error(`no key ${index}`);
    return key;
  }

  pick(index: number): ModelHold | undefined {
    return this.#holds[index % Math.max(1, this.#holds.length)];
  }

  get isFrozen(): boolean {
    return this.balance + this.creditLimit < this.held;
  }

  /** False if it is refused: less than what is used of it. An account that is frozen already stays so. */
  setCreditLimit(limit: bigint): boolean {
    if (this.balance + limit < this.held && !this.isFrozen) return false;
    this.creditLimit = limit;
    return true;
  }

  /** No call is refused while the money covers it, no matter where it is reserved. */
  decide(ask: Ask): Expected {
    const none = { most: 0n, least: 0n };
    if (this.suspended) return { verdict: "suspended", ...none };
    if (this.isFrozen) return { verdict: "frozen", ...none };
    const left = this.#left(ask.key);
    const floor = min(ask.floor, ask.want);
    const most = ask.kind === "halve" ? max(left / 2n, min(left, floor)) : left;
    const granted = min(ask.want, most);
    if (granted < floor) return { verdict: this.#refusal(ask.key, floor), ...none };
    if (ask.kind === "exact" && granted < ask.want) return { verdict: "clamped", ...none };
    // A lease in memory covers a whole call, whereas the database would have halved.
    const whole = ask.kind === "halve" ? min(ask.want, left) : granted;
    return { verdict: "held", most: whole, least: granted };
  }

  hold(key: number, granted: bigint): ModelHold {
    const hold = { key, granted, day: this.#today, lost: false };
    this.held += granted;
    this.#count(this.keyOf(key).held, granted, this.#today);
    this.#holds.push(hold);
    return hold;
  }

  /** What the answer should be. How much of a late charge is left depends on what others hold by then. */
  charge(
    hold: ModelHold,
    cost: bigint,
    state: "settled" | "released",
    answered: bigint,
  ): Partial<Charged> {
    const most = min(cost, hold.granted);
    const charged = hold.lost ? min(most, this.#left(hold.key)) : most;
    if (!hold.lost) this.#release(hold);
    this.#holds.splice(this.#holds.indexOf(hold), 1);
    this.balance -= charged;
    // A late charge is made by a lease of its own, today.
    this.#count(this.keyOf(hold.key).spent, charged, hold.lost ? this.#today : hold.day);
    if (hold.lost && answered !== charged) throw new Error(`late: ${answered}, not ${charged}`);
    return {
      verdict: state === "settled" && hold.lost ? "late_settled" : state,
      chargedNanos: toNanos(charged),
      shortfallNanos: toNanos(cost - charged),
    };
  }

  lose(hold: ModelHold): void {
    if (hold.lost) return;
    this.#release(hold);
    hold.lost = true;
  }

  /** Today begins in another day, week and month than everything that was spent and held so far. */
  passMidnight(): void {
    this.#today += 1;
    for (const { spent, held } of this.#keys) {
      for (const sums of [spent, held]) Object.assign(sums, { day: 0n, week: 0n, month: 0n });
    }
  }

  #release(hold: ModelHold): void {
    this.held -= hold.granted;
    this.#count(this.keyOf(hold.key).held, -hold.granted, hold.day);
  }

  #count(sums: Sums, amount: bigint, day: number): void {
    for (const period of periods) {
      if (period === "total" || day === this.#today) sums[period] += amount;
    }
  }

  #left(index: number): bigint {
    return max(min(this.balance + this.creditLimit - this.held, this.#leftOfKey(index)), 0n);
  }

  #leftOfKey(index: number): bigint {
    const { limit, spent, held } = this.keyOf(index);
    const period = periods[index];
    if (limit === undefined || period === undefined) return this.balance + this.creditLimit;
    return limit - spent[period] - held[period];
  }

  #refusal(index: number, least: bigint): string {
    const left = this.balance + this.creditLimit - this.held;
    if (this.keyOf(index).limit !== undefined && this.#leftOfKey(index) < left) {
      return `key_${periods[index]}`;
    }
    return this.balance + this.creditLimit >= least ? "in_flight" : "balance";
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
