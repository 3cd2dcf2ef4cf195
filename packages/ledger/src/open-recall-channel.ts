// Asks the other instances for idle money of an account, and answers when they ask. Messages travel by
// NOTIFY on a direct connection, never inside a transaction that moves money; one that is lost costs
// the caller a refusal that a second later would have been none, and never money.
import { type AccountId, type InstanceId, parseId } from "@turnpike/base";
import { type Db, listenChannel } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";

const channel = "lease_recalls";

export type RecallChannel = {
  /** Resolves when every other instance has answered, or after `waitMs`. */
  readonly recall: (accountId: AccountId) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type RecallChannelOptions = {
  readonly db: Db;
  /** A connection string without a transaction pooler in between. */
  readonly directUrl: string;
  readonly instanceId: InstanceId;
  /** How many other instances are alive. */
  readonly others: () => number;
  /** Gives idle money of the account back; resolves when that is durable. */
  readonly onRecall: (accountId: AccountId) => Promise<void>;
  readonly waitMs: number;
  readonly log: Log;
};

type Waiting = { left: number; readonly resolve: () => void };

/** Resolves when the channel is open; without one, calls are refused while idle money is elsewhere. */
export async function openRecallChannel(options: RecallChannelOptions): Promise<RecallChannel> {
  const { db, instanceId, log } = options;
  const waiting = new Map<AccountId, Waiting>();

  async function send(kind: "recall" | "returned", accountId: AccountId): Promise<void> {
    await db.execute(sql`select pg_notify(${channel}, ${`${kind} ${accountId} ${instanceId}`})`);
  }

  async function answer(accountId: AccountId): Promise<void> {
    try {
      await options.onRecall(accountId);
      await send("returned", accountId);
    } catch (error) {
      log.warn({ err: error, accountId }, "recall not answered");
    }
  }

  function receive(payload: string): void {
    const [kind, account = "", from] = payload.split(" ");
    const accountId = parseId<AccountId>(account);
    if (accountId === undefined || from === instanceId) return;
    if (kind === "recall") void answer(accountId);
    else if (kind === "returned") countAnswer(waiting.get(accountId));
  }

  const listener = await listenChannel({
    url: options.directUrl,
    channel,
    onMessage: receive,
    onGap: () => undefined,
  }).catch((error: unknown) => {
    log.warn({ err: error }, "idle money of other instances cannot be recalled");
    return undefined;
  });

  return {
    async recall(accountId) {
      const others = options.others();
      if (listener === undefined || others === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, options.waitMs);
      waiting.set(accountId, { left: others, resolve });
      try {
        await send("recall", accountId);
        await promise;
      } catch (error) {
        log.warn({ err: error, accountId }, "recall not sent");
      } finally {
        clearTimeout(timer);
        waiting.delete(accountId);
      }
    },
    async close() {
      await listener?.close();
    },
  };
}

function countAnswer(waiting: Waiting | undefined): void {
  if (waiting === undefined) return;
  waiting.left -= 1;
  if (waiting.left <= 0) waiting.resolve();
}
