// A primary that is lost while two servers are called, and its synchronous standby that is promoted: calls are
// refused with 503 meanwhile, the servers find the new primary by themselves, and no acknowledged commit is lost.
import { expect, setDefaultTimeout, test } from "bun:test";
import { connectDatabase } from "@turnpike/db";
import { spawnServer } from "@turnpike/testing";
import { openAccount, openTestSite } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { openStandby } from "../operations/open-standby.ts";
import { openCluster } from "../operations/own-cluster.ts";
import { expectBilledOnce, startCalls } from "./start-calls.ts";

setDefaultTimeout(180_000);

test("FD8: a standby that is promoted under load takes over, and every complete answer is billed once", async () => {
  const site = await openTestSite();
  const cluster = await openCluster({ durable: true });
  const standby = await openStandby(cluster, { follows: true, durable: true });
  await cluster.admin.sql`alter system set synchronous_standby_names = '*'`;
  await cluster.admin.sql`select pg_reload_conf()`;
  await eventually("commits to wait for the standby", async () => {
    const [row] = await cluster.admin.sql`select sync_state from pg_stat_replication`;
    return row?.sync_state === "sync";
  });
  const ports = [cluster.postgres.port, standby.port];
  const onBoth = (url: string) =>
    url.replace(/@[^/]+/, `@${ports.map((port) => `127.0.0.1:${port}`).join()}`);
  const ownerUrl = onBoth(cluster.postgres.ownerUrl);
  const environment = {
    ...site.environment,
    DATABASE_URL: onBoth(cluster.postgres.appUrl),
    DATABASE_MIGRATION_URL: ownerUrl,
    // Longer than a call may wait for its bill, so that callers notice the outage.
    SETTLE_WAIT_MS: "2000",
  };
  const servers = [
    await spawnServer(environment, { times: { heartbeatMs: 500 } }),
    await spawnServer(environment, { times: { heartbeatMs: 500 } }),
  ];
  const owner = connectDatabase({ url: ownerUrl, max: 2, applicationName: "test" });
  const accounts = await Promise.all(servers.map(() => openAccount({ owner })));
  const [first, second] = servers.map((server, index) => {
    const account = accounts[index];
    if (account === undefined) throw new Error("an account for each server");
    return { account, calls: startCalls(server, account) };
  });
  if (first === undefined || second === undefined) throw new Error("two servers were started");
  try {
    await Promise.all([first.calls.awaitAnswers(), second.calls.awaitAnswers()]);
    await cluster.stop("SIGQUIT");
    await Promise.all([first.calls.awaitRefusal(), second.calls.awaitRefusal()]);
    const promotedAtMs = performance.now();
    const admin = connectDatabase({
      url: cluster.superuserUrl.replace(`:${ports[0]}/`, `:${ports[1]}/`),
      max: 1,
    });
    await admin.sql`select pg_promote()`;
    await admin.close();
    await Promise.all([first.calls.awaitAnswers(), second.calls.awaitAnswers()]);
    const seconds = (performance.now() - promotedAtMs) / 1_000;
    console.log(`FD8: calls are answered ${seconds.toFixed(1)} s after the promotion`);
  } finally {
    await Promise.all([first.calls.end(), second.calls.end()]);
  }
  for (const { account, calls } of [first, second]) {
    const { answered, statuses } = await calls.end();
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await expectBilledOnce({ owner }, account, answered);
  }
  for (const server of servers) {
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(server.output()).not.toMatch(/"uncharged":[1-9]|"charge failed"/);
  }
  await owner.close();
  await standby.stop();
  await cluster.close();
  await site.close();
});
