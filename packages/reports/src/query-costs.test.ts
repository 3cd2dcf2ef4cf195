import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { newId } from "@turnpike/base";
import { type Connection, connectDatabase, requests, type UsageDetails } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { queryCosts } from "./query-costs.ts";

let database: TestDatabase;
let owner: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
});

afterAll(async () => {
  await owner.close();
  await database.drop();
});

test("calls of free models are included in the operator's costs if these are known", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const { accountId } = await createAccount(owner.db, { email });
  const write = (model: string, nanos: bigint, usageDetails?: UsageDetails) =>
    owner.db.insert(requests).values({
      accountId,
      id: newId<(typeof requests.$inferSelect)["id"]>(),
      model,
      provider: "p",
      state: "refused",
      costNanos: toNanos(nanos),
      chargedNanos: toNanos(nanos),
      heldNanos: toNanos(nanos),
      usageDetails,
    });
  await write("free", 0n, { operatorCostNanos: "7" });
  await write("free", 0n, { operatorCostNanos: "5" });
  await write("free", 0n);
  await write("paid", 9n, { operatorCostNanos: "4" });
  await write("paid", 3n);
  await write("refused", 0n);
  const rows = await queryCosts(owner.db, new Date(Date.now() - 60_000));
  expect(rows).toMatchObject([
    { model: "free", calls: 2, chargedNanos: 0n, knownCalls: 2, costNanos: 12n },
    { model: "paid", calls: 2, chargedNanos: 12n, knownCalls: 1, costNanos: 4n },
  ]);
});

test("the sums are the same, whatever part of the table one statement reads", async () => {
  const [account] = await owner.sql`select id from accounts limit 1`;
  await owner.sql`
    insert into requests (account_id, id, state, model, provider, cost_nanos, charged_nanos, held_nanos, usage_details)
    select ${account?.id}, uuid7_floor(now() - n * interval '1 second'), 'refused', 'bulk', 'p' || n % 2, 10, 10, 10,
           jsonb_build_object('operatorCostNanos', '7', 'filler', repeat(md5(n::text), 30))
      from generate_series(1, 100) n`;
  const since = new Date(Date.now() - 3_600_000);
  const rows = await queryCosts(owner.db, since);
  expect(rows).toContainEqual(
    expect.objectContaining({ model: "bulk", provider: "p0", calls: 50, costNanos: 350n }),
  );
  for (const pages of [1, 3]) expect(await queryCosts(owner.db, since, pages)).toEqual(rows);
});
