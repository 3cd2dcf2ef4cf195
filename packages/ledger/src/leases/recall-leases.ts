// Has every instance return what its leases reserved in advance for an account, before money is taken from it:
// what remains reserved then is what running calls may cost. It belongs to no instance, so that an
// operator's command can recall as well as a server. An instance that does not answer costs no money: what
// it reserved stays off the account.
import { type AccountId, type InstanceId, newId } from "@turnpike/base";
import { type Db, type Listener, openListener, type Subscriber } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";
import { ledgerTimes } from "../ledger-bounds.ts";
import { recallChannelName } from "./open-recall-channel.ts";

export type RecallOptions = {
  readonly db: Db;
  /** Of a direct connection, not through a transaction pooler. */
  readonly directUrl: string;
  readonly log: Log;
  /** Default `ledgerTimes.recallBeforeTakingMs`. */
  readonly waitMs?: number;
};

/**
 * Resolves when every live instance has answered, or after `waitMs`; never rejects. Until shortly after that,
 * leases of the account reserve nothing in advance.
 */
export async function recallLeases(options: RecallOptions, accountId: AccountId): Promise<void> {
  const { db, log, waitMs = ledgerTimes.recallBeforeTakingMs } = options;
  let listener: Listener | undefined;
  try {
    await stopReserving(db, accountId);
    const waiting = await listHolders(db, accountId);
    if (waiting.size === 0) return;
    const asker = newId<InstanceId>();
    listener = openListener({ url: options.directUrl });
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    try {
      await listener.subscribe(
        recallChannelName,
        removeAnswering(waiting, { accountId, asker, resolve }),
      );
      await db.execute(
        sql`select pg_notify(${recallChannelName}, ${`recall ${accountId} ${asker}`})`,
      );
      await answered;
    } finally {
      clearTimeout(timer);
    }
    if (waiting.size > 0) log.warn({ accountId, instances: [...waiting] }, "recall not answered");
  } catch (error) {
    log.warn({ err: error, accountId }, "leases not recalled before money is taken");
  } finally {
    await listener?.close();
  }
}

/** Acquisitions wait for the same lock: those before this one are in `leases`, later ones are exact. */
async function stopReserving(db: Db, accountId: AccountId): Promise<void> {
  const forMs = 5 * ledgerTimes.recallBeforeTakingMs;
  await db.execute(sql`
    update accounts set recalled_until = clock_timestamp() + ${forMs}::int * interval '1 millisecond'
     where id = ${accountId}`);
}

/** Live instances with a lease of the account. */
async function listHolders(db: Db, accountId: AccountId): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select distinct i.id from leases l join instances i on i.id = l.instance_id
     where l.account_id = ${accountId} and l.closed_at is null and l.granted_nanos > l.spent_nanos
       and i.ended_at is null`);
  return new Set(rows.map(({ id }) => id));
}

type Recall = {
  readonly accountId: AccountId;
  readonly asker: InstanceId;
  readonly resolve: () => void;
};

function removeAnswering(waiting: Set<string>, { accountId, asker, resolve }: Recall): Subscriber {
  return {
    onMessage(payload) {
      const [kind, account, from = "", to] = payload.split(" ");
      if (kind !== "returned" || account !== accountId || to !== asker) return;
      waiting.delete(from);
      if (waiting.size === 0) resolve();
    },
    // Answers may have been lost; the wait is bounded.
    onReconnect: () => undefined,
  };
}
