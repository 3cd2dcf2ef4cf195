// A server of the version before migration 72 reads and writes the limits of a key in its row, beside one that reads
// and writes them where they are: both see what either sets, and this one needs none of those columns.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/auth";
import { type ApiKeyId, newId } from "@turnpike/base";
import { apiKeys, type Connection, connectDatabase, operator } from "@turnpike/db";
import { type Nanos, toNanos } from "@turnpike/terms";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { eq } from "drizzle-orm";
import { type KeyOwner, updateApiKey } from "../api-key/change-api-key.ts";
import { mintApiKey } from "../api-key/mint-api-key.ts";
import { removeGuardrail, setGuardrail } from "../guardrails/set-guardrail.ts";
import { type KeyLimits, noLimits } from "./key-limits.ts";
import { readKeyLimits } from "./store-key-limits.ts";

let database: TestDatabase;
/** As the server. */
let app: Connection;
let owner: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  app = connectDatabase({ url: database.url });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterAll(async () => {
  await app.close();
  await owner.close();
  await database.drop();
});

let people = 0;
async function newAccount() {
  people += 1;
  return createAccount(app.db, { email: `p${people}@example.com` });
}

async function newKey(limits: KeyLimits): Promise<KeyOwner> {
  const { accountId, personId } = await newAccount();
  const { id } = await mintApiKey(app.db, { accountId, createdBy: personId, name: "k", limits });
  return { accountId, id };
}

const limitsOf = ({ id }: Pick<KeyOwner, "id">) => readKeyLimits(app.db, eq(apiKeys.id, id));

/** What a server of the version before reads. */
async function columnsOf({ id }: KeyOwner) {
  const [row] = await app.sql`
    select day_limit_nanos as day, week_limit_nanos as week, month_limit_nanos as month,
           total_limit_nanos as total, to_json(allowed_models) as models,
           to_json(allowed_addresses) as addresses
      from api_keys where id = ${id}`;
  return row;
}

const nothing = { day: null, week: null, month: null, total: null, models: null, addresses: null };
const spend = (limits: Partial<Record<"day" | "week" | "month" | "total", Nanos>>) => ({
  spendLimitNanos: limits,
});
const [five, six, seven] = [toNanos(5n), toNanos(6n), toNanos(7n)];

test("an older server reads the limits that this one sets, changes and removes", async () => {
  const key = await newKey({ ...spend({ day: five, week: six }), allowedModels: ["a/one"] });
  expect(await columnsOf(key)).toEqual({ ...nothing, day: "5", week: "6", models: ["a/one"] });
  const next = { ...spend({ week: seven, total: six }), allowedAddresses: ["10.0.0.0/8"] };
  await updateApiKey(app.db, key, { limits: next });
  const changed = { ...nothing, week: "7", total: "6", addresses: ["10.0.0.0/8"] };
  expect(await columnsOf(key)).toEqual(changed);
  await updateApiKey(app.db, key, { limits: noLimits });
  expect(await columnsOf(key)).toEqual(nothing);
});

test("an older server reads the models and addresses of a guardrail that this one sets and removes", async () => {
  const key = await newKey(spend({ day: five }));
  const { accountId, id: subjectId } = key;
  const editor = { accountId, actor: operator, requireRecentProof: () => undefined };
  const rules = { allowedModels: ["a/*"], denyTraining: true };
  const id = await setGuardrail(app.db, editor, { kind: "key", subjectId, rules });
  expect(await columnsOf(key)).toEqual({ ...nothing, day: "5", models: ["a/*"] });
  await removeGuardrail(app.db, editor, id);
  expect(await columnsOf(key)).toEqual({ ...nothing, day: "5" });
  await updateApiKey(app.db, key, { limits: noLimits });
  expect(await columnsOf(key)).toEqual(nothing);
});

test("what an older server sets in the row of a key is its budgets and its guardrail", async () => {
  const { accountId } = await newAccount();
  const key = { accountId, id: newId<ApiKeyId>() };
  await app.sql`
    insert into api_keys (account_id, id, name, hash, masked, day_limit_nanos, allowed_models)
    values (${accountId}, ${key.id}, 'k', ${Buffer.from(key.id)}, 'masked', 5, '{a/one}')`;
  expect(await limitsOf(key)).toEqual({ ...spend({ day: five }), allowedModels: ["a/one"] });
  await app.sql`
    update api_keys set day_limit_nanos = null, week_limit_nanos = 6, total_limit_nanos = 7,
           allowed_models = null, allowed_addresses = '{10.0.0.0/8}', requests_per_minute = 9
     where id = ${key.id}`;
  const limits = {
    ...spend({ week: six, total: seven }),
    requestsPerMinute: 9,
    allowedAddresses: ["10.0.0.0/8"],
  };
  expect(await limitsOf(key)).toEqual(limits);
  // Of what this version set meanwhile, too.
  await updateApiKey(app.db, key, { limits: { ...limits, ...spend({ week: five }) } });
  await app.sql`update api_keys set week_limit_nanos = 6, allowed_addresses = null where id = ${key.id}`;
  expect(await limitsOf(key)).toEqual({ ...spend({ week: six }), requestsPerMinute: 9 });
});

test("both versions write one history of a key", async () => {
  const key = await newKey(spend({ day: five }));
  await updateApiKey(app.db, key, {
    name: "renamed",
    limits: { ...spend({ week: six }), allowedModels: ["a/one", "a/two"] },
  });
  await app.sql`update api_keys set week_limit_nanos = 7, allowed_models = null where id = ${key.id}`;
  const rows = await app.sql<{ changes: object }[]>`
    select changes from key_changes where key_id = ${key.id} order by id`;
  expect(rows.map(({ changes }) => changes)).toEqual([
    {
      name: ["k", "renamed"],
      day_limit_nanos: ["5", null],
      week_limit_nanos: [null, "6"],
      allowed_models: [null, '["a/one", "a/two"]'],
    },
    { week_limit_nanos: ["6", "7"], allowed_models: ['["a/one", "a/two"]', null] },
  ]);
});

test("this version needs none of the columns", async () => {
  await owner.sql.unsafe(`
    drop function keep_key_budgets, keep_key_guardrail, show_limits_to_older_servers cascade;
    alter table api_keys drop day_limit_nanos, drop week_limit_nanos, drop month_limit_nanos,
      drop total_limit_nanos, drop allowed_models, drop allowed_addresses;`);
  const limits = { ...spend({ day: five, total: seven }), allowedModels: ["a/one"] };
  const key = await newKey(limits);
  expect(await limitsOf(key)).toEqual(limits);
  await updateApiKey(app.db, key, { limits: spend({ week: six }) });
  expect(await limitsOf(key)).toEqual(spend({ week: six }));
  const [row] = await app.sql<{ changes: object }[]>`
    select changes from key_changes where key_id = ${key.id}`;
  expect(Object.keys(row?.changes ?? {}).toSorted()).toEqual([
    "allowed_models",
    "day_limit_nanos",
    "total_limit_nanos",
    "week_limit_nanos",
  ]);
});
