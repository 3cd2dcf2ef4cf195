// The upgrade to the app and the user of a request: earlier rows have neither, and a process of the previous version
// continues to charge and to log refusals while both run, or after going back one version. A version that finds a later
// schema leaves its functions alone.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";

const account = crypto.randomUUID();
const [before, lease, instance] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()];

/** Both functions as the previous version declared them, with bodies that write nothing. */
const olderFunctions = `
  create function charge_requests(uuid, uuid[], uuid[], uuid[], uuid[], text[], bigint[], bigint[],
    bigint[], bigint[], text[], text[], text[], text[], uuid[], boolean[], integer[], integer[],
    integer[], integer[], integer[], text[], integer[], integer[], text[], text[], text[], text[],
    text[], text[], text[], real[], real[], real[], text[] default null, integer[] default null,
    text[] default null, out verdicts text[], out charged bigint[], out shortfalls bigint[])
  language plpgsql as $$ begin verdicts := '{older}'; end $$;
  create function charge_single_request(uuid, uuid, uuid, uuid, uuid, text, bigint, bigint,
    bigint, bigint, text, text, text, text, uuid, boolean, integer, integer,
    integer, integer, integer, text, integer, integer, text, text, text, text,
    text, text, text, real, real, real, text, integer, text,
    out verdict text, out charged bigint, out shortfall bigint)
  language plpgsql as $$ begin verdict := 'older'; end $$`;

let database: TestDatabase;
let owner: Connection;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const older = await copyMigrations({ through: "0064_unusual_spend" });
  await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  await older.remove();
  await owner.sql.unsafe(olderFunctions);
  await owner.sql`insert into accounts (id, name) values (${account}, 'account')`;
  await owner.sql`
    insert into requests (account_id, id, state) values (${account}, ${before}, 'refused')`;
  await owner.sql`
    insert into leases (account_id, id, instance_id, hour)
    values (${account}, ${lease}, ${instance}, now())`;
  await migrate({ url: database.ownerUrl });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

const callerOf = async (id: string) => {
  const [row] = await owner.sql`select state, app, end_user from requests where id = ${id}`;
  return row;
};

test("earlier requests have no app and no user, and reports read them as empty", async () => {
  expect(await callerOf(before)).toEqual({ state: "refused", app: null, end_user: null });
  const [row] = await owner.sql`select app, end_user from usage_of_requests where id = ${before}`;
  expect(row).toEqual({ app: "", end_user: "" });
});

/** The 37 arguments that the previous version sends. */
const argumentsOf = (id: string, write: (value: string) => string) =>
  [
    id,
    account,
    lease,
    "NULL",
    "released",
    "0",
    "0",
    "0",
    "1",
    "api",
    "t",
    "a",
    "m",
    "NULL",
    "f",
    "1",
    "1",
    "0",
    "0",
    "0",
    "none",
    "NULL",
    "200",
    "completed",
    "NULL",
    "stop",
    "stop",
    "p",
    "u",
    "[]",
    "1",
    "1",
    "1",
    "chat",
    "0",
    "NULL",
  ]
    .map(write)
    .join(", ");

test("a process of the previous version charges by the functions of this one", async () => {
  const [batched, single] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  const [batch] = await owner.sql.unsafe<{ verdicts: string }[]>(
    `select verdicts::text from charge_requests('${instance}',
       ${argumentsOf(batched, (value) => `'{${value}}'`)})`,
  );
  expect(batch?.verdicts).toBe("{released}");
  const [one] = await owner.sql.unsafe<{ verdict: string }[]>(
    `select verdict from charge_single_request('${instance}',
       ${argumentsOf(single, (value) => (value === "NULL" ? value : `'${value}'`))})`,
  );
  expect(one?.verdict).toBe("released");
  const charged = { state: "released", app: null, end_user: null };
  expect(await callerOf(batched)).toEqual(charged);
  expect(await callerOf(single)).toEqual(charged);
});

test("a process of the previous version logs refusals by the function of this one", async () => {
  const id = Bun.randomUUIDv7();
  const refused = {
    account_id: account,
    id,
    key_id: null,
    origin: "api",
    operation: "chat",
    model: "m",
    request_id: "req_1",
    streamed: false,
    user_agent: "a",
    status: 402,
    total_ms: 1,
    error_code: "insufficient_quota",
    details: "{}",
  };
  await owner.sql`select log_free_calls(${JSON.stringify([refused])}::text::jsonb)`;
  expect(await callerOf(id)).toEqual({ state: "refused", app: null, end_user: null });
});

test("a version that finds the schema of a later one puts none of its functions beside those", async () => {
  await owner.sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`;
  await owner.sql`update schema_functions set sha256 = 'later'`;
  await migrate({ url: database.ownerUrl });
  const applied = await owner.sql`select distinct sha256 from schema_functions`;
  expect([...applied]).toEqual([{ sha256: "later" }]);
});
