// The operator's command line as a shell sees it: what it prints to which stream, and its exit
// code.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectDatabase, openListener } from "@turnpike/db";
import { openApiKeyCache } from "@turnpike/keys";
import { checkBooks } from "@turnpike/ledger";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { readAdminConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

const program = join(import.meta.dir, "../admin.ts");
let database: TestDatabase;
let connection: Connection;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
  folder = mkdtempSync(join(tmpdir(), "turnpike-admin-"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Of the two roles, as in production. */
const urls = () => ({
  DATABASE_URL: database.url,
  DATABASE_MIGRATION_URL: database.ownerUrl,
});

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const given = { ...urls(), DATA_DIR: folder, ...environment };
  const { stdout, stderr, exitCode } = await runAdmin(args, () => readAdminConfig(given));
  return { out: stdout, err: stderr, code: exitCode };
}

/** The same in a separate process. */
async function spawn(args: readonly string[]) {
  const child = Bun.spawn([process.execPath, program, ...args], {
    env: { ...urls(), DATA_DIR: folder },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}

/** The one object of a command that succeeds. */
async function runJson(...args: string[]) {
  const { out, err, code } = await run([...args, "--json"]);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  return JSON.parse(out);
}

let people = 0;
async function newEmail(): Promise<string> {
  people += 1;
  const email = `operator-${people}@example.com`;
  await runJson("account", "create", "--email", email);
  return email;
}

describe("account", () => {
  test("create, credit and show agree, and the books are clean", async () => {
    const email = await newEmail();
    const credit = ["--email", email, "--usd", "10.25", "--reason", "pilot"];
    const credited = await runJson("account", "credit", ...credit);
    expect(credited).toMatchObject({ credited: true, balanceUsd: "10.25" });
    const shown = await runJson("account", "show", "--email", email.toUpperCase());
    expect(shown).toMatchObject({ email, balanceUsd: "10.25", heldUsd: "0", suspendedAt: null });
    const [posted] = await connection.sql`
      select reason, actor from ledger_transactions where id = ${credited.transactionId}`;
    expect(posted).toMatchObject({ reason: "pilot", actor: expect.stringMatching(/^operator ./) });
    expect(await checkBooks(connection.db)).toEqual([]);
  });

  test("a credit repeated with its idempotency key moves no more money", async () => {
    const email = await newEmail();
    const again = ["--reason", "r", "--usd", "3", "--idempotency-key", "ticket-7"];
    await runJson("account", "credit", "--email", email, ...again);
    const second = await runJson("account", "credit", "--email", email, ...again);
    expect(second).toMatchObject({ credited: false, balanceUsd: "3" });
    const other = await runJson("account", "credit", "--email", await newEmail(), ...again);
    expect(other).toMatchObject({ credited: true, balanceUsd: "3" });
  });

  test("credit and adjust are one path: one idempotency key, one movement, one line of the audit log", async () => {
    const email = await newEmail();
    const same = ["--email", email, "--usd", "7", "--reason", "r", "--idempotency-key", "ticket-9"];
    const credited = await runJson("account", "credit", ...same);
    const { accountId, transactionId } = credited;
    const moved = { accountId, transactionId, balanceUsd: "7" };
    expect(credited).toEqual({ ...moved, posted: true, credited: true });
    expect(await runJson("account", "adjust", ...same)).toEqual({ ...moved, posted: false });
    await runJson("account", "adjust", "--email", email, "--usd=-7", "--reason", "r");
    const rows = await connection.sql`
      select action, actor_kind, changes from audit_log where account_id = ${accountId} order by id`;
    const lineOf = (action: string, usd: string) => ({
      action,
      actor_kind: "operator",
      changes: { usd: [null, usd], reason: [null, "r"] },
    });
    expect(rows.slice(1).map((row) => ({ ...row }))).toEqual([
      lineOf("account.credit", "7"),
      lineOf("account.debit", "-7"),
    ]);
    expect(await checkBooks(connection.db)).toEqual([]);
  });

  test("the server's role may not credit, and the refusal names the variable to set", async () => {
    const email = await newEmail();
    const credit = ["account", "credit", "--email", email, "--usd", "3", "--reason", "r"];
    const refused = await run(credit, { DATABASE_MIGRATION_URL: "" });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("DATABASE_MIGRATION_URL"),
    });
    const shown = await runJson("account", "show", "--email", email);
    expect(shown).toMatchObject({ balanceUsd: "0" });
  });

  test("a key used before for another amount is refused in one sentence, exit 1", async () => {
    const email = await newEmail();
    const credit = (usd: string) =>
      run([
        "account",
        "credit",
        "--email",
        email,
        "--reason",
        "r",
        "--usd",
        usd,
        "--idempotency-key",
        "ticket-8",
      ]);
    expect((await credit("3")).code).toBe(0);
    expect(await credit("30")).toEqual({
      out: "",
      err: "This idempotency key was used for another movement of money.\n",
      code: 1,
    });
    const shown = await runJson("account", "show", "--email", email);
    expect(shown).toMatchObject({ balanceUsd: "3" });
  });

  test("creating an account twice is refused in one sentence, exit 1, and keeps the first", async () => {
    const email = await newEmail();
    const before = await runJson("account", "show", "--email", email);
    const second = await run(["account", "create", "--email", email]);
    expect(second).toEqual({
      out: "",
      err: `There is already an account for ${email}.\n`,
      code: 1,
    });
    expect(await runJson("account", "show", "--email", email)).toEqual(before);
  });
});

describe("key", () => {
  test("create prints a key that works; suspend, resume and revoke take effect on a running server", async () => {
    const log = createLog({ level: "silent", name: "test" });
    const listener = openListener({ url: database.url });
    const apiKeyCache = await openApiKeyCache({ db: connection.db, listener, log });
    const email = await newEmail();
    const { id, key } = await runJson("key", "create", "--email", email, "--name", "app");
    const answer = () =>
      apiKeyCache.authenticate(key).then(
        (identified) => identified.id,
        (fault) => fault.code,
      );
    const answers = async (wanted: string) => {
      while ((await answer()) !== wanted) await Bun.sleep(5);
    };
    await answers(id);
    await runJson("account", "suspend", "--email", email);
    await answers("account_suspended");
    await runJson("account", "resume", "--email", email);
    await answers(id);
    expect(await runJson("key", "revoke", "--id", id)).toEqual({ id, revoked: true });
    await answers("invalid_api_key");
    await apiKeyCache.close();
    await listener.close();
  });

  test("list shows masks and states, never a key", async () => {
    const email = await newEmail();
    const first = await runJson("key", "create", "--email", email, "--name", "first");
    const second = await runJson("key", "create", "--email", email, "--name", "second");
    await runJson("key", "revoke", "--id", first.id);
    const { keys } = await runJson("key", "list", "--email", email);
    expect(keys).toMatchObject([
      { id: second.id, name: "second", state: "active", spentUsd: "0" },
      { id: first.id, name: "first", state: "revoked" },
    ]);
    const { out } = await run(["key", "list", "--email", email]);
    expect(out).toContain(keys[0].masked);
    expect(out + JSON.stringify(keys)).not.toContain(second.key);
  });

  test("the plain output of create begins with the key alone on its line", async () => {
    const { out } = await run(["key", "create", "--email", await newEmail(), "--name", "n"]);
    expect(out.split("\n")[0]).toMatch(/^sk-tp-[0-9A-Za-z]{49}$/);
  });

  test("a value may begin with a minus sign, and with two after an equals sign", async () => {
    const email = await newEmail();
    const negative = await run(["key", "create", "--email", email, "--name", "-n"]);
    expect({ err: negative.err, code: negative.code }).toEqual({ err: "", code: 0 });
    await runJson("key", "create", "--email", email, "--name=--json");
    const { keys } = await runJson("key", "list", "--email", email);
    expect(keys.map(({ name }: { name: string }) => name)).toEqual(["--json", "-n"]);
  });
});

describe("the program", () => {
  test("prints one object on stdout and ends with 0, 1 or 2", async () => {
    const email = await newEmail();
    const shown = await spawn(["account", "show", "--email", email, "--json"]);
    expect({ err: shown.err, code: shown.code }).toEqual({ err: "", code: 0 });
    expect(JSON.parse(shown.out).email).toBe(email);
    const failed = await spawn(["account", "create", "--email", email]);
    expect(failed).toEqual(await run(["account", "create", "--email", email]));
    expect(failed.code).toBe(1);
    const misused = await spawn(["account"]);
    expect(misused).toEqual(await run(["account"]));
    expect(misused.code).toBe(2);
  });
});

describe("a command that fails", () => {
  test("prints the reason in one sentence on stderr and exits 1", async () => {
    const id = "00000000-0000-7000-8000-000000000000";
    const nowhere = { DATABASE_URL: "postgres://u:p@127.0.0.1:1/none" };
    const unset = { DATABASE_URL: "" };
    const failures = [
      [await run(["account", "show", "--email", "x@y.zz"]), "There is no account for x@y.zz."],
      [await run(["key", "revoke", "--id", id]), "There is no such API key."],
      [
        await run(["account", "show", "--email", "x@y.zz"], nowhere),
        "The database does not answer (ECONNREFUSED). Check DATABASE_URL, or whether `bun dev` runs.",
      ],
      [
        await run(["account", "show", "--email", "x@y.zz"], unset),
        "No database: set DATABASE_URL, or start `bun dev` first.",
      ],
    ] as const;
    for (const [result, sentence] of failures) {
      expect(result).toEqual({ out: "", err: `${sentence}\n`, code: 1 });
    }
  });
});

describe("the database", () => {
  test("without DATABASE_URL is that of the running development instance", async () => {
    const email = await newEmail();
    const dataDir = mkdtempSync(join(folder, "data-"));
    writeFileSync(join(dataDir, "dev.json"), JSON.stringify({ databaseUrl: database.url }));
    const environment = { DATABASE_URL: "", DATA_DIR: dataDir };
    const { out, code } = await run(["account", "show", "--email", email, "--json"], environment);
    expect(code).toBe(0);
    expect(JSON.parse(out).email).toBe(email);
  });
});
