// Partitions are months in UTC, whatever the day and the time zone of the session: by a clock that is set to the
// ends of months.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestDatabase, setDatabaseClock, type TestDatabase } from "@turnpike/testing";
import { connectDatabase } from "./connect.ts";
import { preparePartitions } from "./prepare-partitions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Names and bounds of the partitions from that month on. */
async function partitionsFrom(month: string): Promise<Record<string, string>> {
  const owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const name = `requests_${month}`;
  const rows = await owner.sql<{ name: string; bounds: string }[]>`
    select relname as name, pg_get_expr(relpartbound, oid) as bounds from pg_class
     where relispartition and relkind = 'r' and relname >= ${name} and relname < 'requests_default'
     order by relname`;
  await owner.close();
  return Object.fromEntries(rows.map((row) => [row.name, row.bounds]));
}

/** The smallest id of a moment, as PostgreSQL shows it in a bound. */
function floorOf(at: string): string {
  const hex = Date.parse(at).toString(16).padStart(12, "0");
  return `'${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000'`;
}

const boundsOf = (from: string, to: string) =>
  `FOR VALUES FROM (${floorOf(`${from}-01T00:00:00Z`)}) TO (${floorOf(`${to}-01T00:00:00Z`)})`;

test.each([
  ["2041-10-31T23:59:59.999Z", ["2041-10", "2041-11", "2041-12", "2042-01", "2042-02"]],
  ["2042-12-01T00:00:00.000Z", ["2042-12", "2043-01", "2043-02", "2043-03", "2043-04"]],
  ["2043-12-31T23:59:59.999Z", ["2043-12", "2044-01", "2044-02", "2044-03", "2044-04"]],
])("at %s this month and the next three have theirs", async (at, months) => {
  await setDatabaseClock(database, new Date(at));
  // In this zone the last hours of a month in UTC are of the next one, and the first hours of the one before.
  for (const [timeZone, made] of [
    ["Pacific/Kiritimati", 4],
    ["America/Los_Angeles", 0],
  ] as const) {
    const url = new URL(database.url);
    url.searchParams.set("options", `-c TimeZone=${timeZone}`);
    const app = connectDatabase({ url: url.href, max: 1 });
    expect(await app.sql`select ensure_request_partitions(3) as made`).toMatchObject([{ made }]);
    expect(await preparePartitions(app.db)).toBe(true);
    await app.close();
  }
  const expected = months.slice(0, -1).map((month, index) => {
    return [`requests_${month.replace("-", "_")}`, boundsOf(month, months[index + 1] ?? "")];
  });
  const [first = ""] = months;
  expect(await partitionsFrom(first.replace("-", "_"))).toEqual(Object.fromEntries(expected));
});
