// Sums by owner, such as the bytes of an account. An owner whose sum is 0 is not remembered.
import type { AccountId, ApiKeyId } from "@turnpike/base";

export class Sums<Id extends string> {
  readonly #sums = new Map<Id, number>();

  of(id: Id): number {
    return this.#sums.get(id) ?? 0;
  }

  add(id: Id, amount: number): void {
    const sum = this.of(id) + amount;
    if (sum > 0) this.#sums.set(id, sum);
    else this.#sums.delete(id);
  }
}

export type Owners = { readonly accountId: AccountId; readonly keyId: ApiKeyId | null };

/** Concurrent requests, by owner. */
export class Places {
  readonly accounts = new Sums<AccountId>();
  readonly keys = new Sums<ApiKeyId>();

  /** Adds one request, or takes it away. */
  add({ accountId, keyId }: Owners, one: 1 | -1): void {
    this.accounts.add(accountId, one);
    if (keyId !== null) this.keys.add(keyId, one);
  }
}
