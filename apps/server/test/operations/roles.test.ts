// The roles of docs/operations.md: the documented SQL is enough to serve and bill, whether
// the server's role exists before the tables or is created long after them.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Connection, connectDatabase, migrate, schemaVersion } from "@turnpike/db";
import { spawnServer } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  type TestSite,
} from "../harness/index.ts";
import { createRoles, dropRoles, type OwnCluster, openCluster } from "./own-cluster.ts";
import { readBlock, root } from "./read-documented.ts";

let site: TestSite;
let cluster: OwnCluster;
beforeAll(async () => {
  site = await openTestSite();
  cluster = await openCluster({ durable: false });
});
beforeEach(() => dropRoles(cluster));
afterAll(async () => {
  await cluster.close();
  await site.close();
});

type Urls = { readonly ownerUrl: string; readonly appUrl: string };

/** Starts a server with the two roles and makes a paid call. */
async function expectBilledCall(
  { ownerUrl, appUrl }: Urls,
  environment: Readonly<Record<string, string>> = {
    ...site.environment,
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: ownerUrl,
  },
): Promise<void> {
  const server = await spawnServer(environment);
  const owner = connectDatabase({ url: ownerUrl, max: 2, applicationName: "test" });
  try {
    const { key } = await openAccount({ owner });
    expect((await postChat(server, key, chatBody({ deltas: 3 }))).status).toBe(200);
    await expectCleanBooks({ owner });
    const rows = await owner.sql`select state from requests`;
    expect([...rows]).toEqual([{ state: "settled" }]);
  } finally {
    await server.kill("SIGTERM");
    await owner.close();
  }
}

/** Every right of the server's role and of PUBLIC on what migrations created, except partitions. */
async function readRights(ownerUrl: string): Promise<readonly string[]> {
  const owner: Connection = connectDatabase({ url: ownerUrl, max: 1, applicationName: "test" });
  try {
    const rows = await owner.sql<{ held: string }[]>`
      select concat_ws(' ', item, coalesce(role.rolname, 'PUBLIC'), privilege_type) as held
      from (
        select 'table ' || relname, relacl from pg_class
          where relnamespace = 'public'::regnamespace and not relispartition
        union all
        select 'column ' || relname || '.' || attname, attacl from pg_attribute
          join pg_class on pg_class.oid = attrelid
          where relnamespace = 'public'::regnamespace and not relispartition
        union all
        select 'function ' || proname, coalesce(proacl, acldefault('f', proowner)) from pg_proc
          where pronamespace = 'public'::regnamespace
        union all
        select 'schema ' || nspname, nspacl from pg_namespace where nspname = 'public'
      ) as items (item, acl), aclexplode(acl)
      left join pg_roles role on role.oid = grantee
      where grantee = 0 or role.rolname = 'turnpike_app'
      order by 1`;
    return rows.map((row) => row.held);
  } finally {
    await owner.close();
  }
}

const isAboutApp = (statement: string) => statement.includes("turnpike_app");

test("deploy/create-roles.sql is the documented SQL", () => {
  const file = readFileSync(join(root, "deploy/create-roles.sql"), "utf8");
  expect(readBlock("Roles", "sql")).toBe(file);
});

test("on the documented roles the server starts on an empty database, serves and bills", async () => {
  await expectBilledCall(await createRoles(cluster));
});

test("without the owner's URL a server migrates nothing: it waits for `admin migrate`, then serves", async () => {
  const { ownerUrl, appUrl } = await createRoles(cluster);
  const { DATABASE_MIGRATION_URL: _, ...others } = site.environment;
  const environment = { ...others, DATABASE_URL: appUrl };
  await expect(spawnServer(environment)).rejects.toThrow(
    "the database was not migrated for this version yet. Run `bun run admin migrate`",
  );
  expect(await migrateByCommand(ownerUrl)).toEqual({ from: null, to: schemaVersion });
  expect(await migrateByCommand(ownerUrl)).toEqual({ from: schemaVersion, to: schemaVersion });
  await expectBilledCall({ ownerUrl, appUrl }, environment);
});

/** As the service `migrate` of compose.yaml does: it knows the owner's URL alone. */
async function migrateByCommand(DATABASE_MIGRATION_URL: string): Promise<unknown> {
  const admin = join(root, "apps/server/src/admin.ts");
  const child = Bun.spawn([process.execPath, admin, "migrate", "--json"], {
    env: { PATH: process.env.PATH, DATABASE_MIGRATION_URL },
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return JSON.parse(said);
}

test("a role created after the tables has the rights of one created before, from the next start", async () => {
  const early = await createRoles(cluster);
  await migrate({ url: early.ownerUrl });
  const expected = await readRights(early.ownerUrl);
  expect(expected).toContain("function post_movement turnpike_app EXECUTE");

  await dropRoles(cluster);
  const late = await createRoles(cluster, (statement) => !isAboutApp(statement));
  await migrate({ url: late.ownerUrl });
  const without = await readRights(late.ownerUrl);
  expect(without.filter((held) => held.includes("turnpike_app"))).toEqual([]);
  await createRoles(cluster, isAboutApp);
  await expectBilledCall(late);
  // A right that differs is missing from drizzle/rights.sql, or superfluous in it.
  expect(await readRights(late.ownerUrl)).toEqual(expected);
});

/** What every role may execute of our functions. */
async function readPublicFunctions(ownerUrl: string): Promise<readonly string[]> {
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "test" });
  try {
    const rows = await owner.sql<{ name: string }[]>`
      select f.oid::regprocedure::text as name
        from pg_proc f
        join pg_namespace n on n.oid = f.pronamespace
        cross join lateral aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) acl
       where n.nspname not in ('pg_catalog', 'information_schema') and acl.grantee = 0
       order by 1`;
    return rows.map(({ name }) => name);
  } finally {
    await owner.close();
  }
}

test("no function is executable by every role: neither of a new database nor of those to come", async () => {
  const { ownerUrl } = await createRoles(cluster);
  await migrate({ url: ownerUrl });
  expect(await readPublicFunctions(ownerUrl)).toEqual([]);
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "test" });
  await owner.sql`create function made_later() returns int language sql as 'select 1'`;
  await owner.close();
  expect(await readPublicFunctions(ownerUrl)).toEqual([]);
});

test("rights that were revoked, from the role or from PUBLIC, are granted again at a start", async () => {
  const { ownerUrl } = await createRoles(cluster);
  await migrate({ url: ownerUrl });
  const expected = await readRights(ownerUrl);
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "test" });
  await owner.sql.unsafe("revoke all on all tables in schema public from turnpike_app");
  await owner.sql.unsafe("grant execute on function post_movement to public");
  await owner.close();
  expect(await readRights(ownerUrl)).not.toEqual(expected);
  await migrate({ url: ownerUrl });
  expect(await readRights(ownerUrl)).toEqual(expected);
});
