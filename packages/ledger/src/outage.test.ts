// A database that accepts no writes is noticed by the charges themselves, although heartbeats succeed: nothing
// more is admitted until one charge has been written.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { releaseLeases } from "./leases/release-leases.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
} from "./open-test-books.fixture.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}

/** Every insert into `requests` fails with this SQLSTATE until it is ended. */
async function refuseInserts(code: string): Promise<() => Promise<void>> {
  const { sql } = books.owner;
  await sql.unsafe(`
    create function refuse_insert() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '${code}'; end $$;
    create trigger refuse_insert before insert on requests for each row execute function refuse_insert()`);
  return async () => {
    await sql.unsafe("drop trigger refuse_insert on requests; drop function refuse_insert()");
  };
}

test("a full disk that only charges notice is an outage until a charge has been written", async () => {
  let failures = 0;
  const onFailure = () => {
    failures += 1;
  };
  const ledger = books.openLedger({ onFailure });
  const principal = await books.newPrincipal(1_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
  expect(ledger.outage()).toBeUndefined();
  const free = await refuseInserts("53100");
  const charged = ledger.charge(chargeOf(hold, 5n));
  await until(() => ledger.outage() !== undefined);
  expect(ledger.outage()).toEqual({ kind: "full", reason: "the database's disk is full" });
  expect(failures).toBeGreaterThan(0);
  await free();
  expect(await charged).toMatchObject({ verdict: "settled" });
  expect(ledger.outage()).toBeUndefined();
  await ledger.drain(60_000);
  expect(await books.check()).toEqual([]);
});

test("a full disk that only late charges notice is an outage, too", async () => {
  const ledger = books.openLedger();
  const principal = await books.newPrincipal(1_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
  const close = { ...principal, leaseId: hold.lease.id, amountNanos: 0n, kind: "close" as const };
  await releaseLeases(books.app.sql, [close], { instanceId: books.instanceId });
  const free = await refuseInserts("53100");
  const charged = ledger.charge(chargeOf(hold, 5n));
  await until(() => ledger.outage() !== undefined);
  expect(ledger.outage()).toMatchObject({ kind: "full" });
  await free();
  expect(await charged).toMatchObject({ verdict: "late_settled" });
  expect(ledger.outage()).toBeUndefined();
  await ledger.drain(60_000);
  expect(await books.check()).toEqual([]);
});

test("a charge that its own values make impossible is no outage", async () => {
  const ledger = books.openLedger();
  const principal = await books.newPrincipal(1_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
  const allow = await refuseInserts("22003");
  const given = await ledger.charge(chargeOf(hold, 5n)).catch((error: unknown) => error);
  await allow();
  expect(given).toBeInstanceOf(Error);
  expect(ledger.outage()).toBeUndefined();
  await ledger.drain(60_000);
  expect(await books.check()).toEqual([]);
});
