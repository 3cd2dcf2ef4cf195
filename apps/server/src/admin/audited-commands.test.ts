// Whatever an operator does to an account by the command line is in the account's audit log.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { userInfo } from "node:os";
import { type Connection, connectDatabase } from "@turnpike/db";
import { checkBooks } from "@turnpike/ledger";
import { verbNames } from "@turnpike/operator";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { readAdminConfig } from "../config.ts";
import { commandNames } from "./parse-command.ts";
import { runAdmin } from "./run-admin.ts";
import { commandNameOf } from "./verb-commands.ts";

let database: TestDatabase;
let owner: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

async function run(...args: string[]) {
  const environment = { DATABASE_URL: database.url, DATABASE_MIGRATION_URL: database.ownerUrl };
  const outcome = await runAdmin([...args, "--json"], () => readAdminConfig(environment));
  expect(outcome.stderr).toBe("");
  return JSON.parse(outcome.stdout);
}

/** About the process, its database, or all of it; the head of each file says why it is no verb. */
const notVerbs = [
  "books check",
  "requests retire",
  "migrate",
  "doctor",
  "signing-key list",
  "signing-key rotate",
  "database distribute",
];

const email = "audited@example.com";

test("each command that changes an account leaves a row with the operator's name", async () => {
  const { accountId } = await run("account", "create", "--email", email);
  const credit = ["--usd", "2.5", "--reason", "pilot", "--idempotency-key", "once"];
  await run("account", "credit", "--email", email, ...credit);
  // Credits nothing, so it did nothing.
  await run("account", "credit", "--email", email, ...credit);
  await run("account", "suspend", "--email", email);
  await run("account", "resume", "--email", email);
  const { id } = await run("key", "create", "--email", email, "--name", "for the pilot");
  await run("key", "revoke", "--id", id);
  const domain = "pilot.example";
  const [account] = await owner.sql`
    insert into domains (account_id, id, domain, token)
    values (${accountId}, ${crypto.randomUUID()}, ${domain}, 'any')
    returning (select slug from accounts where id = ${accountId}) as slug`;
  await run("domain", "prove", "--domain", domain, "--organization", account?.slug);
  await run("domain", "release", "--domain", domain);
  const rows = await owner.sql`
    select actor_kind, actor_name, action, object_id, object_name, changes
      from audit_log where account_id = ${accountId} order by id`;
  expect(rows.map(({ action }) => action)).toEqual([
    "account.create",
    "account.credit",
    "account.suspend",
    "account.resume",
    "key.create",
    "key.revoke",
    "domain.prove",
    "domain.release",
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ actor_kind: "operator", actor_name: userInfo().username });
  }
  expect(rows[1]?.changes).toEqual({ usd: [null, "2.5"], reason: [null, "pilot"] });
  expect(rows[5]).toMatchObject({ object_id: id, object_name: "for the pilot" });
  expect(await checkBooks(owner.db)).toEqual([]);
  const known = [...notVerbs, ...verbNames.map(commandNameOf)];
  expect(commandNames.toSorted()).toEqual(known.toSorted());
});
