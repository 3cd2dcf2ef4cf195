// Asks the other instances for idle money of an account, and answers when they ask. Messages travel by
// NOTIFY, never inside a transaction that moves money, except that `post_movement` recalls what it takes
// from an account. A lost message can refuse a call that would be
// admitted a second later; it never costs money.
import { type AccountId, type InstanceId, parseId } from "@turnpike/base";
import type { Db, Listener } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";

export const recallChannelName = "lease_recalls";

export type RecallChannel = {
  /** Resolves when every other instance that has a lease of the account has answered, or after `waitMs`. */
  readonly recall: (accountId: AccountId) => Promise<void>;
};

export type RecallChannelOptions = {
  readonly db: Db;
  /** Closed by its owner. */
  readonly listener: Listener;
  readonly instanceId: InstanceId;
  /** Returns idle money of the account; resolves when that is durable. */
  readonly onRecall: (accountId: AccountId) => Promise<void>;
  readonly waitMs: number;
  readonly log: Log;
};

/** The instances that a recall waits for, and those that answered: perhaps before the first were known. */
type Waiting = {
  holders: readonly string[] | undefined;
  readonly answered: Set<string>;
  readonly resolve: () => void;
};

/** Resolves when LISTEN was confirmed or failed; until it works, idle money elsewhere is not found. */
export async function openRecallChannel(options: RecallChannelOptions): Promise<RecallChannel> {
  const { db, instanceId, log } = options;
  const waiting = new Map<AccountId, Waiting>();

  const notify = (...message: readonly string[]) =>
    sql`pg_notify(${recallChannelName}, ${message.join(" ")})`;

  /** Asks all, since any may reserve money of the account next; resolves with those that have some now. */
  async function ask(accountId: AccountId): Promise<readonly string[]> {
    const [row] = await db.execute<{ holders: string | null }>(sql`
      select ${notify("recall", accountId, instanceId)},
             (select string_agg(distinct instance_id::text, ' ') from leases
               where account_id = ${accountId} and closed_at is null
                 and instance_id <> ${instanceId}) as holders`);
    return row?.holders?.split(" ") ?? [];
  }

  async function answer(accountId: AccountId, asker: string): Promise<void> {
    try {
      await options.onRecall(accountId);
      await db.execute(sql`select ${notify("returned", accountId, instanceId, asker)}`);
    } catch (error) {
      log.warn({ err: error, accountId }, "recall not answered");
    }
  }

  function receive(payload: string): void {
    const [kind, account = "", from = "", asker] = payload.split(" ");
    const accountId = parseId<AccountId>(account);
    if (accountId === undefined || from === instanceId) return;
    if (kind === "recall") void answer(accountId, from);
    else if (kind === "returned" && asker === instanceId) countAnswer(waiting.get(accountId), from);
  }

  let listening = true;
  try {
    await options.listener.subscribe(recallChannelName, {
      onMessage: receive,
      onReconnect: () => {
        listening = true;
      },
    });
  } catch (error) {
    listening = false;
    log.warn({ err: error }, "idle money of other instances cannot be recalled");
  }

  return {
    async recall(accountId) {
      if (!listening) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, options.waitMs);
      const own: Waiting = { holders: undefined, answered: new Set(), resolve };
      waiting.set(accountId, own);
      try {
        own.holders = await ask(accountId);
        resolveIfComplete(own);
        await promise;
      } catch (error) {
        log.warn({ err: error, accountId }, "recall not sent");
      } finally {
        clearTimeout(timer);
        waiting.delete(accountId);
      }
    },
  };
}

function countAnswer(waiting: Waiting | undefined, from: string): void {
  if (waiting === undefined) return;
  waiting.answered.add(from);
  resolveIfComplete(waiting);
}

function resolveIfComplete({ holders, answered, resolve }: Waiting): void {
  if (holders?.every((id) => answered.has(id))) resolve();
}
