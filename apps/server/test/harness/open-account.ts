// An account with money and a key, created by the same functions that an operator uses, and the state of
// its money in the database.
import { createAccount } from "@turnpike/accounts";
import { type AccountId, type ApiKeyId, newId, type PersonId } from "@turnpike/base";
import { type KeyLimits, mintApiKey } from "@turnpike/keys";
import { postMovement } from "@turnpike/ledger";
import { type Nanos, parseNanos, parseUsd } from "@turnpike/terms";
import type { TestServer, TestSite } from "./start-test-server.ts";

export type TestAccount = {
  readonly id: AccountId;
  readonly personId: PersonId;
  readonly email: string;
  readonly keyId: ApiKeyId;
  readonly key: string;
};

export type AccountOptions = {
  /** Default `"10"`; `"0"` opens an account without money. */
  readonly usd?: string;
  readonly limits?: KeyLimits;
};

type Place = Pick<TestSite, "owner">;

export async function openAccount(
  { owner }: Place,
  options: AccountOptions = {},
): Promise<TestAccount> {
  const { db } = owner;
  const email = `${newId<PersonId>()}@example.com`;
  const { accountId, personId } = await createAccount(db, { email });
  const { limits } = options;
  const minted = await mintApiKey(db, {
    accountId,
    createdBy: personId,
    name: "Test",
    ...(limits && { limits }),
  });
  const account = { id: accountId, personId, email, keyId: minted.id, key: minted.key };
  const usd = options.usd ?? "10";
  if (usd !== "0") await topUp({ owner }, accountId, usd);
  return account;
}

/** `usd` is a decimal string, exact to the nano-dollar. */
export async function topUp({ owner }: Place, accountId: AccountId, usd: string): Promise<void> {
  const amountNanos = parseUsd(usd);
  if (amountNanos === undefined) throw new Error(`not an amount: ${usd}`);
  await postMovement(owner.db, {
    accountId,
    amountNanos,
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: `test:${newId<AccountId>()}`,
    reason: "test",
    actor: "test",
  });
}

/** Balance, and what running calls hold: idle leases of a server in this process are recalled first. */
export async function readMoney(
  { owner, services }: Place & Partial<Pick<TestServer, "services">>,
  accountId: AccountId,
): Promise<{ balanceNanos: Nanos; heldNanos: Nanos }> {
  await services?.ledger.recall(accountId);
  const [row] = await owner.sql<{ balance: string; held: string }[]>`
    select balance_nanos::text as balance, held_nanos::text as held
      from account_money where account_id = ${accountId}`;
  if (row === undefined) throw new Error(`there is no account ${accountId}`);
  return { balanceNanos: parseNanos(row.balance), heldNanos: parseNanos(row.held) };
}
