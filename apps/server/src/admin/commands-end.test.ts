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
let proxy: TcpProxy;
const folder = mkdtempSync(join(tmpdir(), "turnpike-commands-"));
const catalogFile = join(folder, "catalog.yaml");

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy({ port: Number(new URL(database.url).port) });
  writeFileSync(catalogFile, "providers: {}\nmodels: []\n");
});
afterAll(async () => {
  await proxy.close();
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

function throughProxy(url: string): string {
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  return proxied.href;
}

async function run(name: string) {
  const environment = {
    DATABASE_URL: throughProxy(database.url),
    DATABASE_MIGRATION_URL: throughProxy(database.ownerUrl),
  };
  return runAdmin(argumentsOf(name), () => readAdminConfig(environment));
}

/** Resets its connection once it has sent so many packets. */
async function runAndCut(name: string, packets: number) {
  const isOver = Promise.withResolvers<"over">();
  const cutting = async () => {
    for (let sent = 0; sent <= packets; sent += 1) {
      const next = await Promise.race([proxy.nextBytes("to-target"), isOver.promise]);
      if (next === "over") return;
    }
    proxy.cut();
  };
  const cut = cutting();
  const outcome = await run(name);
  isOver.resolve("over");
  await cut;
  return outcome;
}

test.each(commandNames)("%s ends if its connection is reset at any packet", async (name) => {
  for (const packets of [0, 1, 2, 4]) {
    const { exitCode, stdout, stderr } = await runAndCut(name, packets);
    expect([0, 1, 2]).toContain(exitCode);
    expect(`${stdout}${stderr}`.trim()).not.toBe("");
  }
});

test("most commands had sent something by then", async () => {
  let reached = 0;
  for (const name of commandNames) {
    const before = proxy.bytes["to-target"];
    await run(name);
    if (proxy.bytes["to-target"] > before) reached += 1;
  }
  expect(reached).toBeGreaterThan(commandNames.length / 2);
});
