// Sends one batch of leases to the SQL function `release_leases`: headroom that is returned to its
// account, and leases that end with one ledger transaction each.
import type { AccountId, ApiKeyId, InstanceId, LeaseId } from "@turnpike/base";
import { arrayLiteral, elementsOf, type Sql } from "@turnpike/db";
import { parseNanos } from "@turnpike/terms";

export type Release = {
  readonly accountId: AccountId;
  readonly leaseId: LeaseId;
  readonly keyId: ApiKeyId | null;
  /**
   * `return`: at most `amountNanos` of its headroom. `keep`: all its headroom but `amountNanos`. `close`: the
   * lease ends and returns all it has.
   */
  readonly kind: ReleaseKind;
  readonly amountNanos: bigint;
};

export type ReleaseKind = "return" | "keep" | "close";

/** What `p_close` of the function says. */
const closes = { return: false, keep: null, close: true } satisfies Record<
  ReleaseKind,
  boolean | null
>;

export type Released = {
  readonly verdict: "released" | "closed" | "already" | "missing" | "busy";
  /** What was returned to the account. */
  readonly amountNanos: bigint;
};

const statement = `select verdicts::text, amounts::text
  from release_leases($1, $2, $3, $4, $5, $6)`;

/**
 * Returns answers in the order of `releases`; `busy` if an account or key was locked. Throws if a lease
 * is named twice.
 */
export async function releaseLeases(
  sql: Sql,
  releases: readonly Release[],
  options: { readonly instanceId: InstanceId },
): Promise<Released[]> {
  const [row] = await sql.unsafe<{ verdicts: string; amounts: string }[]>(
    statement,
    [
      options.instanceId,
      arrayLiteral(releases.map((release) => release.accountId)),
      arrayLiteral(releases.map((release) => release.leaseId)),
      arrayLiteral(releases.map((release) => release.keyId)),
      arrayLiteral(releases.map((release) => release.amountNanos)),
      arrayLiteral(releases.map((release) => closes[release.kind])),
    ],
    { prepare: true },
  );
  if (row === undefined) throw new Error("the function returned no row");
  const amounts = elementsOf(row.amounts);
  return elementsOf<Released["verdict"]>(row.verdicts).map((verdict, index) => ({
    verdict,
    amountNanos: parseNanos(amounts[index] ?? ""),
  }));
}
