import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type InstanceId, newId } from "@turnpike/base";
import type { HoldRequest } from "./hold.ts";
import type { Ledger } from "./open-ledger.ts";
import {
  grantOf,
  holdOf,
  openTestBooks,
  type Spender,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";

const silentMs = 60_000;
const round = { silentMs, limit: 100 };

let books: TestBooks;
let ledger: Ledger;
let spender: Spender;
beforeAll(async () => {
  books = await openTestBooks();
  ledger = books.openLedger();
});
beforeEach(async () => {
  spender = await books.newSpender(10_000n);
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

/** A hold of a process of its own, with the last beat so long ago. */
async function holdOfProcess(silentForMs: number, ended = false): Promise<HoldRequest> {
  const instanceId = newId<InstanceId>();
  await books.owner.sql`
    insert into instances (id, heartbeat_at, ended_at)
    values (${instanceId}, now() - ${silentForMs}::int * interval '1 millisecond',
            ${ended ? new Date().toISOString() : null})`;
  const hold = holdOf(spender, 100n);
  grantOf(await books.openLedger({ instanceId }).placeHold(hold));
  return hold;
}

async function stateOf(hold: HoldRequest): Promise<unknown> {
  return (await books.row(hold.id))?.state;
}

async function makeOld(hold: HoldRequest): Promise<void> {
  await books.owner
    .sql`update requests set expires_at = now() - interval '1 s' where id = ${hold.id}`;
}

test("holds of silent, ended and unknown processes are ended, those of live ones are not", async () => {
  const silent = await holdOfProcess(silentMs + 5_000);
  const ended = await holdOfProcess(0, true);
  const unknown = await holdOfProcess(0);
  await books.owner.sql`
    delete from instances i using requests r where r.instance_id = i.id and r.id = ${unknown.id}`;
  const live = await holdOfProcess(silentMs - 30_000);
  expect(await ledger.reapHolds(round)).toBe(3);
  expect(await Promise.all([silent, ended, unknown, live].map(stateOf))).toEqual([
    "expired",
    "expired",
    "expired",
    "open",
  ]);
  expect(await books.money(spender.accountId)).toMatchObject({ balance: 10_000n, held: 100n });
  expect(await ledger.reapHolds(round)).toBe(0);
  await ledger.settleHold(settlementOf(live, 1n));
});

test("a hold past its lifetime is ended, whoever placed it", async () => {
  const hold = holdOf(spender, 100n);
  grantOf(await books.openLedger({ holdLifetimeMs: 1 }).placeHold(hold));
  while ((await ledger.reapHolds(round)) === 0) await Bun.sleep(1);
  expect(await stateOf(hold)).toBe("expired");
});

test("two reapers at once end a hold once", async () => {
  const holds = Array.from({ length: 30 }, () => holdOf(spender, 10n));
  await Promise.all(holds.map((hold) => ledger.placeHold(hold)));
  for (const hold of holds) await makeOld(hold);
  const others = [books.openLedger(), books.openLedger(), ledger];
  let reaped = 0;
  while (reaped < holds.length) {
    const counts = await Promise.all(others.map((other) => other.reapHolds(round)));
    reaped += counts.reduce((sum, count) => sum + count, 0);
  }
  expect(reaped).toBe(holds.length);
  expect(await books.money(spender.accountId)).toMatchObject({ balance: 10_000n, held: 0n });
});

test("a settlement and the reaper at once end a hold once, and the cost is never lost", async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const hold = holdOf(spender, 100n);
    grantOf(await ledger.placeHold(hold));
    await makeOld(hold);
    const [settled] = await Promise.all([
      ledger.settleHold(settlementOf(hold, 30n)),
      books.openLedger().reapHolds(round),
    ]);
    expect(["settled", "late_settled"]).toContain(settled.verdict);
    expect(Number(settled.chargedNanos)).toBe(30);
  }
  expect(await books.money(spender.accountId)).toMatchObject({ balance: 9_700n, held: 0n });
});

test("a locked account waits for the next round, the others do not", async () => {
  const other = await books.newSpender(1_000n);
  const [locked, free] = [holdOf(spender, 100n), holdOf(other, 100n)];
  for (const hold of [locked, free]) {
    grantOf(await ledger.placeHold(hold));
    await makeOld(hold);
  }
  await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${spender.accountId} for update`;
    expect(await ledger.reapHolds(round)).toBe(1);
    expect(await stateOf(free)).toBe("expired");
  });
  expect(await ledger.reapHolds(round)).toBe(1);
  expect(await stateOf(locked)).toBe("expired");
});

test("one hold that cannot be ended does not keep the others open", async () => {
  const holds = Array.from({ length: 7 }, () => holdOf(spender, 10n));
  await Promise.all(holds.map((hold) => ledger.placeHold(hold)));
  for (const hold of holds) await makeOld(hold);
  const bad = holds[3];
  await books.owner.sql.unsafe(
    `alter table requests add constraint stuck check (id <> '${bad?.id}' or state = 'open')`,
  );
  expect(await ledger.reapHolds(round)).toBe(6);
  await books.owner.sql`alter table requests drop constraint stuck`;
  expect(await ledger.reapHolds(round)).toBe(1);
});
