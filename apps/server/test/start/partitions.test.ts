// A process with a wrong clock once wrote a row of a future month, and a session reads all requests
// for hours: neither stops a start, and the server repairs it by itself.
import { afterAll, expect, test } from "bun:test";
import { openTestSite, startTestServer } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const site = await openTestSite();
afterAll(() => site.close());

test("a start succeeds, and the row moves into its partition when the reader is gone", async () => {
  const { sql } = site.owner;
  const [month] = await sql<{ name: string; id: string }[]>`
    select 'requests_' || to_char(m, 'YYYY_MM') as name, uuid7_floor(m at time zone 'utc')::text as id
      from (select date_trunc('month', now() at time zone 'utc') + interval '1 month' as m) next`;
  const { name, id } = month ?? { name: "", id: "" };
  await sql`drop table ${sql(name)}`;
  await sql`insert into requests (account_id, id, state) values (gen_random_uuid(), ${id}, 'refused')`;
  const reading = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const reader = sql.begin(async (transaction) => {
    await transaction`select count(*) from requests`;
    reading.resolve();
    await released.promise;
  });
  await reading.promise;
  const server = await startTestServer({ site, serverTimes: { preparePartitionsEveryMs: 100 } });
  try {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const findPartition = async () => {
      const [row] =
        await sql`select tableoid::regclass::text as name from requests where id = ${id}`;
      return row?.name;
    };
    expect(await findPartition()).toBe("requests_default");
    released.resolve();
    await reader;
    await eventually("the row to be moved", async () => (await findPartition()) === name);
  } finally {
    released.resolve();
    await server.close();
  }
});
