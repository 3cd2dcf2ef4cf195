// A start that cannot succeed is refused in sentences: all reasons together, no stack trace, and an
// exit code that lets a supervisor distinguish a configuration mistake from a crash.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openTestSite, type TestSite } from "../harness/index.ts";

const root = join(import.meta.dir, "../../../..");
/** What `bun run start` runs. */
const start = join(root, "scripts/start/run.ts");
const main = join(root, "apps/server/src/main.ts");

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

/** Without the variables of the developer's shell. */
const clean = { PATH: process.env.PATH, HOME: process.env.HOME };

async function run(
  program: string,
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = [],
) {
  const child = Bun.spawn([process.execPath, program, ...words], {
    cwd: root,
    env: { ...clean, ...environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  return { exitCode: await child.exited, said: said.trimEnd().split("\n") };
}

test("production names everything that is unfit for it", async () => {
  const { exitCode, said } = await run(start, {
    ...site.environment,
    BUN_CONFIG_MAX_HTTP_REQUESTS: "256",
    CONSOLE_DEV_URL: "http://127.0.0.1:5173",
    PUBLIC_URL: "http://turnpike.example",
    STRIPE_SECRET_KEY: "sk_live_0123456789abcdefABCD",
    STRIPE_WEBHOOK_SECRET: "",
    STRIPE_API_BASE: "http://127.0.0.1:12111",
    TRUSTED_PROXIES: "somewhere",
  });
  expect(exitCode).toBe(78);
  const [head, ...reasons] = said;
  expect(head).toBe("Turnpike cannot start:");
  expect(reasons.map((reason) => reason.split(":")[0]).sort()).toEqual([
    "BUN_CONFIG_MAX_HTTP_REQUESTS",
    "CONSOLE_DEV_URL",
    // The tests' database may lose what it committed.
    "DATABASE_URL",
    "PUBLIC_URL",
    "SANDBOX",
    "SANDBOX_UPSTREAM_URL",
    "STRIPE_API_BASE",
    "STRIPE_WEBHOOK_SECRET",
    "TRUSTED_PROXIES",
  ]);
});

test("mistakes of the environment, the catalog and the database are reported together", async () => {
  const { SANDBOX_UPSTREAM_URL: _, ...environment } = site.environment;
  const { exitCode, said } = await run(start, {
    ...environment,
    LOG_LEVEL: "chatty",
    PUBLIC_URL: "http://turnpike.example",
    CATALOG_FILE: join(root, "package.json"),
  });
  expect(exitCode).toBe(78);
  const text = said.join("\n");
  for (const line of [
    /^LOG_LEVEL: /m,
    /^PUBLIC_URL: must be https/m,
    /^scripts: unknown field$/m,
    /^DATABASE_URL: loses commits in a crash/m,
  ]) {
    expect(text).toMatch(line);
  }
});

test("heartbeats in the wrong order, and in production a failpoint, stop a start", async () => {
  const words = ['--times={"heartbeatLapseMs":4000}', "--failpoint=hold-sent:1"];
  const { SANDBOX_UPSTREAM_URL: _, SANDBOX: __, ...environment } = site.environment;
  const production = { NODE_ENV: "production", PUBLIC_URL: "https://turnpike.example" };
  const { exitCode, said } = await run(main, { ...environment, ...production }, words);
  expect(exitCode).toBe(78);
  expect(said).toEqual([
    "Turnpike cannot start:",
    "--times: heartbeatMs, 5000, must be less than heartbeatLapseMs, 4000.",
    "--failpoint: exists for tests only; remove it.",
    "DATABASE_URL: loses commits in a crash; set fsync and synchronous_commit on.",
  ]);
});

test("a read-only database stops a start in one sentence", async () => {
  const url = new URL(site.database.url);
  url.searchParams.set("default_transaction_read_only", "on");
  const { exitCode, said } = await run(main, { ...site.environment, DATABASE_URL: url.href });
  expect(said).toEqual([
    "Turnpike cannot start:",
    "DATABASE_URL: is read-only (default_transaction_read_only); name the primary.",
  ]);
  expect(exitCode).toBe(78);
});

test("a folder for files that cannot be written stops a start, and a folder beside a bucket too", async () => {
  const { exitCode, said } = await run(main, {
    ...site.environment,
    SEALING_KEY: "the-sealing-key-of-a-start-that-is-refused",
    OBJECTS_FOLDER: "/dev/null/files",
    OBJECTS_S3_BUCKET: "files",
    OBJECTS_S3_REGION: "eu-central-1",
    OBJECTS_S3_ACCESS_KEY_ID: "",
  });
  expect(exitCode).toBe(78);
  expect(said).toEqual([
    "Turnpike cannot start:",
    "OBJECTS_S3_BUCKET: files are kept in a folder or in a bucket; unset it, or OBJECTS_FOLDER.",
    "OBJECTS_S3_ACCESS_KEY_ID: is required with OBJECTS_S3_BUCKET.",
    "OBJECTS_S3_SECRET_ACCESS_KEY: is required with OBJECTS_S3_BUCKET.",
  ]);
  const alone = await run(main, {
    ...site.environment,
    SEALING_KEY: "the-sealing-key-of-a-start-that-is-refused",
    OBJECTS_FOLDER: "/dev/null/files",
  });
  expect(alone).toEqual({
    exitCode: 78,
    said: [
      "Turnpike cannot start:",
      expect.stringMatching(/^OBJECTS_FOLDER: this process cannot write there \(E/),
    ],
  });
});

test("all unreadable values are named, and no secret is repeated", async () => {
  const { exitCode, said } = await run(start, {
    ...site.environment,
    DATABASE_URL: "mysql://localhost/turnpike",
    PORT: "eighty",
    STRIPE_SECRET_KEY: "pk_live_0123456789abcdefABCD",
  });
  expect(exitCode).toBe(78);
  const text = said.join("\n");
  for (const name of ["DATABASE_URL", "PORT", "STRIPE_SECRET_KEY"]) {
    expect(text).toContain(`\n${name}: `);
  }
  expect(text).not.toContain("0123456789abcdef");
});

test("production refuses a database that may lose what it committed", async () => {
  // The database of the tests is one: it has fsync off.
  const { SANDBOX_UPSTREAM_URL: _, SANDBOX: __, ...environment } = site.environment;
  const { exitCode, said } = await run(start, {
    ...environment,
    LOG_LEVEL: "silent",
    PUBLIC_URL: "https://turnpike.example",
  });
  expect(said).toEqual([
    "Turnpike cannot start:",
    "DATABASE_URL: loses commits in a crash; set fsync and synchronous_commit on.",
  ]);
  expect(exitCode).toBe(78);
});

test("a catalog with mistakes stops the start, and each is named by its path", async () => {
  const file = join(root, "package.json");
  const { exitCode, said } = await run(main, { ...site.environment, CATALOG_FILE: file });
  expect(exitCode).toBe(78);
  expect(said.join("\n")).toContain("\nscripts: unknown field");
});

test("a catalog that does not exist or is not a file is named", async () => {
  for (const file of [join(root, "nowhere.yaml"), root]) {
    const { exitCode, said } = await run(main, { ...site.environment, CATALOG_FILE: file });
    expect(exitCode).toBe(1);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^Turnpike cannot start: E.* Check CATALOG_FILE\.$/);
  }
});

test("FD1: a port in use, and a database that is away or locked, end a start with 1 and a sentence: a supervisor tries again", async () => {
  const environment = { ...site.environment, LOG_LEVEL: "silent" };
  const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  expect(await run(main, { ...environment, PORT: String(other.port) })).toEqual({
    exitCode: 1,
    said: ["Turnpike cannot start: another process listens on this port. Set PORT to a free one."],
  });
  other.stop();
  const nobody = `postgres://user:password@127.0.0.1:${other.port}/turnpike`;
  const away = { ...environment, DATABASE_URL: nobody, DATABASE_MIGRATION_URL: nobody };
  expect(await run(main, away)).toEqual({
    exitCode: 1,
    said: ["Turnpike cannot start: the database does not answer. Check DATABASE_URL."],
  });
  const url = new URL(site.database.ownerUrl);
  url.password = "guessed";
  const locked = await run(main, { ...environment, DATABASE_MIGRATION_URL: url.href });
  expect(locked.said.join("\n")).toMatch(
    /^Turnpike cannot start: password .* Check DATABASE_MIGRATION_URL\.$/,
  );
  expect(locked.said).toHaveLength(1);
});
