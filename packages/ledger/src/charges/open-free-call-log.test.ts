import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type GenerationId, newId } from "@turnpike/base";
import { abandonConnection, connectDatabase } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { startTcpProxy } from "@turnpike/testing";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  silentLog,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { type CallFacts, createCallFacts } from "./call-facts.ts";
import { openFreeCallLog } from "./open-free-call-log.ts";

let books: TestBooks;
let principal: Principal;
beforeAll(async () => {
  books = await openTestBooks();
  principal = await books.newPrincipal(1_000n);
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

function refusalOf(id: GenerationId): CallFacts {
  return createCallFacts({
    ...principal,
    id,
    operation: "embeddings",
    userAgent: "test",
    model: "model",
    status: 402,
    outcome: "refused",
    errorCode: "insufficient_quota",
    usageDetails: { refusal: { message: "Add funds." } },
    totalMs: 1,
  });
}

test("a refused request has a row without money", async () => {
  const freeCalls = openFreeCallLog({ db: books.app.db, log: silentLog });
  const ids = Array.from({ length: 600 }, () => newId<GenerationId>());
  for (const id of ids) freeCalls.record(refusalOf(id));
  await freeCalls.close();
  const [row] = await books.owner.sql`
    select count(*)::int as rows, sum(held_nanos + cost_nanos)::int as money from requests
     where state = 'refused' and status = 402 and operation = 'embeddings'
       and key_id = ${principal.keyId}`;
  expect(row).toMatchObject({ rows: ids.length, money: 0 });
});

test("what was answered is kept, whatever text the caller sent", async () => {
  const freeCalls = openFreeCallLog({ db: books.app.db, log: silentLog });
  const id = newId<GenerationId>();
  const message = `Unknown parameter: '\0\ud800'. ${"x".repeat(1_000)}`;
  const named = { model: "a\0b", app: '{"a": \0}', endUser: "line\n\ud800" };
  const usageDetails = { refusal: { message, param: "x" } };
  freeCalls.record({ ...refusalOf(id), ...named, usageDetails });
  // In the same batch, which none of this may fail.
  const next = newId<GenerationId>();
  freeCalls.record(refusalOf(next));
  await freeCalls.close();
  const [row] = await books.owner.sql`
    select model, app, end_user, usage_details->'refusal'->>'param' as param,
           usage_details->'refusal'->>'message' as message
      from requests where id = ${id}`;
  expect(row).toMatchObject({ model: "ab", param: "x", app: '{"a": }', end_user: "line\n\ufffd" });
  expect(await books.row(next)).toMatchObject({ app: null, end_user: null });
  expect(row?.message).toStartWith("Unknown parameter: '");
  expect(row?.message.length).toBeLessThanOrEqual(512);
});

test("a refusal never overwrites the charge of the same id", async () => {
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 100n)));
  await ledger.charge(chargeOf(hold, 30n));
  const freeCalls = openFreeCallLog({ db: books.app.db, log: silentLog });
  freeCalls.record(refusalOf(hold.request.facts.id));
  await freeCalls.close();
  expect(await books.row(hold.request.facts.id)).toMatchObject({
    state: "settled",
    charged_nanos: "30",
  });
});

test("a database that never answers does not keep the log from closing, which reports what was lost", async () => {
  const url = new URL(books.database.url);
  const proxy = await startTcpProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  const connection = connectDatabase({ url: url.href, max: 1 });
  const warnings: unknown[] = [];
  const log = Object.assign(createLog({ level: "silent", name: "test" }), {
    warn: (facts: unknown) => warnings.push(facts),
  });
  const freeCalls = openFreeCallLog({ db: connection.db, log });
  proxy.blackHole();
  const lost = newId<GenerationId>();
  freeCalls.record(refusalOf(lost));
  await freeCalls.close();
  expect(await books.row(lost)).toBeUndefined();
  expect(warnings).toMatchObject([{ dropped: 1 }]);
  abandonConnection(connection);
  await proxy.close();
});

test("beyond ten thousand waiting rows more are dropped, not kept in memory", async () => {
  const own = await books.newPrincipal(0n);
  const freeCalls = openFreeCallLog({ db: books.app.db, log: silentLog });
  for (let n = 0; n < 10_050; n += 1) {
    freeCalls.record({ ...refusalOf(newId<GenerationId>()), ...own });
  }
  await freeCalls.close();
  const [row] = await books.owner.sql`
    select count(*)::int as rows from requests where account_id = ${own.accountId}`;
  expect(row).toEqual({ rows: 10_000 });
});

test("the owner of the tables may delete rows of refused calls, the server may not", async () => {
  const own = await books.newPrincipal(0n);
  const freeCalls = openFreeCallLog({ db: books.app.db, log: silentLog });
  freeCalls.record({ ...refusalOf(newId<GenerationId>()), ...own });
  await freeCalls.close();
  const remove = (by: typeof books.owner) =>
    by.sql`delete from requests where state = 'refused' and account_id = ${own.accountId}`;
  await expect(remove(books.app)).rejects.toThrow("permission denied");
  expect((await remove(books.owner)).count).toBe(1);
});
