// A server whose database a later version migrated beyond it reports not ready, drains and ends; it does not
// start again.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { schemaVersion } from "@turnpike/db";
import { spawnServer } from "@turnpike/testing";
import { expectCleanBooks, openTestSite, type TestSite } from "../harness/index.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(async () => {
  await site.owner.sql`update schema_state set oldest_served = 18`;
  await expectCleanBooks(site);
  await site.close();
});

test("a server that was left behind is not ready, drains with its charges and does not return", async () => {
  const environment = { ...site.environment, DRAIN_NOTICE_MS: "900000" };
  const server = await spawnServer(environment, { times: { heartbeatMs: 50 } });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const [own] = await site.owner.sql`select schema_version from instances where ended_at is null`;
  expect(own?.schema_version).toBe(schemaVersion);
  await site.owner.sql`update schema_state set oldest_served = ${schemaVersion + 1}`;
  while (!server.output().includes('"draining"')) await Bun.sleep(20);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect(server.output()).toContain("a later version migrated the database");
  // A second request to stop ends the notice.
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  await expect(spawnServer(environment)).rejects.toThrow("the schema of a later version");
});
