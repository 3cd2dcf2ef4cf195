// A process goes on writing calls while a later version adds a column to `requests`: its rows do not have it yet.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type GenerationId, newId } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import { patientLimits } from "@turnpike/testing";
import type { Ledger } from "../open-ledger.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  silentLog,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { createCallFacts } from "./call-facts.ts";
import { openFreeCallLog } from "./open-free-call-log.ts";

let books: TestBooks;
let ledger: Ledger;
let principal: Principal;
beforeAll(async () => {
  books = await openTestBooks();
  ledger = books.openLedger();
  principal = await books.newPrincipal(1_000_000n);
});
afterAll(() => books.close());

/** Calls that end at the same time: the first is charged alone, and the others in a batch. */
async function chargeMany(): Promise<GenerationId[]> {
  const holds = await Promise.all(
    Array.from({ length: 20 }, () => ledger.hold(holdOf(principal, 100n))),
  );
  const charges = holds.map((decision) => chargeOf(grantOf(decision), 40n));
  const answers = await Promise.all(charges.map((charge) => ledger.charge(charge)));
  expect(new Set(answers.map(({ verdict }) => verdict))).toEqual(new Set(["settled"]));
  return charges.map(({ hold }) => hold.request.facts.id);
}

async function logMany({ db }: Connection = books.app): Promise<GenerationId[]> {
  const freeCalls = openFreeCallLog({ db, log: silentLog });
  const ids = Array.from({ length: 3 }, () => newId<GenerationId>());
  for (const id of ids)
    freeCalls.record(createCallFacts({ ...principal, id, errorCode: "conflict" }));
  await freeCalls.close();
  return ids;
}

const rowsOf = (ids: readonly GenerationId[]) =>
  books.owner.sql`
    select state, end_user, to_jsonb(requests) -> 'region' as region from requests
     where id in ${books.owner.sql(ids)}`;

test("calls are charged and logged over the same connections before and after a column was added", async () => {
  expect(await rowsOf(await chargeMany())).toHaveLength(20);
  await books.owner.sql`alter table requests add column region text, add column zone integer`;
  const charged = await rowsOf(await chargeMany());
  expect(charged).toHaveLength(20);
  const logged = await rowsOf(await logMany());
  expect(logged).toHaveLength(3);
  const added = [...charged, ...logged].map(({ region }) => region);
  expect(new Set(added)).toEqual(new Set([null]));
  await ledger.recall();
  expect(await books.check()).toEqual([]);
});

test("calls are logged that arrive while a column is added", async () => {
  const { owner, database } = books;
  const only = connectDatabase({ url: database.url, max: 1, ...patientLimits });
  await logMany(only);
  // The session must read the type of the row again, and waits for the second column.
  await owner.sql`alter table requests add column second_region text`;
  let logging: Promise<GenerationId[]> | undefined;
  await owner.sql.begin(async (sql) => {
    await sql`alter table requests add column third_region text`;
    logging = logMany(only);
    await awaitWaiter();
  });
  const ids = (await logging) ?? [];
  // Over the one connection: behind rows that the log no longer waits for.
  await only.sql`select`;
  await only.close();
  expect(await rowsOf(ids)).toHaveLength(3);
});

async function awaitWaiter(): Promise<void> {
  for (;;) {
    const rows = await books.owner.sql`
      select from pg_stat_activity
       where datname = ${books.database.name} and cardinality(pg_blocking_pids(pid)) > 0`;
    if (rows.length > 0) return;
    await Bun.sleep(5);
  }
}
