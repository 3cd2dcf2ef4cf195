// The place of a request whose body is being read. The request counts for its key and its account, its bytes for its
// account.
import type { AccountId } from "@turnpike/base";
import type { Owners, Places, Sums } from "./sums.ts";
import { noHeaders, tooFast } from "./too-fast.ts";

const bodyMebibytesMax = 256;
/** Of the bodies of one account that this instance reads and parses at the same time. */
const bodyBytesMax = bodyMebibytesMax * 1024 * 1024;

export class BodyPlace {
  readonly #owners: Owners;
  readonly #reading: Places;
  readonly #bodyBytes: Sums<AccountId>;
  #isReading = true;
  #hasLeft = false;
  #bytes = 0;

  constructor(owners: Owners, reading: Places, bodyBytes: Sums<AccountId>, bytes: number) {
    this.#owners = owners;
    this.#reading = reading;
    this.#bodyBytes = bodyBytes;
    this.resize(bytes);
    reading.add(owners, 1);
  }

  get accountId(): AccountId {
    return this.#owners.accountId;
  }

  /** Counts the body as `bytes` large. Throws `rate_limit_exceeded` where that is too much for its account. */
  resize(bytes: number): void {
    if (this.#hasLeft) return;
    const more = bytes - this.#bytes;
    if (more > 0 && this.#bodyBytes.of(this.accountId) + more > bodyBytesMax) {
      const limit = `${bodyMebibytesMax} MiB of request bodies at once`;
      throw tooFast("account", limit, { ms: 1_000, isShorterElsewhere: false }, noHeaders);
    }
    this.#bodyBytes.add(this.accountId, more);
    this.#bytes = bytes;
  }

  /** For a body that is read and waits: it no longer counts among those being read, but its bytes still count. */
  endReading(): void {
    if (this.#isReading) this.#reading.add(this.#owners, -1);
    this.#isReading = false;
  }

  /** Before the call is admitted or when it ends; only the first call counts. */
  leave(): void {
    this.endReading();
    this.resize(0);
    this.#hasLeft = true;
  }
}
