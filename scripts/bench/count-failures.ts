// Counts the calls of one measurement that failed, by reason, so that one refused call of thousands is
// reported with its reason instead of ending the measurement.
import { isRefusal } from "./connect-http.ts";

/** With more failed calls, the figures would be those of another load. */
const shareMax = 0.01;
const reasonsMax = 3;
const reasonLengthMax = 200;

export class Failures {
  /** Calls answered with an error: they cost nothing. */
  refused = 0;
  /** Calls without a whole answer: what they cost is unknown. */
  broken = 0;
  readonly #reasons = new Map<string, { count: number; first: string }>();

  get total(): number {
    return this.refused + this.broken;
  }

  add(error: unknown): void {
    if (isRefusal(error)) this.refused += 1;
    else this.broken += 1;
    const message = messageOf(error);
    // What follows the colon differs in each call, as ids do; but each bound of a process is a reason of its own.
    const bound = /briefly overloaded: [^.]+/.exec(message)?.[0] ?? "";
    this.#count(`${message.split(": ")[0]} ${bound}`, 1, message);
  }

  merge(other: Failures): void {
    this.refused += other.refused;
    this.broken += other.broken;
    for (const [reason, { count, first }] of other.#reasons) this.#count(reason, count, first);
  }

  areTooMany(calls: number): boolean {
    return this.total > calls * shareMax;
  }

  /** Undefined if none of the `calls` failed. */
  describe(calls: number, noun: "calls" | "streams"): string | undefined {
    if (this.total === 0) return undefined;
    const reasons = [...this.#reasons.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, reasonsMax)
      .map(({ count, first }) => `${count} × ${first.slice(0, reasonLengthMax)}`);
    return `${this.total} of ${calls} ${noun} failed: ${reasons.join("; ")}`;
  }

  #count(reason: string, count: number, first: string): void {
    const counted = this.#reasons.get(reason);
    if (counted === undefined) this.#reasons.set(reason, { count, first });
    else counted.count += count;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
