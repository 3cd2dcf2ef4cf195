// Gives back what leases of this process no longer need: headroom of idle and of exact ones, and
// everything of those that ended. One statement at a time; a lost answer is settled by the lease's close.
import type { AccountId, ApiKeyId, Failpoint, InstanceId } from "@turnpike/base";
import { every, type Log } from "@turnpike/telemetry";
import type { BoundedConnection } from "./bounded-connection.ts";
import { headroomOf, type Lease, type LeaseBook } from "./lease-book.ts";
import { type Released, releaseLeases } from "./release-leases.ts";

export type SweeperOptions = {
  readonly connection: BoundedConnection;
  readonly instanceId: InstanceId;
  readonly book: LeaseBook;
  readonly log: Log;
  readonly failpoint: Failpoint;
};

export type Sweeper = {
  /** Gives back what is due; waits for locked accounts where `wait` says so, else leaves them for later. */
  readonly sweep: (options?: { readonly wait: boolean }) => Promise<void>;
  /** Soon, without waiting for it. */
  readonly poke: () => void;
  /** Closes every lease nothing holds; false while one of those is still open. */
  readonly closeAll: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

const sweepEveryMs = 500;
const batchMax = 128;

export function openSweeper(options: SweeperOptions): Sweeper {
  const { book, connection, log } = options;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let waitNext = false;

  async function runRound(): Promise<void> {
    const wait = waitNext;
    waitNext = false;
    const items = takeDue(book);
    for (let from = 0; from < items.length; from += batchMax) {
      await release(connection, options, items.slice(from, from + batchMax), wait);
    }
  }

  function start(): Promise<void> {
    next = undefined;
    running = runRound().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** The round under way may have missed what this call is for, so it gets the one after it and no later. */
  function sweep({ wait } = { wait: false }): Promise<void> {
    waitNext ||= wait;
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running.then(start, start);
    return next;
  }

  const loop = every(
    sweepEveryMs,
    async () => {
      try {
        await recallStopped(connection, options);
      } finally {
        await sweep();
      }
    },
    { job: "release leases", log },
  );
  return {
    sweep,
    poke: () => void sweep(),
    async closeAll() {
      book.retireAll();
      await sweep();
      return !book.isClosable();
    },
    async stop() {
      await loop.stop();
      while ((next ?? running) !== undefined) await (next ?? running);
    },
  };
}

type Item = {
  readonly lease: Lease;
  readonly amountNanos: bigint;
  readonly close: boolean;
  readonly recalled: boolean;
};

/** What is due, set aside so that no call is granted from it meanwhile. */
function takeDue(book: LeaseBook): Item[] {
  const due = book.due();
  const items = [
    ...due.close.map((lease) => describe(lease, { close: true })),
    ...due.release.map((lease) => describe(lease, { close: false })),
  ];
  for (const { lease, amountNanos } of items) {
    lease.releasing = true;
    lease.recalled = false;
    lease.heldNanos += amountNanos;
  }
  return items;
}

function describe(lease: Lease, { close }: { readonly close: boolean }): Item {
  return { lease, amountNanos: close ? 0n : headroomOf(lease), close, recalled: lease.recalled };
}

async function release(
  connection: BoundedConnection,
  { book, instanceId, log, failpoint }: SweeperOptions,
  items: readonly Item[],
  wait: boolean,
): Promise<void> {
  const releases = items.map(({ lease, amountNanos, close }) => ({
    accountId: lease.accountId,
    leaseId: lease.id,
    keyId: lease.keyId,
    amountNanos,
    close,
  }));
  let answers: readonly Released[] | undefined;
  try {
    answers = await connection.run((sql) => {
      const pending = releaseLeases(sql, releases, { instanceId, wait });
      failpoint("release-sent");
      return pending;
    });
    failpoint("release-committed");
  } catch (error) {
    log.warn({ err: error, leases: items.length }, "leases not released; trying again");
  }
  for (const [index, item] of items.entries()) {
    applyRelease(book, item, answers === undefined ? "lost" : answers[index]?.verdict);
  }
}

function applyRelease(
  book: LeaseBook,
  { lease, amountNanos, close, recalled }: Item,
  verdict: Released["verdict"] | "lost" | undefined,
): void {
  lease.releasing = false;
  lease.heldNanos -= amountNanos;
  if (verdict === undefined || verdict === "busy") {
    lease.recalled ||= recalled;
    return;
  }
  if (verdict === "lost") {
    // The database may have taken it back or not: only the lease's close is certain.
    lease.unsure ||= !close;
    book.retire(lease);
  } else if (close) book.forget(lease);
  else if (verdict === "released") lease.grantedNanos -= amountNanos;
  else book.retire(lease);
}

/** Suspended, frozen or revoked elsewhere: what is reserved for them must not be granted any more. */
async function recallStopped(
  connection: BoundedConnection,
  { book, instanceId }: SweeperOptions,
): Promise<void> {
  if (book.size === 0) return;
  const stopped = await connection.run(
    (sql) => sql<{ id: AccountId | ApiKeyId }[]>`
      select a.id from accounts a
       where (a.frozen_at is not null or a.suspended_at is not null)
         and exists (select from leases l where l.account_id = a.id and l.closed_at is null
                      and l.instance_id = ${instanceId} and l.granted_nanos > l.spent_nanos)
      union all
      select k.id from api_keys k
       where k.changed_at > now() - interval '1 day' and k.revoked_at <= now()
         and exists (select from leases l where l.account_id = k.account_id and l.key_id = k.id
                      and l.closed_at is null and l.instance_id = ${instanceId}
                      and l.granted_nanos > l.spent_nanos)`,
  );
  for (const { id } of stopped) book.recall(id);
}
