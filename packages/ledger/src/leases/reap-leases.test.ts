// Leases of processes that ended or went silent: others close them at what was charged, once, and
// charges that still arrive are late.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type InstanceId, newId } from "@turnpike/base";
import type { Hold } from "../hold.ts";
import type { Ledger } from "../open-ledger.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";

const silentMs = 60_000;
const round = { silentMs, limit: 100 };

let books: TestBooks;
let principal: Principal;
beforeAll(async () => {
  books = await openTestBooks();
});
beforeEach(async () => {
  principal = await books.newPrincipal(1_000_000n);
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

async function call(ledger: Ledger, want: bigint, cost: bigint): Promise<Hold> {
  const hold = grantOf(await ledger.hold(holdOf(principal, want)));
  await ledger.charge(chargeOf(hold, cost));
  return hold;
}

/** A hold of a separate process, whose last beat was this long ago. */
async function holdOfProcess(silentForMs: number, ended = false) {
  const instanceId = newId<InstanceId>();
  await books.owner.sql`
    insert into instances (id, heartbeat_at, ended_at)
    values (${instanceId}, now() - ${silentForMs}::int * interval '1 millisecond',
            ${ended ? new Date().toISOString() : null})`;
  const ledger = books.openLedger({ instanceId });
  return { ledger, instanceId, hold: grantOf(await ledger.hold(holdOf(principal, 100n))) };
}

/** Several rounds if the account is locked. */
async function reapUntil(reaper: Ledger, count: number): Promise<void> {
  let reaped = 0;
  while (reaped < count) reaped += await reaper.reapLeases(round);
  expect(reaped).toBe(count);
}

test("leases of silent, ended and unknown processes are closed, those of live ones are not", async () => {
  const ledger = books.openLedger();
  const silent = await holdOfProcess(silentMs + 5_000);
  const ended = await holdOfProcess(0, true);
  const unknown = await holdOfProcess(0);
  await books.owner.sql`delete from instances where id = ${unknown.instanceId}`;
  const live = await holdOfProcess(silentMs - 30_000);
  await reapUntil(ledger, 3);
  const open = (await books.leases(principal.accountId)).filter(
    (lease) => lease.closed_at === null,
  );
  expect(open.map((lease) => lease.id)).toEqual([live.hold.lease.id]);
  expect(await ledger.reapLeases(round)).toBe(0);
  for (const { ledger: own, hold } of [silent, ended, unknown]) {
    const late = await own.charge(chargeOf(hold, 60n));
    expect(late).toMatchObject({ verdict: "late_settled", chargedNanos: 60n });
  }
  await live.ledger.charge(chargeOf(live.hold, 1n));
});

test("a closed lease records how many calls it had finished, and they stay charged", async () => {
  const { ledger, instanceId } = await holdOfProcess(0);
  await call(ledger, 100n, 30n);
  await call(ledger, 100n, 20n);
  await books.owner.sql`update instances set ended_at = now() where id = ${instanceId}`;
  await reapUntil(books.openLedger(), 1);
  expect(await books.leases(principal.accountId)).toMatchObject([{ calls: 2, spent_nanos: "50" }]);
  expect(await books.money(principal.accountId)).toMatchObject({ balance: 999_950n, held: 0n });
});

test("two concurrent reapers close a lease once; a charge at the same moment is never lost", async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { ledger, instanceId, hold } = await holdOfProcess(0);
    await books.owner.sql`update instances set ended_at = now() where id = ${instanceId}`;
    const [charged] = await Promise.all([
      ledger.charge(chargeOf(hold, 30n)),
      books.openLedger().reapLeases(round),
      books.openLedger().reapLeases(round),
    ]);
    expect(["settled", "late_settled"]).toContain(charged.verdict);
    expect(charged.chargedNanos as bigint).toBe(30n);
    await ledger.drain(60_000);
  }
  expect(await books.money(principal.accountId)).toMatchObject({ balance: 999_700n, held: 0n });
});

test("a locked account waits for the next round, the others do not", async () => {
  const locked = await holdOfProcess(0, true);
  const lockedAccount = principal.accountId;
  principal = await books.newPrincipal(1_000n);
  const free = await holdOfProcess(0, true);
  const reaper = books.openLedger();
  await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${lockedAccount} for update`;
    await reapUntil(reaper, 1);
  });
  await reapUntil(reaper, 1);
  await locked.ledger.charge(chargeOf(locked.hold, 1n));
  await free.ledger.charge(chargeOf(free.hold, 1n));
});

test("one lease that cannot be closed does not keep the others open", async () => {
  const dead = await Promise.all(Array.from({ length: 7 }, () => holdOfProcess(0, true)));
  await books.owner.sql.unsafe(
    `alter table leases add constraint stuck check (id <> '${dead[3]?.hold.lease.id}' or closed_at is null)`,
  );
  const reaper = books.openLedger();
  await reapUntil(reaper, 6);
  const [stuck] = (await books.leases(principal.accountId)).filter((l) => l.closed_at === null);
  expect(stuck?.id).toBe(dead[3]?.hold.lease.id);
  await books.owner.sql`alter table leases drop constraint stuck`;
  await reapUntil(reaper, 1);
});

test.each([0, 1, 2])(
  "the number of closed leases is exact if lease %i of three cannot be closed",
  async (at) => {
    const dead = [];
    for (let index = 0; index < 3; index += 1) dead.push(await holdOfProcess(0, true));
    const stuck = String(dead[at]?.hold.lease.id);
    await books.owner.sql.unsafe(
      `alter table leases add constraint stuck check (id <> '${stuck}' or closed_at is null)`,
    );
    const reaper = books.openLedger();
    const open = async () =>
      (await books.leases(principal.accountId)).filter((lease) => lease.closed_at === null);
    let reaped = 0;
    while ((await open()).length > 1) reaped += await reaper.reapLeases(round);
    expect(reaped).toBe(2);
    await books.owner.sql`alter table leases drop constraint stuck`;
    await reapUntil(reaper, 1);
  },
);

test("a process whose heartbeat lapsed grants nothing from what it had reserved", async () => {
  const ledger = books.openLedger();
  const hold = await call(ledger, 1_000n, 700n);
  ledger.retireLeases();
  const next = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  expect(next.lease.id).not.toBe(hold.lease.id);
  await ledger.charge(chargeOf(next, 1n));
});
