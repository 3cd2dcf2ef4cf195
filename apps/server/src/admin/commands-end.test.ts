// Every command ends with an exit code and a sentence when its database goes away under it, wherever it was.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createTestDatabase,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
} from "@turnpike/testing";
import { readAdminConfig } from "../config.ts";
import { commandNames, requiredOptions } from "./parse-command.ts";
import { runAdmin } from "./run-admin.ts";

setDefaultTimeout(180_000);

let database: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), "turnpike-commands-"));
const catalogFile = join(folder, "catalog.yaml");

beforeAll(async () => {
  database = await createTestDatabase();
  writeFileSync(catalogFile, "providers: {}\nmodels: []\n");
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Something that each option takes, or TEXT. */
const samples: Readonly<Record<string, string>> = {
  email: "somebody@example.com",
  usd: "1",
  months: "2",
  folder,
  file: catalogFile,
  domain: "example.com",
  id: "01890000-0000-7000-8000-000000000000",
};

function argumentsOf(name: string): readonly string[] {
  const options = requiredOptions(name).flatMap((option) => [
    `--${option}`,
    samples[option] ?? "sample",
  ]);
  return [...name.split(" "), ...options];
}

const openProxy = () => startTcpProxy({ port: Number(new URL(database.url).port) });

async function run(name: string, proxy: TcpProxy) {
  const through = (url: string) => Object.assign(new URL(url), { port: String(proxy.port) }).href;
  const environment = {
    DATABASE_URL: through(database.url),
    DATABASE_MIGRATION_URL: through(database.ownerUrl),
  };
  return runAdmin(argumentsOf(name), () => readAdminConfig(environment));
}

/** Resets its connection once it has sent so many packets. */
async function runAndCut(name: string, proxy: TcpProxy, packets: number) {
  const isOver = Promise.withResolvers<"over">();
  const cutting = async () => {
    for (let sent = 0; sent <= packets; sent += 1) {
      const next = await Promise.race([proxy.nextBytes("to-target"), isOver.promise]);
      if (next === "over") return;
    }
    proxy.cut();
  };
  const cut = cutting();
  const outcome = await run(name, proxy);
  isOver.resolve("over");
  await cut;
  return outcome;
}

// At the same time, because many wait for a connection that was reset until they give it up.
test.concurrent.each([...commandNames])(
  "%s ends if its connection is reset at any packet",
  async (name) => {
    const proxy = await openProxy();
    for (const packets of [0, 1, 2, 4]) {
      const { exitCode, stdout, stderr } = await runAndCut(name, proxy, packets);
      expect([0, 1, 2]).toContain(exitCode);
      expect(`${stdout}${stderr}`.trim()).not.toBe("");
    }
    await proxy.close();
  },
);

test("most commands had sent something by then", async () => {
  let reached = 0;
  const proxy = await openProxy();
  for (const name of commandNames) {
    const before = proxy.bytes["to-target"];
    await run(name, proxy);
    if (proxy.bytes["to-target"] > before) reached += 1;
  }
  await proxy.close();
  expect(reached).toBeGreaterThan(commandNames.length / 2);
});
