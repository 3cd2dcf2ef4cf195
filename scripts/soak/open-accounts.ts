// The callers of a soak: accounts with much money, with almost none, with limited keys, and accounts whose
// money an operator moves. What was moved is kept here, so that balances can be checked from outside.
import { createAccount } from "@turnpike/accounts";
import type { AccountId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type KeyLimits, mintApiKey, noLimits } from "@turnpike/keys";
import { postMovement } from "@turnpike/ledger";
import { nanosPerUsd, toNanos } from "@turnpike/terms";

export type AccountKind = "rich" | "poor" | "limited" | "moved";

export type SoakAccount = {
  readonly kind: AccountKind;
  readonly id: AccountId;
  /** Changes every round for `limited` accounts. */
  key: string;
  /** Everything that was paid in, less what was taken out. */
  movedNanos: bigint;
  movements: number;
};

const openedWithNanos = {
  rich: 1_000n * nanosPerUsd,
  poor: 200_000n,
  limited: 100n * nanosPerUsd,
  moved: 100_000_000n,
} as const satisfies Record<AccountKind, bigint>;

/** By weight: calls choose among these evenly. */
const kinds: readonly AccountKind[] = [
  "rich",
  "rich",
  "rich",
  "rich",
  "rich",
  "moved",
  "moved",
  "limited",
  "poor",
];

/** What a limited key may spend. */
export const keyLimitNanos = 2_000_000n;

export function openAccounts(db: Db): Promise<readonly SoakAccount[]> {
  return Promise.all(kinds.map((kind, nth) => openAccount(db, kind, nth)));
}

async function openAccount(db: Db, kind: AccountKind, nth: number): Promise<SoakAccount> {
  const { accountId: id } = await createAccount(db, { email: `soak-${nth}@turnpike.local` });
  const account = { kind, id, key: "", movedNanos: 0n, movements: 0 };
  await renewKey(db, account);
  await moveMoney(db, account, openedWithNanos[kind]);
  return account;
}

/** Gives the account another key, with limits if it is a `limited` one. */
export async function renewKey(db: Db, account: SoakAccount): Promise<void> {
  const limits: KeyLimits =
    account.kind === "limited"
      ? { spendLimitNanos: { total: toNanos(keyLimitNanos) }, concurrency: 8 }
      : noLimits;
  const { key } = await mintApiKey(db, {
    accountId: account.id,
    createdBy: undefined,
    name: "Soak",
    limits,
  });
  account.key = key;
}

/** Posts one movement; repeated under the same key until the database says that it is posted. */
export async function moveMoney(db: Db, account: SoakAccount, nanos: bigint): Promise<void> {
  account.movements += 1;
  const movement = {
    accountId: account.id,
    amountNanos: toNanos(nanos),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: `soak:${account.id}:${account.movements}`,
    reason: "Soak",
    actor: "soak",
  } as const;
  await persist(() => postMovement(db, movement));
  account.movedNanos += nanos;
}

const tryAgainMs = 200;

/** Repeats what is safe to repeat while the database is away. */
export async function persist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 300) throw error;
      await Bun.sleep(tryAgainMs);
    }
  }
}
