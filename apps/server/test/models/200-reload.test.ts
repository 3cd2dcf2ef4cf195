// The catalogue of a running server is read again, as on SIGHUP: a broken file never replaces a
// working one.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import {
  at,
  getPath,
  openAccount,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
const { key } = await openAccount(server);
afterAll(() => server.close());

const file = server.environment.CATALOG_FILE ?? "";
const works = readFileSync(file, "utf8");

async function reload(text: string) {
  writeFileSync(file, text);
  await server.services.catalog.reload();
  const model = await readJson(await getPath(server, key, `/models/${testModels.cheap}`));
  return at(model, "pricing.completion");
}

test("a broken file changes nothing, a corrected one is used immediately", async () => {
  const price = await reload(works);
  expect(await reload("models: 7")).toBe(price);
  expect(await reload("")).toBe(price);
  expect(await reload(works.replaceAll(/output: "[^"]+"/g, 'output: "0.123"'))).toBe("0.000000123");
});
