// How much memory the request bodies take that this process holds, from their first byte until their calls have
// ended. An account has at most half of it, so that no account alone can keep the others from being served.
import { type AccountId, overloaded } from "@turnpike/base";
import { noHeaders, rateLimitFault } from "../rates/rate-limit-fault.ts";
import { RunningCounts } from "./running-counts.ts";

const mebibyte = 1024 * 1024;
export const defaultBodyMemoryMebibytes = 1024;

export class BodyMemory {
  readonly #mebibytesPerAccount: number;
  readonly #mebibytes: number;
  readonly #ofAccounts = new RunningCounts<AccountId>();
  #bytes = 0;

  constructor(mebibytes = defaultBodyMemoryMebibytes) {
    this.#mebibytes = mebibytes;
    this.#mebibytesPerAccount = mebibytes / 2;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds what a body of the account takes in addition, or, negative, no longer takes. Throws
   * `rate_limit_exceeded` or `overloaded` where there is no room, and adds nothing.
   */
  add(accountId: AccountId, bytes: number): void {
    if (bytes > 0) {
      if (this.#ofAccounts.of(accountId) + bytes > this.#mebibytesPerAccount * mebibyte) {
        const limit = `${this.#mebibytesPerAccount} MiB of memory for request bodies at once`;
        throw rateLimitFault("account", limit, 1_000, noHeaders);
      }
      if (this.#bytes + bytes > this.#mebibytes * mebibyte) throw overloaded("bodies");
    }
    this.#ofAccounts.add(accountId, bytes);
    this.#bytes += bytes;
  }
}
