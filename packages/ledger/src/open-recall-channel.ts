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
  /** Resolves when every other instance has answered, or after `waitMs`. */
  readonly recall: (accountId: AccountId) => Promise<void>;
};

export type RecallChannelOptions = {
  readonly db: Db;
  /** Closed by its owner. */
  readonly listener: Listener;
  readonly instanceId: InstanceId;
  /** How many other instances are alive. */
  readonly others: () => number;
  /** Returns idle money of the account; resolves when that is durable. */
  readonly onRecall: (accountId: AccountId) => Promise<void>;
  readonly waitMs: number;
  readonly log: Log;
};

type Waiting = { left: number; readonly resolve: () => void };

/** Resolves when LISTEN was confirmed or failed; until it works, idle money elsewhere is not found. */
export async function openRecallChannel(options: RecallChannelOptions): Promise<RecallChannel> {
  const { db, instanceId, log } = options;
  const waiting = new Map<AccountId, Waiting>();

  async function send(...message: readonly string[]): Promise<void> {
    await db.execute(sql`select pg_notify(${recallChannelName}, ${message.join(" ")})`);
  }

  async function answer(accountId: AccountId, asker: string): Promise<void> {
    try {
      await options.onRecall(accountId);
      await send("returned", accountId, instanceId, asker);
    } catch (error) {
      log.warn({ err: error, accountId }, "recall not answered");
    }
  }

  function receive(payload: string): void {
    // An instance of an older version names no asker; its answer may be for this one.
    const [kind, account = "", from = "", asker = instanceId] = payload.split(" ");
    const accountId = parseId<AccountId>(account);
    if (accountId === undefined || from === instanceId) return;
    if (kind === "recall") void answer(accountId, from);
    else if (kind === "returned" && asker === instanceId) countAnswer(waiting.get(accountId));
  }

  let listening = true;
  try {
    await options.listener.subscribe(recallChannelName, {
      onMessage: receive,
      onGap: () => {
        listening = true;
      },
    });
  } catch (error) {
    listening = false;
    log.warn({ err: error }, "idle money of other instances cannot be recalled");
  }

  return {
    async recall(accountId) {
      const others = options.others();
      if (!listening || others === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, options.waitMs);
      waiting.set(accountId, { left: others, resolve });
      try {
        await send("recall", accountId, instanceId);
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

function countAnswer(waiting: Waiting | undefined): void {
  if (waiting === undefined) return;
  waiting.left -= 1;
  if (waiting.left <= 0) waiting.resolve();
}
