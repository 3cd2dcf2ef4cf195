// Checks that clients that retry on their own do not call the upstream or pay more often than they should.
import { expectCleanBooks } from "./expect-clean-books.ts";
import type { TestAccount } from "./open-account.ts";
import type { TestServer } from "./start-test-server.ts";

export type CountedCalls = {
  /** Requests that reached the upstream. */
  readonly calls: number;
  /** Nano-dollars of each request that cost something, in order. */
  readonly charges: readonly bigint[];
};

/** Runs `act`, and counts what it caused once all of its calls are settled. */
export async function countCalls(
  server: TestServer,
  account: Pick<TestAccount, "id">,
  act: () => PromiseLike<unknown>,
): Promise<CountedCalls> {
  const chargedBefore = (await readCharges(server, account)).length;
  const callsBefore = server.upstream.requests.length;
  await act();
  await expectCleanBooks(server);
  return {
    calls: server.upstream.requests.length - callsBefore,
    charges: (await readCharges(server, account)).slice(chargedBefore),
  };
}

/** Nano-dollars of the account's latest request, which may have cost nothing. */
export async function readLastCharge(
  { owner }: Pick<TestServer, "owner">,
  { id }: Pick<TestAccount, "id">,
): Promise<bigint> {
  const [row] = await owner.sql<{ charged: string }[]>`
    select charged_nanos::text as charged from requests
    where account_id = ${id} order by id desc limit 1`;
  if (row === undefined) throw new Error("the account has no request");
  return BigInt(row.charged);
}

/** Nano-dollars of every request of the account that cost something, oldest first. */
export async function readCharges(
  { owner }: Pick<TestServer, "owner">,
  { id }: Pick<TestAccount, "id">,
): Promise<readonly bigint[]> {
  const rows = await owner.sql<{ charged: string }[]>`
    select charged_nanos::text as charged from requests
    where account_id = ${id} and charged_nanos > 0 order by id`;
  return rows.map(({ charged }) => BigInt(charged));
}
