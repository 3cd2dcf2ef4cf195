// `bun run start` as a customer runs it: in a production environment and with an empty, durable database
// of its own; it serves, mails, hides what is for development, and leaves nothing behind when it is
// stopped.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectDatabase } from "@turnpike/db";
import { type MailCatcher, startMailCatcher } from "@turnpike/testing";
import {
  type RunningPostgres,
  startPostgres,
} from "../../../../scripts/postgres/start-postgres.ts";
import { readProcess } from "../../../../scripts/process/read-process.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../../../scripts/process/start-supervised.ts";
import { builtConsole } from "../../src/http/pages/console-assets.ts";
import { openBrowser, password } from "../console/browser.fixture.ts";
import {
  asObject,
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  findSchemaProblems,
  getPath,
  openAccount,
  openTestSite,
  postChat,
  readJson,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const root = join(import.meta.dir, "../../../..");
const start = join(root, "scripts/start/run.ts");
const publicUrl = "https://turnpike.example";
const metricsToken = "a-token-of-sixteen-and-more";

const folder = mkdtempSync(join(tmpdir(), "turnpike-production-"));
chmodSync(folder, 0o711); // As root, PostgreSQL runs as another user, who must be able to enter.
let site: TestSite;
let mail: MailCatcher;
/** The tests' own database may lose commits, so production refuses it. */
let postgres: RunningPostgres;
let owner: Connection;
let server: Awaited<ReturnType<typeof startProduction>>;

beforeAll(async () => {
  site = await openTestSite();
  mail = await startMailCatcher();
  postgres = await startPostgres({ home: join(folder, "postgres") });
  owner = connectDatabase({ url: postgres.ownerUrl, max: 2, applicationName: "test" });
  server = await startProduction();
});
afterEach(() => expectCleanBooks({ owner }));
afterAll(async () => {
  await server?.program.stop();
  // If `bun run start` does not stop its server, the server must not stay on this machine.
  if (server !== undefined && readProcess(server.pid)) process.kill(server.pid, "SIGKILL");
  await owner.close();
  await postgres.stop();
  rmSync(postgres.home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
  await mail.close();
  await site.close();
});

/** Without the variables of the developer's shell. */
const clean = { PATH: process.env.PATH, HOME: process.env.HOME };

async function startProduction(askedPort = "0", more: Readonly<Record<string, string>> = {}) {
  const environment = {
    ...clean,
    HOST: "127.0.0.1",
    PORT: askedPort,
    DATABASE_URL: postgres.appUrl,
    DATABASE_MIGRATION_URL: postgres.ownerUrl,
    CATALOG_FILE: site.environment.CATALOG_FILE,
    // The upstream of the tests is on this machine.
    ALLOW_PRIVATE_UPSTREAMS: "true",
    PUBLIC_URL: publicUrl,
    ALLOWED_HOSTS: "127.0.0.1",
    SMTP_URL: mail.url,
    DRAIN_NOTICE_MS: "0",
    METRICS_TOKEN: metricsToken,
    ...more,
  };
  const command = [process.execPath, start];
  const program = startSupervised(command, "pipe", { cwd: root, env: environment });
  const { pid, port } = await readListening(program);
  const url = `http://127.0.0.1:${port}`;
  return { program, pid, url, baseUrl: `${url}/v1` };
}

/** Its line in the log; throws with all of its output if it ends instead. */
async function readListening({ child }: SupervisedProcess): Promise<{ pid: number; port: number }> {
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<{ pid: number; port: number }>();
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  child.stdout?.on("data", (chunk) => {
    said += chunk;
    const line = said.split("\n").find((one) => /"msg":"listening".*\}$/.test(one));
    if (line === undefined) return;
    const { pid, port } = asObject(JSON.parse(line));
    resolve({ pid: Number(pid), port: Number(port) });
  });
  void once(child, "close").then(() => reject(new Error(`it did not start:\n${said}`)));
  return promise;
}

test.each(["1", "2"])("kill -9 frees its port, with WORKERS=%s", async (WORKERS) => {
  const { program, url } = await startProduction("0", { WORKERS, DRAIN_NOTICE_MS: "900000" });
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  program.child.kill("SIGKILL");
  await eventually("a free port", () =>
    fetch(`${url}/livez`).then(
      () => false,
      () => true,
    ),
  );
  // Its workers end one after the other; the tests below count live instances.
  await eventually("the end of its instances", async () => {
    const live = await owner.sql`select id from instances where ended_at is null`;
    return live.length === 1;
  });
  await program.stop();
});

test("FX2: a second SIGTERM does not wait out the notice", async () => {
  const { program, url } = await startProduction("0", { DRAIN_NOTICE_MS: "900000" });
  program.child.kill("SIGTERM");
  await eventually("the drain", async () => (await fetch(`${url}/readyz`)).status === 503);
  program.child.kill("SIGTERM");
  expect(await program.exited).toBe(0);
});

test("it is ready, and a paid completion is served and billed", async () => {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const { id, key } = await openAccount({ owner });
  const answer = await postChat(server, key, chatBody({ deltas: 3 }));
  expect(answer.status).toBe(200);
  const body = await readJson(answer);
  expect(findSchemaProblems("CreateChatCompletionResponse", body)).toEqual([]);
  expect(at(body, "choices.0.message.content")).toBe(" tok tok tok");
  const rows = await owner.sql`select state, account_id from requests`;
  expect([...rows]).toEqual([{ state: "settled", account_id: id }]);
});

test("keys grant the access they should, and refusals have the documented shape", async () => {
  const { key } = await openAccount({ owner });
  const models = await getPath(server, key, "/models");
  expect(findSchemaProblems("ListModelsResponse", await models.json())).toEqual([]);
  const unknown = { status: 401, code: "invalid_api_key" };
  await expectFault(await getPath(server, "sk-tp-unknown", "/models"), unknown);
  const missing = { status: 404, code: "model_not_found" };
  await expectFault(await postChat(server, key, chatBody({}, { model: "no/such" })), missing);
});

test("a registration sends a mail whose link leads to the public address", async () => {
  const email = "ada@example.com";
  const answer = await openBrowser(server.url).mutate("auth.register", { email, password });
  expect(answer.status).toBe(200);
  expect((await mail.waitFor(email)).text).toContain(`${publicUrl}/`);
});

test("it hashes passwords at their full cost", async () => {
  const rows = await owner.sql<{ hash: string }[]>`
    select password_hash as hash from persons where password_hash is not null`;
  expect(rows).toHaveLength(1);
  for (const { hash } of rows) expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
});

test("the mailbox of development does not exist", async () => {
  for (const path of ["/dev/mail", "/dev/mail.json"]) {
    expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  }
});

test("the front page has every security header, or reports that there is no console", async () => {
  const headers = { accept: "text/html" };
  const page = await fetch(server.url, { headers });
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  if (!existsSync(join(builtConsole, "index.html"))) {
    console.log("The console is not built: only the absence of a front page is tested.");
    await expectFault(page, { status: 404, code: "unknown_url" });
    return;
  }
  expect(page.status).toBe(200);
  expect(await page.text()).toStartWith("<!doctype html>");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page.headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  expect(page.headers.get("x-frame-options")).toBe("DENY");
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
  expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
});

test("SIGHUP makes it read its catalog again, and it continues to serve", async () => {
  const readVersion = async () => {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const answer = await fetch(`${server.url}/readyz`, { headers });
    expect(answer.status).toBe(200);
    return (await answer.text()).split("\n")[1];
  };
  const before = await readVersion();
  appendFileSync(String(site.environment.CATALOG_FILE), "# another version\n");
  // `bun run start` passes it on to the server.
  process.kill(readProcess(server.pid)?.parent ?? 0, "SIGHUP");
  await eventually("the new version", async () => (await readVersion()) !== before);
});

test("a second server on its port is refused", async () => {
  const second = startProduction(new URL(server.url).port);
  await expect(second).rejects.toThrow("another process listens on this port");
  const live = await owner.sql`select id from instances where ended_at is null`;
  expect(live).toHaveLength(1);
});

test("SIGTERM ends it with 0: no process, no listener and no connection is left", async () => {
  server.program.child.kill("SIGTERM");
  expect(await server.program.exited).toBe(0);
  expect(readProcess(server.pid)).toBeUndefined();
  await expect(fetch(`${server.url}/livez`)).rejects.toThrow();
  const [left] = await owner.sql`
    select count(*)::int as connections from pg_stat_activity where usename = 'turnpike_app'`;
  expect(left).toEqual({ connections: 0 });
});

test("a hot standby as its database stops a start in one sentence", async () => {
  await owner.close();
  await postgres.stop();
  writeFileSync(join(postgres.home, "cluster/standby.signal"), "");
  chownLike(join(postgres.home, "cluster/standby.signal"), join(postgres.home, "cluster"));
  postgres = await startPostgres({ home: join(folder, "postgres") });
  owner = connectDatabase({ url: postgres.ownerUrl, max: 2, applicationName: "test" });
  await expect(startProduction()).rejects.toThrow(
    "\nDATABASE_URL: is a hot standby, which accepts no writes; name the primary.\n",
  );
});

/** PostgreSQL runs as the owner of its folder. */
function chownLike(file: string, folder: string): void {
  const { uid, gid } = statSync(folder);
  chownSync(file, uid, gid);
}
