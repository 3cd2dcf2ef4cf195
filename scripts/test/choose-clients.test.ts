import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chooseClients, clientsFolder, listClients } from "./choose-clients.ts";

const root = join(import.meta.dir, "../..");

test("each client has its tests, and a smoke test of its name that every run includes", () => {
  const chosen = chooseClients([]);
  expect(chosen).toHaveLength(2 * listClients().length);
  expect(chosen.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const smoke = readdirSync(join(root, clientsFolder, "smoke"));
  expect(smoke.map((file) => file.replace(".test.ts", "")).toSorted()).toEqual([...listClients()]);
});

test("clients are chosen by name", () => {
  expect(chooseClients(["codex", "openai-python"])).toEqual([
    "apps/server/test/clients/smoke/codex.test.ts",
    "apps/server/test/clients/matrix/codex",
    "apps/server/test/clients/smoke/openai-python.test.ts",
    "apps/server/test/clients/matrix/openai-python",
  ]);
});

test("a name that no client has is refused with those that exist", () => {
  expect(() => chooseClients(["codex", "copilot", "cursor"])).toThrow(
    `No client is named copilot, cursor. There are: ${listClients().join(", ")}.`,
  );
});
