// Comparison with the previous period, bucket by bucket, even if clocks change between the two; the
// bars over the logs; and filters that only the list of requests has.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { newId } from "@turnpike/base";
import { type Connection, connectDatabase, requests } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import {
  hasRequests,
  queryLogHistogram,
  queryLogs,
  queryPreviousRange,
  queryUsage,
} from "./index.ts";

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

const newAccount = async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  return (await createAccount(owner.db, { email })).accountId;
};

describe("the previous period", () => {
  test.each([
    // Clocks go back on 25 October: the two periods differ by an hour in length.
    [
      "Europe/Berlin",
      "2026-10-23T22:00:00.000Z",
      "2026-10-29T13:30:00.000Z",
      "2026-10-17T22:00:00.000Z",
      "2026-10-23T12:30:00.000Z",
    ],
    [
      "UTC",
      "2026-11-10T00:00:00.000Z",
      "2026-11-12T10:00:00.000Z",
      "2026-11-07T00:00:00.000Z",
      "2026-11-09T10:00:00.000Z",
    ],
    // Hours up to two days.
    [
      "Asia/Kolkata",
      "2026-11-11T11:30:00.000Z",
      "2026-11-12T10:42:00.000Z",
      "2026-11-10T11:30:00.000Z",
      "2026-11-11T10:42:00.000Z",
    ],
  ])(
    "in %s has as many buckets and ends at the same time of day",
    async (timeZone, from, to, before, until) => {
      const accountId = await newAccount();
      const query = { accountId, timeZone, from: new Date(from), to: new Date(to) };
      const previous = await queryPreviousRange(owner.db, query);
      expect(previous).toEqual({ from: new Date(before), to: new Date(until) });
      const [now, then] = await Promise.all([
        queryUsage(owner.db, query, "model"),
        queryUsage(owner.db, { ...query, ...previous }, "model"),
      ]);
      expect(then.series).toHaveLength(now.series.length);
    },
  );
});

describe("the bars of the logs", () => {
  test.each([
    ["2026-11-14T23:00:00.000Z", "2026-11-21T01:30:00.000Z", 37, 4 * 3_600_000],
    ["2026-11-20T23:00:00.000Z", "2026-11-21T01:30:00.000Z", 30, 5 * 60_000],
    ["2026-01-01T00:00:00.000Z", "2026-12-31T00:00:00.000Z", 46, 8 * 86_400_000],
  ])("from %s to %s are %i of a nice width", async (from, to, count, widthMs) => {
    const accountId = await newAccount();
    const range = { accountId, limit: 1, from: new Date(from), to: new Date(to) };
    const bars = await queryLogHistogram(owner.db, range);
    expect(bars).toHaveLength(count);
    expect(Number(bars[1]?.at) - Number(bars[0]?.at)).toBe(widthMs);
  });
});

test("requests can be filtered by operation", async () => {
  const accountId = await newAccount();
  const operations = ["chat", "embeddings"] as const;
  const write = async (operation: (typeof operations)[number]) => {
    const id = newId<(typeof requests.$inferSelect)["id"]>();
    await owner.db.insert(requests).values({ accountId, id, operation, state: "refused" });
    return id;
  };
  for (const operation of operations) {
    const id = await write(operation);
    const { rows } = await queryLogs(owner.db, { accountId, limit: 10, operation });
    expect(rows).toMatchObject([{ id, operation }]);
  }
});

describe("requests of the playground", () => {
  test("are distinguished from those of keys and of other providers", async () => {
    const accountId = await newAccount();
    expect(await hasRequests(owner.db, { accountId })).toBe(false);
    const write = async (origin: "api" | "playground", provider: string) => {
      const id = newId<(typeof requests.$inferSelect)["id"]>();
      await owner.db.insert(requests).values({ accountId, id, origin, provider, state: "refused" });
      return id;
    };
    const own = await write("playground", "a");
    const other = await write("api", "b");
    const ids = async (filter: { origin?: "api" | "playground"; providers?: string[] }) =>
      (await queryLogs(owner.db, { accountId, limit: 10, ...filter })).rows.map((row) => row.id);
    expect(await ids({ origin: "playground" })).toEqual([own]);
    expect(await ids({ origin: "api" })).toEqual([other]);
    expect(await ids({ providers: ["a"] })).toEqual([own]);
    expect((await ids({})).toSorted()).toEqual([own, other].toSorted());
    expect(await hasRequests(owner.db, { accountId })).toBe(true);
  });
});
