// Periodic jobs whose connections to PostgreSQL became half-open: they send mail, process payments and give money
// back, so they may not wait until TCP gives up, which takes a quarter of an hour.
import { afterAll, test } from "bun:test";
import { startTcpProxy } from "@turnpike/testing";
import { openTestSite, startTestServer } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const site = await openTestSite();
const url = new URL(site.database.url);
const proxy = await startTcpProxy({ port: Number(url.port) });
url.port = String(proxy.port);
const server = await startTestServer({
  site,
  environment: { DATABASE_URL: url.href, CHECK_BOOKS_EVERY_MS: "200" },
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  await site.close();
});

/** Resolves when a run that began after this call has finished. */
async function awaitRun(name: string): Promise<void> {
  const [now] = await site.owner.sql<{ at: string }[]>`select now()::text as at`;
  await eventually(`a run of '${name}'`, async () => {
    const [run] = await site.owner.sql`
      select 1 from job_runs
       where name = ${name} and finished_at is not null and started_at > ${now?.at ?? ""}::timestamptz`;
    return run !== undefined;
  });
}

test("FD4: periodic jobs continue within a minute after their connections became half-open", async () => {
  for (let round = 0; round < 2; round += 1) {
    await awaitRun("check books");
    proxy.orphan();
    await awaitRun("check books");
  }
});
