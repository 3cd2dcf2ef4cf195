// What an operator does while calls run: small top-ups of accounts that are nearly empty, and top-ups, refunds
// and suspensions of others. At its end no account is suspended.
import type { Db } from "@turnpike/db";
import { resumeAccount, suspendAccount } from "@turnpike/keys";
import { moveMoney, persist, type SoakAccount } from "./open-accounts.ts";
import type { Random } from "./random.ts";

const everyMs = 400;

/** Continues until `isOver`. */
export async function operateAccounts(
  db: Db,
  accounts: readonly SoakAccount[],
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  const ofKind = (kind: SoakAccount["kind"]) => accounts.filter((account) => account.kind === kind);
  const poor = ofKind("poor");
  const moved = ofKind("moved");
  while (!isOver()) {
    await Bun.sleep(random.between(0, 2 * everyMs));
    const account = moved[random.between(0, moved.length - 1)];
    const empty = poor[random.between(0, poor.length - 1)];
    if (empty !== undefined) await moveMoney(db, empty, BigInt(random.between(1, 60_000)));
    if (account === undefined) continue;
    if (random.chance(0.2)) {
      await persist(() => suspendAccount(db, account.id));
      await Bun.sleep(random.between(0, 500));
      await persist(() => resumeAccount(db, account.id));
    } else if (random.chance(0.4)) {
      // What it leaves may not cover the holds: the account is frozen until the next top-up.
      await moveMoney(db, account, -BigInt(random.between(1, 60_000_000)));
    } else await moveMoney(db, account, BigInt(random.between(1, 60_000_000)));
  }
}
