// For tests: what an account's money should be, in plain numbers. It does not use SQL or
// leases; the ledger is right when it agrees with this after any sequence of steps.
import { toNanos } from "@turnpike/base";
import type { Charged } from "./hold.ts";

export const periods = ["day", "week", "month", "total"] as const;

export type ModelHold = {
  readonly key: number;
  readonly granted: bigint;
  /** Its process died: its lease was closed, so it holds nothing and is charged late. */
  lost: boolean;
};

type ModelKey = { readonly limit: bigint | undefined; spent: bigint; held: bigint };
type Ask = { key: number; want: bigint; floor: bigint; kind: "clamp" | "exact" | "halve" };

/** Whether a call must be admitted, and the bounds of its hold. */
type Expected = { readonly verdict: string; readonly most: bigint; readonly least: bigint };

export class MoneyModel {
  balance: bigint;
  held = 0n;
  suspended = false;
  readonly #keys: readonly ModelKey[];
  readonly #holds: ModelHold[] = [];

  /** The limit of key 0 is per day, of 1 per week, of 2 per month, of 3 in total. */
  constructor(balance: bigint, limits: readonly (bigint | undefined)[]) {
    this.balance = balance;
    this.#keys = limits.map((limit) => ({ limit, spent: 0n, held: 0n }));
  }

  keyOf(index: number): ModelKey {
    const key = this.#keys[index];
    if (key === undefined) throw new Error(`no key ${index}`);
    return key;
  }

  pick(index: number): ModelHold | undefined {
    return this.#holds[index % Math.max(1, this.#holds.length)];
  }

  /** No call is refused while the money covers it, no matter where it is reserved. */
  decide(ask: Ask): Expected {
    const none = { most: 0n, least: 0n };
    if (this.suspended) return { verdict: "suspended", ...none };
    if (this.balance < this.held) return { verdict: "frozen", ...none };
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
    const hold = { key, granted, lost: false };
    this.held += granted;
    this.keyOf(key).held += granted;
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
    this.keyOf(hold.key).spent += charged;
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

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
