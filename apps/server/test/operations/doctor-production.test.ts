// `bun run admin doctor` against a production installation: a good one has nothing wrong, also in the environment of the
// container; of each broken one the variable or the thing is named, and what to do; and it ends whatever does not answer.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import { readEnvironment } from "../../src/config.ts";
import { examine } from "../../src/doctor/examine.ts";
import { startEnvironment } from "../../src/start-environment.ts";
import { asObject, at } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { brokenInstallations, type Changes } from "./broken-installations.ts";
import { openProduction, type Production } from "./open-production.ts";
import { parseDockerfile } from "./read-dockerfile.ts";
import { root } from "./read-documented.ts";

setDefaultTimeout(180_000);

type Environment = Readonly<Record<string, string>>;

let production: Production;
let environment: Environment;

beforeAll(async () => {
  production = await openProduction();
  ({ environment } = production);
});
afterAll(() => production?.close());

async function findBad(changes: Changes = {}): Promise<readonly string[]> {
  const changed = Object.entries({ ...environment, ...changes });
  const given = Object.fromEntries(changed.filter(([, value]) => value !== undefined));
  const findings = await examine(readEnvironment(startEnvironment(given)), { ca: production.ca });
  return findings
    .filter(({ level }) => level !== "ok")
    .map(({ check, level, message }) => `${level} ${check}: ${message}`);
}

/** As an operator runs it, in the folder of the image. */
async function runDoctor(given: Environment, ...args: readonly string[]) {
  const command = [process.execPath, "run", "--silent", "admin", "doctor", ...args];
  const child = Bun.spawn(command, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_EXTRA_CA_CERTS: production.caFile,
      ...given,
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  const stdout = await new Response(child.stdout).text();
  return { exitCode: await child.exited, stdout };
}

/** Of the image. */
function containerEnvironment(): Environment {
  const text = readFileSync(join(root, "deploy/Dockerfile"), "utf8");
  const last = parseDockerfile(text).at(-1)?.instructions ?? [];
  const pairs = last.filter(({ name }) => name === "ENV").flatMap((one) => one.text.split(" "));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

/** The scripted Stripe is for tests only, which production refuses. */
const usual = ["warning stripe: STRIPE_SECRET_KEY is not set, so nobody can add funds."];

test("a good installation has nothing wrong in the container's environment", async () => {
  expect(containerEnvironment()).toMatchObject({ NODE_ENV: "production" });
  const { exitCode, stdout } = await runDoctor(
    { ...environment, ...containerEnvironment() },
    "--json",
  );
  const report = asObject(JSON.parse(stdout));
  const findings = Array.isArray(report.findings) ? report.findings : [];
  const bad = findings.filter((finding) => at(finding, "level") !== "ok");
  expect(bad).toEqual([expect.objectContaining({ check: "stripe", level: "warning" })]);
  expect(new Set(findings.map((finding) => at(finding, "check")))).toEqual(
    new Set([
      "settings",
      "storage",
      "dns",
      "tls",
      "host",
      "readiness",
      "proxy",
      "metrics",
      "mail",
      "stripe",
      "traces",
      "provider acme",
      "schema",
      "clock",
      "rights",
      "connections",
      "backups",
      "sealing key",
      "ledger key",
      "notifications",
      "replica",
    ]),
  );
  expect(report.healthy).toBe(true);
  expect(exitCode).toBe(0);
});

test("twenty broken installations are tried, at least", () => {
  expect(brokenInstallations.length).toBeGreaterThanOrEqual(20);
});

test.each([...brokenInstallations])("$what is named, and nothing else", async (one) => {
  await one.break?.(production);
  try {
    const bad = await findBad(one.changes?.(production));
    const expected = [...usual, ...one.found].map((start) => expect.stringContaining(start));
    expect(bad.toSorted()).toEqual(expect.arrayContaining(expected));
    expect(bad).toHaveLength(expected.length);
  } finally {
    await one.repair?.(production);
  }
});

test("a replica that is behind is named", async () => {
  const { cluster, atStandby } = production;
  const { sql, close } = connectDatabase({ url: atStandby(cluster.superuserUrl), max: 1 });
  try {
    await sql`select pg_wal_replay_pause()`;
    await cluster.admin.sql`select pg_logical_emit_message(false, 'test', 'written')`;
    await eventually("the standby to receive what it does not replay", async () => {
      const [row] = await sql`
        select pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn() as "isBehind"`;
      return row?.isBehind === true;
    });
    expect(await findBad()).toEqual([
      ...usual,
      expect.stringMatching(/^warning replica: DATABASE_REPLICA_URL: is more than 5 s behind/),
    ]);
    await sql`select pg_wal_replay_resume()`;
  } finally {
    await close();
  }
});

test("a variable that commands need as well is reported with everything else", async () => {
  const changes = { SEALING_KEY: "short", DATABASE_URL: "mysql://a", SANDBOX: "perhaps" };
  const { exitCode, stdout } = await runDoctor({ ...environment, ...changes });
  expect(exitCode).toBe(1);
  for (const name of Object.keys(changes)) {
    expect(stdout).toMatch(new RegExp(`^ERROR {4}settings: ${name}: must`, "m"));
  }
});

/** Accepts connections, and says nothing. */
async function openHole() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    host: `127.0.0.1:${address.port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("it ends although nothing that it asks answers, and says so of each", async () => {
  const { host, close } = await openHole();
  const catalog = join(production.folder, "silent.yaml");
  const given = readFileSync(environment.CATALOG_FILE ?? "", "utf8");
  writeFileSync(catalog, given.replace(/127\.0\.0\.1:\d+/, host));
  try {
    const silent = {
      CATALOG_FILE: catalog,
      PUBLIC_URL: `https://${host}`,
      SMTP_URL: `smtp://${host}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${host}`,
      DATABASE_DIRECT_URL: `postgres://a:b@${host}/c`,
      DATABASE_REPLICA_URL: `postgres://a:b@${host}/c`,
    };
    const withDatabase = await runDoctor({ ...environment, ...silent });
    expect(withDatabase.exitCode).toBe(1);
    const wrong = withDatabase.stdout
      .split("\n")
      .flatMap((line) => /^ERROR +([^:]+):/.exec(line)?.[1] ?? []);
    expect(wrong.toSorted()).toEqual([
      "connection",
      "mail",
      "notifications",
      "provider acme",
      "replica",
      "traces",
    ]);
    const url = `postgres://a:b@${host}/c`;
    const urls = { DATABASE_URL: url, DATABASE_MIGRATION_URL: url };
    const without = await runDoctor({ ...environment, ...urls });
    expect(without.exitCode).toBe(1);
    expect(without.stdout).toContain(
      "ERROR    database: the database does not answer. Check DATABASE_URL.",
    );
  } finally {
    close();
  }
});
