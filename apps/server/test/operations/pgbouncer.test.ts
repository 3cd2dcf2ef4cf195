// Behind a real pgbouncer in transaction mode, with the settings of docs/operations.md: calls are
// answered and billed exactly, keys change on every instance, migrations run, and a pooler whose role
// has no limits is refused at the start.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectDatabase } from "@turnpike/db";
import { revokeApiKey } from "@turnpike/keys";
import { freePort, type SpawnedServer, spawnServer } from "@turnpike/testing";
import { openBrowser, password } from "../console/browser.fixture.ts";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  readEvents,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { createRoles, dropRoles, type OwnCluster, openCluster } from "./own-cluster.ts";
import { adapt, findProgram, readBlock } from "./read-documented.ts";

const program = findProgram("pgbouncer");
if (program === undefined) {
  console.log("skip: pgbouncer is not installed; Debian has it as the package pgbouncer");
}

const callsAtOnce = 200;

describe.skipIf(program === undefined)("FD10: behind pgbouncer in transaction mode", () => {
  let site: TestSite;
  let cluster: OwnCluster;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let urls: { ownerUrl: string; appUrl: string };
  let owner: Connection;
  let server: SpawnedServer;

  beforeAll(async () => {
    site = await openTestSite();
    cluster = await openCluster({ durable: false });
    await dropRoles(cluster);
    urls = await createRoles(cluster);
    pooler = await startPgbouncer(program ?? "", cluster, urls);
    owner = connectDatabase({ url: urls.ownerUrl, max: 2, applicationName: "test" });
    // The empty database is migrated through the pooler as well.
    server = await spawnServer(environment());
  });
  afterAll(async () => {
    await server?.kill("SIGTERM");
    await owner?.close();
    await pooler?.close();
    await cluster?.close();
    await site?.close();
  });

  function environment(direct?: string): Record<string, string> {
    return {
      ...site.environment,
      DATABASE_URL: pooler.urlOf(urls.appUrl),
      DATABASE_MIGRATION_URL: pooler.urlOf(urls.ownerUrl),
      DATABASE_PREPARE: "false",
      ...(direct && { DATABASE_DIRECT_URL: direct }),
    };
  }

  test("concurrent calls, whole and streamed, are all answered and billed exactly", async () => {
    const { key } = await openAccount({ owner }, { usd: "10" });
    const answers = await Promise.all(
      Array.from({ length: callsAtOnce }, async (_, index) => {
        const stream = index % 2 === 0;
        const answer = await postChat(server, key, chatBody({ deltas: 3 }, { stream }));
        if (stream) await readEvents(answer);
        else await answer.text();
        return answer.status;
      }),
    );
    expect(answers).toEqual(answers.map(() => 200));
    await expectCleanBooks({ owner });
    const [row] = await owner.sql`
      select count(*)::int as settled, count(distinct cost_nanos)::int as costs
      from requests where state = 'settled'`;
    expect(row).toEqual({ settled: callsAtOnce, costs: 1 });
  });

  test("the console signs a person up", async () => {
    const email = "ada@example.com";
    const answer = await openBrowser(server.url).mutate("auth.register", { email, password });
    expect(answer.status).toBe(200);
  });

  test("without a direct address a revoked key is found by polling", async () => {
    expect(server.output()).toContain("API key changes do not arrive; polling every second");
    await expectRevocation(server);
    expect(server.output()).not.toContain("poll key changes");
  });

  test("with a direct address a revoked key is found by notification", async () => {
    const second = await spawnServer(environment(urls.appUrl));
    try {
      expect(second.output()).toContain("API key changes arrive by notification");
      await expectRevocation(second);
    } finally {
      await second.kill("SIGTERM");
    }
  });

  async function expectRevocation(on: SpawnedServer): Promise<void> {
    const { key, keyId } = await openAccount({ owner });
    expect((await postChat(on, key, chatBody({ deltas: 1 }))).status).toBe(200);
    await revokeApiKey(owner.db, keyId);
    const refused = async () => (await postChat(on, key, chatBody({ deltas: 1 }))).status === 401;
    expect(await eventually("the key to be refused", refused)).toBe(true);
  }

  test("no statement failed because it was prepared on another session", () => {
    expect(server.output()).not.toMatch(/prepared statement|unsupported startup parameter/);
    expect(pooler.output()).not.toMatch(/prepared statement|unsupported startup parameter/);
  });

  test("a role without limits is refused at the start, and the SQL that sets them works", async () => {
    await cluster.admin.sql.unsafe("alter role turnpike_app reset all");
    await pooler.reconnect();
    const refused = await spawnServer(environment()).catch(String);
    expect(refused).toBeString();
    const statements = String(refused).match(/ALTER ROLE turnpike_app SET \w+ = '\d+s'/g) ?? [];
    expect(statements).toHaveLength(3);
    for (const statement of statements) await cluster.admin.sql.unsafe(statement);
    await pooler.reconnect();
    const started = await spawnServer(environment());
    await started.kill("SIGTERM");
  });
});

/** pgbouncer with the documented settings, in front of the cluster. */
async function startPgbouncer(
  command: string,
  { postgres }: OwnCluster,
  urls: { ownerUrl: string; appUrl: string },
) {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-pgbouncer-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const users = [urls.ownerUrl, urls.appUrl].map((url) => new URL(url));
  const authFile = join(folder, "userlist.txt");
  writeFileSync(
    authFile,
    users.map(({ username, password }) => `"${username}" "${password}"\n`).join(""),
  );
  const settings = adapt(readBlock("pgbouncer", "ini"), {
    "port=5432": `port=${postgres.port}`,
    "listen_port = 6432": `listen_port = ${port}\nadmin_users = turnpike_owner\nunix_socket_dir =`,
    "/etc/pgbouncer/userlist.txt": authFile,
  });
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, settings);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["--user=nobody"] : [];
  const child = Bun.spawn([command, ...user, file], { stdout: "pipe", stderr: "pipe" });
  let said = "";
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const chunk of stream) said += new TextDecoder().decode(chunk);
  });
  await eventually("pgbouncer to listen", () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended:\n${said}`);
    return answersOn(port);
  });
  const urlOf = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  return {
    urlOf,
    output: () => said,
    /** Closes its sessions with PostgreSQL, so that the next ones have the role's new settings. */
    async reconnect() {
      const url = Object.assign(new URL(urlOf(urls.ownerUrl)), {
        pathname: "/pgbouncer",
        search: "?prepare=false",
      }).href;
      const admin = connectDatabase({ url, max: 1 });
      await admin.sql.unsafe("RECONNECT").simple();
      await admin.close();
    },
    async close() {
      child.kill("SIGINT");
      await child.exited;
      await Promise.all(reading);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answersOn(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
