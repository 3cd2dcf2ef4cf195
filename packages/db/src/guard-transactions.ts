// A database that runs a check at the beginning of each of its transactions, so that no statement of theirs relies on
// what was true earlier. Statements outside of a transaction are not checked.
import type { Db } from "./connect.ts";

export type Guard = {
  /** If it throws, the transaction ends before its work begins. Nested transactions are not checked again. */
  readonly check: (tx: Db) => Promise<void>;
  /** Runs the whole transaction when it is its turn; it holds no connection until then. Default: at once. */
  readonly inTurn?: <Result>(run: () => Promise<Result>) => Promise<Result>;
};

export function guardTransactions(db: Db, { check, inTurn = (run) => run() }: Guard): Db {
  const transaction: Db["transaction"] = (work, config) =>
    inTurn(() =>
      db.transaction(async (tx) => {
        await check(tx);
        return work(tx);
      }, config),
    );
  return inheriting(db, { transaction });
}

/** Guarantees the type: what `own` does not replace is found in `db`, as its prototype. */
function inheriting(db: Db, own: Pick<Db, "transaction">): Db {
  return Object.assign(Object.create(db), own);
}
