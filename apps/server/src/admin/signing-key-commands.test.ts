// The commands for the keys of receipts.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@turnpike/testing";
import { readAdminConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

const database = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), "turnpike-signing-key-"));
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const sealing = { SEALING_KEY: "a-key-that-only-this-test-seals-with" };

async function run(command: string, environment: Record<string, string> = sealing) {
  const given = { DATABASE_URL: database.url, DATA_DIR: folder, ...environment };
  return runAdmin([...command.split(" "), "--json"], () => readAdminConfig(given));
}

test("rotate makes the first key, then replaces it, and list shows both", async () => {
  const first = JSON.parse((await run("signing-key rotate")).stdout);
  expect(first).toEqual({ id: expect.any(String), replacedId: null });
  const second = JSON.parse((await run("signing-key rotate")).stdout);
  expect(second.replacedId).toBe(first.id);
  const { keys } = JSON.parse((await run("signing-key list", {})).stdout);
  expect(keys).toMatchObject([
    { id: first.id, retiredAt: expect.any(String) },
    { id: second.id, retiredAt: null },
  ]);
});

test("rotate without SEALING_KEY names the variable, and changes nothing", async () => {
  const refused = await run("signing-key rotate", {});
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("SEALING_KEY");
});

test("beside a development instance rotate uses the key that instance keeps", async () => {
  const urls = { databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl };
  writeFileSync(join(folder, "dev.json"), JSON.stringify(urls));
  writeFileSync(join(folder, "sealing-key"), "a-key-that-the-development-instance-keeps");
  const rotated = await run("signing-key rotate", { DATABASE_URL: "" });
  expect(rotated.exitCode).toBe(0);
});
