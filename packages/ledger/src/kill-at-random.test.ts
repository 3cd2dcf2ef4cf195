// kill -9 at random moments of processes that share accounts, some with little money and some with much.
// Whatever a process was doing, each call whose charge it had confirmed is charged once, and nothing that it
// had reserved stays reserved. Named points in a call's life are in apps/server/test/money/kill.test.ts; an ordinary
// run adds 96 kills to them, some in mid-start and most within a fifth of a second of spending.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type InstanceId, newId } from "@turnpike/base";
import { runsOf, searchTimeoutMs } from "@turnpike/testing";
import { openTestBooks, type Principal, type TestBooks } from "./open-test-books.fixture.ts";

setDefaultTimeout(searchTimeoutMs);

const rounds = runsOf({ short: 12, long: 200 });
const victimsPerRound = 8;
/** One in so many is killed while it starts, the others while they spend. */
const starting = 8;
const startMaxMs = 1_000;
const spendMaxMs = 200;
const program = new URL("./spend-until-killed.fixture.ts", import.meta.url).pathname;

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

/** What a process had printed when it was killed: the cost of each confirmed call by its id. */
type Confirmed = ReadonlyMap<string, bigint>;

async function spendUntilKilled(instanceId: InstanceId, payers: readonly Principal[]) {
  await books.owner.sql`insert into instances (id) values (${instanceId})`;
  const names = payers.map(({ accountId, keyId }) => `${accountId}:${keyId}`);
  const victim = Bun.spawn([process.execPath, program, books.database.url, instanceId, ...names], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const [first, all] = victim.stdout.tee();
  const printed = new Response(all).text();
  const isStarting = Math.random() < 1 / starting;
  if (!isStarting) await first.getReader().read();
  await Bun.sleep(Math.random() * (isStarting ? startMaxMs : spendMaxMs));
  victim.kill("SIGKILL");
  await victim.exited;
  // Others learn of its death by its silence.
  await books.owner.sql`
    update instances set heartbeat_at = now() - interval '1 hour' where id = ${instanceId}`;
  const lines = (await printed).split("\n").slice(1, -1);
  return new Map(
    lines.map((line): [string, bigint] => {
      const [id = "", cost = ""] = line.split(" ");
      return [id, BigInt(cost)];
    }),
  );
}

/** The calls that were charged to an account, by their id. */
async function queryCharged({ accountId }: Principal): Promise<Confirmed> {
  const rows = await books.owner.sql<{ id: string; charged: string }[]>`
    select id, charged_nanos::text as charged from requests where account_id = ${accountId}`;
  return new Map(rows.map(({ id, charged }) => [id, BigInt(charged)]));
}

test(`T3: ${rounds * victimsPerRound} processes killed at random moments leave the books right`, async () => {
  let confirmedCalls = 0;
  // On a busy machine all may be killed before their first charge.
  for (let round = 0; round < rounds || confirmedCalls === 0; round += 1) {
    const balance = BigInt(200 + Math.floor(Math.random() ** 3 * 100_000));
    const first = await books.newPrincipal(balance);
    const limited = await books.newKey(first.accountId, { total: balance / 3n });
    const payers = [first, { ...first, keyId: limited }];
    const victims = Array.from({ length: victimsPerRound }, () => newId<InstanceId>());
    const results = await Promise.all(victims.map((id) => spendUntilKilled(id, payers)));

    const survivor = books.openLedger();
    while ((await books.money(first.accountId)).held > 0n) {
      await survivor.reapLeases({ silentMs: 60_000, limit: 100 });
    }
    expect(await books.check()).toEqual([]);
    const charged = await queryCharged(first);
    for (const [id, cost] of results.flatMap((confirmed) => [...confirmed])) {
      expect(`${id} ${charged.get(id)}`).toBe(`${id} ${cost}`);
      confirmedCalls += 1;
    }
    const spent = [...charged.values()].reduce((sum, cost) => sum + cost, 0n);
    expect((await books.money(first.accountId)).balance).toBe(balance - spent);
    expect(spent).toBeLessThanOrEqual(balance);
    expect((await books.counters(limited)).total_spent).toBeLessThanOrEqual(balance / 3n);
    await survivor.close();
  }
});
