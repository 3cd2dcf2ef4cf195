// The catalog of a running server is read again, as on SIGHUP: a broken file never replaces a
// working one.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import {
  at,
  billCheap,
  chatBody,
  expectCleanBooks,
  getPath,
  openAccount,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { askChat } from "../money/ask-chat.ts";
import { awaitRequest } from "../money/read-requests.ts";

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

test("ADM-3: a changed price is that of later calls, not of one that runs", async () => {
  await reload(works);
  const name = "runs while the price changes";
  const ask = (asked: string, gate: boolean) => {
    const body = chatBody({ tag: asked, deltas: 5, gate });
    return askChat(server, { key, name: asked, body });
  };
  const running = ask(name, true);
  await server.upstream.waitFor(({ tag }) => tag === name);
  await reload(works.replaceAll(/output: "[^"]+"/g, 'output: "77"'));
  server.upstream.open(name);
  const { usage } = await running;
  const before = await awaitRequest(server, name);
  expect(before.chargedNanos).toBe(billCheap(usage));
  await ask("after the price changed", false);
  const after = await awaitRequest(server, "after the price changed");
  expect(after.chargedNanos - before.chargedNanos).toBeGreaterThan(5n * 70_000n);
  expect((await awaitRequest(server, name)).chargedNanos).toBe(before.chargedNanos);
  await expectCleanBooks(server);
});

test("a broken file changes nothing, a corrected one is used immediately", async () => {
  const price = await reload(works);
  expect(await reload("models: 7")).toBe(price);
  expect(await reload("")).toBe(price);
  expect(await reload(works.replaceAll(/output: "[^"]+"/g, 'output: "0.123"'))).toBe("0.000000123");
});
