// Who closes what the servers of one test share: its opener, so that closing one server never takes the
// database from another that is still closing and waits for it.
import { afterAll, expect, test } from "bun:test";
import { openTestSite, startTestServer } from "./index.ts";

const site = await openTestSite();
afterAll(() => site.close());

test("a server that was given a site leaves it open for the others", async () => {
  const server = await startTestServer({ site });
  const other = await startTestServer({ site: server });
  await other.close();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.close();
  expect(await site.owner.sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  expect((await fetch(`${site.upstream.baseUrl}/models`)).status).toBe(200);
});
