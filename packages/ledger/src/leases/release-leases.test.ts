// What closing a lease leaves in the books, for leases of every kind.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { releaseLeases } from "./release-leases.ts";

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

test("a lease without a key, as the playground has, is closed like any other", async () => {
  const ledger = books.openLedger();
  const request = holdOf(principal, 1_000n, {}, { keyId: null, origin: "playground" });
  const hold = grantOf(await ledger.hold(request));
  await ledger.charge(chargeOf(hold, 300n));
  expect(await ledger.drain(60_000)).toBe(true);
  expect(await usageEntries()).toEqual(["-300"]);
  const money = { balance: 999_700n, held: 0n, frozen: false };
  expect(await books.money(principal.accountId)).toEqual(money);
});

test("a lease that spent nothing is closed without a transaction", async () => {
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
  expect(await ledger.drain(60_000)).toBe(true);
  const [lease] = await books.leases(principal.accountId);
  expect(lease).toMatchObject({ granted_nanos: "0", transaction_id: null });
  expect(lease?.closed_at).not.toBeNull();
  expect(await usageEntries()).toEqual([]);
});

test("a lease whose calls cost several times what was held is posted with its whole shortfall", async () => {
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  await ledger.charge(chargeOf(hold, 3_500n));
  expect(await ledger.drain(60_000)).toBe(true);
  expect(await usageEntries()).toEqual(["-1000"]);
});

test.each([20n, 0n])(
  "an account that is frozen only because of what is reserved is free again once %p is left",
  async (left) => {
    const ledger = books.openLedger();
    principal = await books.newPrincipal(1_000n);
    const hold = grantOf(await ledger.hold(holdOf(principal, 900n)));
    await books.move(principal.accountId, -500n);
    expect(await books.money(principal.accountId)).toMatchObject({ balance: 500n, frozen: true });
    await ledger.charge(chargeOf(hold, 500n - left));
    expect(await ledger.drain(60_000)).toBe(true);
    const money = { balance: left, held: 0n, frozen: false };
    expect(await books.money(principal.accountId)).toEqual(money);
  },
);

test("a lease that closes or releases reports exactly what was returned to its account", async () => {
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  await ledger.charge(chargeOf(hold, 300n));
  const [lease] = await books.leases(principal.accountId);
  const headroom = BigInt(String(lease?.granted_nanos)) - 300n;
  const release = {
    ...principal,
    leaseId: hold.lease.id,
    amountNanos: 200n,
    kind: "return" as const,
  };
  const options = { instanceId: books.instanceId };
  const answers = [];
  for (const next of [release, { ...release, kind: "close" as const }, release]) {
    answers.push(...(await releaseLeases(books.app.sql, [next], options)));
  }
  expect(answers).toEqual([
    { verdict: "released", amountNanos: toNanos(200n) },
    { verdict: "closed", amountNanos: toNanos(headroom - 200n) },
    { verdict: "already", amountNanos: toNanos(0n) },
  ]);
});

test("a lease may keep what its calls hold and return all else, however often it is told", async () => {
  const ledger = books.openLedger();
  const ended = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  await ledger.charge(chargeOf(ended, 300n));
  const hold = grantOf(await ledger.hold(holdOf(principal, 600n)));
  const keep = { ...principal, leaseId: hold.lease.id, kind: "keep" as const };
  const options = { instanceId: books.instanceId };
  for (const amountNanos of [600n, 600n, 700n]) {
    const [answer] = await releaseLeases(books.app.sql, [{ ...keep, amountNanos }], options);
    expect(answer?.verdict).toBe("released");
    expect((await books.shown(principal.accountId)).held).toBe(600n);
  }
  expect(await ledger.charge(chargeOf(hold, 600n))).toMatchObject({ chargedNanos: 600n });
});

test("a lease is released while another key of its account is locked", async () => {
  const ledger = books.openLedger();
  const sibling = { ...principal, keyId: await books.newKey(principal.accountId) };
  const hold = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  const other = grantOf(await ledger.hold(holdOf(sibling, 1_000n)));
  await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from api_keys where id = ${sibling.keyId} for update`;
    const release = {
      ...principal,
      leaseId: hold.lease.id,
      amountNanos: 0n,
      kind: "close" as const,
    };
    const options = { instanceId: books.instanceId };
    const [answer] = await releaseLeases(books.app.sql, [release], options);
    expect(answer?.verdict).toBe("closed");
  });
  for (const each of [hold, other]) {
    await ledger.charge(chargeOf(each, 0n, { state: "released" }));
  }
});

test.each([
  ["released twice", ["return", "keep"]],
  ["released and closed", ["return", "close"]],
  ["closed twice", ["close", "close"]],
] as const)("a batch in which one lease is %s is refused, and moves nothing", async (_, kinds) => {
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  await ledger.charge(chargeOf(hold, 300n));
  const before = await books.leases(principal.accountId);
  const releases = kinds.map((kind) => {
    return { ...principal, leaseId: hold.lease.id, amountNanos: 100n, kind };
  });
  const refused = releaseLeases(books.app.sql, releases, { instanceId: books.instanceId });
  expect(String(await refused.catch((error) => error))).toContain("named twice in one batch");
  expect(await books.leases(principal.accountId)).toEqual(before);
});

async function usageEntries(): Promise<string[]> {
  const rows = await books.owner.sql<{ amount_nanos: string }[]>`
    select e.amount_nanos from entries e join ledger_transactions t on t.id = e.transaction_id
     where e.account_id = ${principal.accountId} and t.kind = 'usage' order by t.created_at`;
  return rows.map((row) => row.amount_nanos);
}
