import { expect, test } from "bun:test";
import { connectDatabase } from "@turnpike/db";
import { openTestApi } from "./open-test-api.fixture.ts";
import { writeLedgerCsv } from "./write-ledger-csv.ts";

test("a file has the newest hundred thousand lines, the oldest of them first, and says that it was cut", async () => {
  const api = await openTestApi();
  const owner = connectDatabase({ url: api.ownerUrl, max: 1 });
  try {
    const { accountId } = await api.addMember();
    // A busy machine may take longer than a statement may.
    await owner.sql`set statement_timeout = 0`;
    await owner.sql`
      insert into leases (account_id, id, instance_id, hour, granted_nanos, spent_nanos, calls,
                          closed_at)
      select ${accountId}, gen_random_uuid(), gen_random_uuid(), at, 1, 1, 1, at
        from generate_series(1, 100001) n,
             lateral (select '2010-01-01T00:00:00Z'::timestamptz + n * interval '1 hour' as at) hours`;
    const file = await writeLedgerCsv(api.db, { accountId, timeZone: "UTC" });
    expect(file).toStartWith("\ufeffdate,");
    const lines = file.trimEnd().split("\r\n").slice(1);
    expect(lines).toHaveLength(100_001);
    expect(lines[0]).toStartWith("2010-01-01T02:00:00.000Z,usage,");
    expect(lines.at(-1)).toContain("the newest 100,000 rows");
    await owner.sql`delete from leases where account_id = ${accountId} and hour = '2010-01-01T01:00:00Z'`;
    const whole = await writeLedgerCsv(api.db, { accountId, timeZone: "Europe/Vienna" });
    const kept = whole.trimEnd().split("\r\n");
    expect(kept).toHaveLength(100_001);
    expect([kept[0]?.split(",").at(-1), kept.at(-1)?.split(",").at(-1)]).toEqual([
      "time_zone",
      "Europe/Vienna",
    ]);
  } finally {
    await owner.close();
    await api.close();
  }
});
