// Returns what leases of this process no longer need: headroom of idle and of nearly empty ones, and
// everything of those that ended. One statement at a time, which waits for no locked account, so that no
// account delays another. After a lost answer a lease keeps what its calls hold, until they end.
import type { AccountId, ApiKeyId, Failpoint, InstanceId } from "@turnpike/base";
import { type Log, startInterval } from "@turnpike/telemetry";
import type { BoundedConnection } from "../batches/bounded-connection.ts";
import { ledgerTimes } from "../ledger-bounds.ts";
import { belongsTo, headroomOf, type Lease } from "./lease.ts";
import type { LeaseBook } from "./lease-book.ts";
import { type Released, type ReleaseKind, releaseLeases } from "./release-leases.ts";

export type SweeperOptions = {
  readonly connection: BoundedConnection;
  readonly instanceId: InstanceId;
  readonly book: LeaseBook;
  readonly log: Log;
  readonly failpoint: Failpoint;
};

export type Sweeper = {
  /** Returns what is due, except for locked accounts: a later sweep returns that. */
  readonly sweep: () => Promise<void>;
  /**
   * Returns what is due, and tries again while the account of `id`, or of all, is locked. Resolves
   * at the latest after `ledgerTimes.lockMs` and one statement.
   */
  readonly sweepLocked: (id?: AccountId | ApiKeyId) => Promise<void>;
  /** Sweeps soon, without waiting for it. */
  readonly poke: () => void;
  /** Closes every lease nothing holds; false while one of those is still open. */
  readonly closeAll: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

const sweepEveryMs = 500;
const batchMax = 128;
/** Between two attempts to return money of a locked account that a call waits for. */
const busyPauseMs = 10;

export function openSweeper(options: SweeperOptions): Sweeper {
  const { book, connection, log } = options;
  let running: Promise<Busy> | undefined;
  let next: Promise<Busy> | undefined;
  let stopped = false;

  async function runRound(): Promise<Busy> {
    const busy = new Set<Lease>();
    const items = takeDue(book);
    for (let from = 0; from < items.length; from += batchMax) {
      const locked = await release(connection, options, items.slice(from, from + batchMax));
      for (const lease of locked) busy.add(lease);
    }
    return busy;
  }

  function start(): Promise<Busy> {
    next = undefined;
    running = runRound().finally(() => {
      running = undefined;
    });
    return running;
  }

  /**
   * The running round may have missed what this call is for, so it waits for the next one but no
   * longer.
   */
  function sweep(): Promise<Busy> {
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running.then(start, start);
    return next;
  }

  /**
   * Tries again instead of waiting for the lock: a statement that waits would occupy the connection, and
   * a recall of another account would wait with it. Not cut off at `recallMs`: the call that asked needs
   * the same lock for its next attempt, so giving up early would save it nothing and refuse it with 402
   * although there is enough money. Leases that become due meanwhile do not prolong it.
   */
  async function sweepLocked(id?: AccountId | ApiKeyId): Promise<void> {
    const endsAtMs = performance.now() + ledgerTimes.lockMs;
    let left = [...(await sweep())].filter((lease) => belongsTo(lease, id));
    while (left.length > 0 && !stopped && performance.now() < endsAtMs) {
      await Bun.sleep(busyPauseMs);
      const busy = await sweep();
      left = left.filter((lease) => busy.has(lease));
    }
  }

  const loop = startInterval(
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
    async sweep() {
      await sweep();
    },
    sweepLocked,
    poke: () => void sweep(),
    async closeAll() {
      book.retireAll();
      await sweep();
      return !book.isClosable();
    },
    async stop() {
      stopped = true;
      await loop.stop();
      while ((next ?? running) !== undefined) await (next ?? running);
    },
  };
}

/** Leases that are still to be returned because their account or key is locked. */
type Busy = ReadonlySet<Lease>;

type Item = {
  readonly lease: Lease;
  readonly kind: ReleaseKind;
  readonly amountNanos: bigint;
  /** What is set aside meanwhile, so that it is neither granted nor returned again. */
  readonly asideNanos: bigint;
  readonly recalled: boolean;
  /** As the database knows it, or less, when the statement is sent. */
  readonly spentNanos: bigint;
  readonly sentAtMs: number;
};

/** For so long after its answer was lost, a statement may still run. */
const lostMs = 10_000;

/** What is due, set aside so that no call is granted from it meanwhile. */
function takeDue(book: LeaseBook): Item[] {
  const due = book.due();
  const items = [
    ...due.close.map((lease) => describe(book, lease, "close", 0n)),
    ...due.release.map((lease) => describe(book, lease, "return", headroomOf(lease))),
    ...due.keep.map((lease) => describe(book, lease, "keep", lease.heldNanos)),
  ];
  // By account: a batch locks few of them, and acquisitions find the others free.
  items.sort((a, b) => (a.lease.accountId < b.lease.accountId ? -1 : 1));
  for (const { lease, asideNanos, kind } of items) {
    if (kind === "close") book.beginClose(lease);
    else lease.releasing = true;
    // What an acquisition under way adds to it is to be returned, too.
    lease.recalled &&= lease.pendingCount > 0;
    lease.heldNanos += asideNanos;
  }
  return items;
}

function describe(book: LeaseBook, lease: Lease, kind: ReleaseKind, amountNanos: bigint): Item {
  const asideNanos = kind === "return" ? amountNanos : 0n;
  const { recalled, spentNanos } = lease;
  return { lease, kind, amountNanos, asideNanos, recalled, spentNanos, sentAtMs: book.nowMs() };
}

/** Resolves with those that are locked. */
async function release(
  connection: BoundedConnection,
  { book, instanceId, log, failpoint }: SweeperOptions,
  items: readonly Item[],
): Promise<Lease[]> {
  const releases = items.map(({ lease, kind, amountNanos }) => ({
    accountId: lease.accountId,
    leaseId: lease.id,
    keyId: lease.keyId,
    kind,
    amountNanos,
  }));
  let answers: readonly Released[] | undefined;
  try {
    answers = await connection.run((sql) => {
      const pending = releaseLeases(sql, releases, { instanceId });
      failpoint("release-sent");
      return pending;
    });
    failpoint("release-committed");
  } catch (error) {
    log.warn({ err: error, leases: items.length }, "leases not released; trying again");
  }
  const busy: Lease[] = [];
  for (const [index, item] of items.entries()) {
    const verdict = answers === undefined ? "lost" : (answers[index]?.verdict ?? "busy");
    applyRelease(book, item, verdict);
    if (verdict === "busy") busy.push(item.lease);
  }
  return busy;
}

function applyRelease(book: LeaseBook, item: Item, verdict: Released["verdict"] | "lost"): void {
  const { lease, kind, asideNanos } = item;
  lease.releasing = false;
  lease.heldNanos -= asideNanos;
  if (kind === "close" && (verdict === "busy" || verdict === "lost")) book.retryClose(lease);
  if (verdict === "busy") {
    lease.recalled ||= item.recalled;
    return;
  }
  if (verdict === "lost") {
    if (kind === "return") book.lose(lease);
  } else if (kind === "close") book.forget(lease);
  else if (verdict !== "released") {
    lease.lostAtMs = 0;
    book.retire(lease);
  } else if (kind === "return") lease.grantedNanos -= item.amountNanos;
  else keepOnly(item);
}

/**
 * The least it may still be granted: what calls spent that ended since it was sent is perhaps not included. It grants
 * nothing more, so only its close needs the rest.
 */
function keepOnly({ lease, amountNanos, spentNanos, sentAtMs }: Item): void {
  lease.grantedNanos = spentNanos + amountNanos;
  if (sentAtMs - lease.lostAtMs > lostMs) lease.lostAtMs = 0;
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
