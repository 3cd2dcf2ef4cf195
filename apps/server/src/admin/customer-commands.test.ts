// What helps a customer, on the command line: verbs of the desk with options, and files in a folder.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { readAdminConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

let database: TestDatabase;
let owner: Connection;
let folder: string;
const email = "customer@example.com";
const because = ["--reason", "ticket 12"];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  folder = mkdtempSync(join(tmpdir(), "turnpike-files-"));
  await runJson("account", "create", "--email", email);
});
afterAll(async () => {
  await owner.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]) {
  const environment = { DATABASE_URL: database.url, DATABASE_MIGRATION_URL: database.ownerUrl };
  return runAdmin(args, () => readAdminConfig(environment));
}

async function runJson(...args: string[]) {
  const { stdout, stderr } = await run(...args, "--json");
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("accounts are listed, and a key is limited", async () => {
  const list = ["account", "list", "--sort", "balance", "--ascending", "--limit", "10"];
  expect(await runJson(...list)).toMatchObject({
    accounts: [{ email, balanceUsd: "0", spentUsd: "0", states: ["active"] }],
    nextCursor: null,
  });
  const { id } = await runJson("key", "create", "--email", email, "--name", "app");
  const limits = ["--day-usd", "5", "--allowed-models", "a/model,b/model", "--concurrency", "2"];
  expect(await runJson("key", "set-limits", "--id", id, ...limits, ...because)).toMatchObject({
    dayUsd: "5",
    concurrency: 2,
    allowedModels: ["a/model", "b/model"],
  });
  const refused = await run("key", "set-limits", "--id", id, "--concurrency", "-1", ...because);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toStartWith("--concurrency: Give a whole number from 1, or none.\n");
});

test("a company is corrected, and its statement and everything stored are written as files", async () => {
  await owner.sql`update accounts set created_at = now() - interval '2 months'`;
  const company = ["--name", "Acme Ltd", "--address", "1 High St, Flat 2; York"];
  expect(
    await runJson("company", "change", "--account", email, ...company, ...because),
  ).toMatchObject({ name: "Acme Ltd", addressLines: ["1 High St, Flat 2", "York"] });
  const { months } = await runJson("statement", "list", "--account", email);
  const pdf = ["statement", "pdf", "--account", email, "--month", months[0], "--folder", folder];
  const { file } = await runJson(...pdf);
  expect(readFileSync(file).subarray(0, 5).toString()).toBe("%PDF-");
  const again = await run(...pdf);
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--folder") });
  const archive = await runJson(
    "account",
    "export",
    "--account",
    email,
    ...because,
    "--folder",
    folder,
  );
  expect(statSync(archive.file).mode & 0o777).toBe(0o600);
  expect(gunzipSync(readFileSync(archive.file)).toString()).toContain("Acme Ltd");
  expect(readdirSync(folder)).toHaveLength(2);
});

test("an export that cannot be written is refused before it is recorded, and leaves no file when it fails", async () => {
  const recorded = async () => {
    const rows = await owner.sql`select id from audit_log where action = 'account.export'`;
    return rows.length;
  };
  const before = await recorded();
  const into = (place: string) =>
    run("account", "export", "--account", email, ...because, "--folder", place);
  const files = readdirSync(folder);
  expect(await into(folder)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("exists"),
  });
  const nowhere = await into(join(folder, "nowhere"));
  expect(nowhere.stderr).toStartWith("--folder: There is no folder");
  const empty = mkdtempSync(join(tmpdir(), "turnpike-files-"));
  await owner.sql`
    insert into stored_prompts (account_id, generation_id, project_id, created_at, sealed)
    select account_id, gen_random_uuid(), id, now(), '\\x00' from projects limit 1`;
  expect((await into(empty)).stderr).toContain("SEALING_KEY");
  await owner.sql`delete from stored_prompts`;
  expect(await recorded()).toBe(before);
  // Reading the archive fails midway.
  await owner.sql`alter table webhook_endpoints rename to webhook_endpoints_away`;
  expect((await into(empty)).exitCode).not.toBe(0);
  await owner.sql`alter table webhook_endpoints_away rename to webhook_endpoints`;
  expect(readdirSync(empty)).toEqual([]);
  expect(readdirSync(folder)).toEqual(files);
  rmSync(empty, { recursive: true });
});

test("a deletion is scheduled and stopped again", async () => {
  const { dueAt } = await runJson("person", "request-deletion", "--email", email, ...because);
  expect(await runJson("account", "list", "--state", "pending_deletion")).toMatchObject({
    accounts: [{ email, deletionDueAt: dueAt }],
  });
  await runJson("person", "cancel-deletion", "--email", email, ...because);
  const rows = await owner.sql`
    select action from audit_log where action like 'person.%' order by id`;
  expect(rows.map(({ action }) => action)).toEqual([
    "person.request_deletion",
    "person.cancel_deletion",
  ]);
});
