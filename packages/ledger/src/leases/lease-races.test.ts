// Money for exactly k calls, and more calls than that from three loaded instances at once: k are
// admitted and charged, however often leases are opened, recalled and closed meanwhile.
// RACES sets how many races are run.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type AccountId, type ApiKeyId, type InstanceId, newId } from "@turnpike/base";
import type { Hold } from "../hold.ts";
import type { Ledger } from "../open-ledger.ts";
import { chargeOf, holdOf, openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";

const races = Number(process.env.RACES ?? 3);
setDefaultTimeout(120_000 + races * 10_000);

const k = 300;
const want = 1_000n;
const instances = 3;
const keysPerAccount = 5;
/** Before the race, so that every instance has a lease of every key with money for later calls. */
const warmCalls = 2;
const parallelPerKey = 25;
/** Calls arrive while others of their key wait for the locked account. */
const arriveWithinMs = 200;

let books: TestBooks;
let ledgers: Ledger[];
beforeAll(async () => {
  books = await openTestBooks();
  ledgers = await Promise.all(Array.from({ length: instances }, openInstance));
});
afterAll(() => books.close());

async function openInstance(): Promise<Ledger> {
  const instanceId = newId<InstanceId>();
  await books.owner.sql`insert into instances (id) values (${instanceId})`;
  const ledger = books.openLedger({
    instanceId,
    // A busy machine refuses no call for which there is money.
    holdMs: 60_000,
    async recallElsewhere(accountId) {
      const others = ledgers.filter((other) => other !== ledger);
      await Promise.all(others.map((other) => other.recall(accountId)));
    },
  });
  return ledger;
}

test(`money for ${k} calls admits exactly ${k}, from ${keysPerAccount} keys and ${instances} instances`, async () => {
  for (let race = 0; race < races; race += 1) await runRace();
  for (const ledger of ledgers) expect(await ledger.drain(60_000)).toBe(true);
  expect(await books.check()).toEqual([]);
  const [open] = await books.owner.sql`
    select count(*)::int as leases, coalesce(sum(granted_nanos), 0)::text as nanos
      from leases where closed_at is null`;
  expect(open).toEqual({ leases: 0, nanos: "0" });
});

async function runRace(): Promise<void> {
  const warming = BigInt(instances * keysPerAccount * warmCalls);
  const first = await books.newPrincipal((BigInt(k) + warming) * want);
  const keys = [first.keyId];
  while (keys.length < keysPerAccount) keys.push(await books.newKey(first.accountId));
  const { accountId } = first;
  await Promise.all(
    eachPayer(keys).map(async ({ ledger, keyId }) => {
      for (let call = 0; call < warmCalls; call += 1) {
        const decision = await ledger.hold(holdOf({ accountId, keyId }, want));
        if (decision.verdict !== "held") throw new Error(`not warmed: ${decision.verdict}`);
        await ledger.charge(chargeOf(decision.hold, want));
      }
    }),
  );
  const admitted: { readonly ledger: Ledger; readonly hold: Hold }[] = [];

  /** Asks until it is admitted or as many as the money covers have been. */
  async function call(ledger: Ledger, keyId: ApiKeyId): Promise<void> {
    await Bun.sleep(Math.random() * arriveWithinMs);
    while (admitted.length < k) {
      const decision = await ledger.hold(holdOf({ accountId, keyId }, want));
      if (decision.verdict === "held") {
        admitted.push({ ledger, hold: decision.hold });
        return;
      }
      await Bun.sleep(5);
    }
  }
  const endLoad = await openLoad(accountId);
  try {
    await Promise.all(
      eachPayer(keys).flatMap(({ ledger, keyId }) =>
        Array.from({ length: parallelPerKey }, () => call(ledger, keyId)),
      ),
    );
  } finally {
    await endLoad();
  }
  const after = await Promise.all(
    eachPayer(keys).map(async ({ ledger, keyId }) =>
      ledger.hold(holdOf({ accountId, keyId }, want)),
    ),
  );
  expect(after.map(({ verdict }) => verdict)).not.toContain("held");
  expect(admitted).toHaveLength(k);
  const charged = await Promise.all(
    admitted.map(({ ledger, hold }) => ledger.charge(chargeOf(hold, want))),
  );
  expect(new Set(charged.map(({ verdict }) => verdict))).toEqual(new Set(["settled"]));
  expect(charged.filter(({ chargedNanos }) => chargedNanos !== want)).toEqual([]);
  expect(await books.shown(accountId)).toEqual({ balance: 0n, held: 0n });
}

function eachPayer(keys: readonly ApiKeyId[]) {
  return ledgers.flatMap((ledger) => keys.map((keyId) => ({ ledger, keyId })));
}

/**
 * Calls of another account on every instance, and a session that locks the account of the race for
 * longer than a batch waits for it, while
 * idle leases are returned all the time, until the function this resolves with is called.
 */
async function openLoad(accountId: AccountId): Promise<() => Promise<void>> {
  const other = await books.newPrincipal(1_000_000_000n);
  let ended = false;
  async function lock(): Promise<void> {
    while (!ended) {
      await books.owner.sql.begin(async (sql) => {
        await sql`select 1 from accounts where id = ${accountId} for update`;
        await sql`select pg_sleep(0.03)`;
      });
      await Bun.sleep(50);
    }
  }
  const sweeps = ledgers.map(async (ledger) => {
    while (!ended) {
      await ledger.recall(accountId);
      await Bun.sleep(2);
    }
  });
  const calls = ledgers.map(async (ledger) => {
    while (!ended) {
      const decision = await ledger.hold(holdOf(other, want));
      if (decision.verdict !== "held") throw new Error(`no load: ${decision.verdict}`);
      await ledger.charge(chargeOf(decision.hold, 1n));
    }
  });
  const locking = lock();
  return async () => {
    ended = true;
    await Promise.all([...calls, ...sweeps, locking]);
  };
}
