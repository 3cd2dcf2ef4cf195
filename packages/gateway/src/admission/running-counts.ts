// Running counts by owner, such as the bytes of an account. An owner whose count is 0 is not remembered.
import type { AccountId, ApiKeyId } from "@turnpike/base";

export class RunningCounts<Id extends string> {
  readonly #counts = new Map<Id, number>();

  of(id: Id): number {
    return this.#counts.get(id) ?? 0;
  }

  add(id: Id, amount: number): void {
    const count = this.of(id) + amount;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }
}

export type Owners = { readonly accountId: AccountId; readonly keyId: ApiKeyId | null };

/** Concurrent requests, by owner. */
export class ConcurrentCalls {
  readonly accounts = new RunningCounts<AccountId>();
  readonly keys = new RunningCounts<ApiKeyId>();

  /** Adds one request, or takes it away. */
  add({ accountId, keyId }: Owners, one: 1 | -1): void {
    this.accounts.add(accountId, one);
    if (keyId !== null) this.keys.add(keyId, one);
  }
}
