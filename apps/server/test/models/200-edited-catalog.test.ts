// A catalog that is edited at the desk is in force on every instance instead of their files, until it is released.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { verbs } from "@turnpike/operator";
import {
  at,
  getPath,
  openAccount,
  openTestSite,
  readJson,
  startTestServer,
  type TestServer,
  type TestSite,
  testModels,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

let site: TestSite;
let servers: readonly TestServer[];
let key: string;
let works: string;
const by = { role: "owner", name: "grace@example.com" } as const;
const reason = "prices of December";

beforeAll(async () => {
  site = await openTestSite();
  servers = [await startTestServer({ site }), await startTestServer({ site })];
  ({ key } = await openAccount(site));
  works = readFileSync(site.environment.CATALOG_FILE ?? "", "utf8");
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await site.close();
});

function first(): TestServer {
  const [server] = servers;
  if (server === undefined) throw new Error("two servers were started");
  return server;
}

const priced = (usd: string) => works.replaceAll(/output: "[^"]+"/g, `output: "${usd}"`);
const edit = (text: string, basedOn: number) =>
  verbs.catalog.edit.run(first().services.api, by, { text, basedOn, reason });

async function readPrices() {
  return Promise.all(
    servers.map(async (server) => {
      const model = await readJson(await getPath(server, key, `/models/${testModels.cheap}`));
      return at(model, "pricing.completion");
    }),
  );
}

const awaitPrice = (price: string) =>
  eventually(`the price ${price} on both`, async () =>
    (await readPrices()).every((each) => each === price),
  );

/** The fault's message. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return String(error);
  }
  return "not refused";
}

test("an edit is in force on every instance, whatever their files say, and after a reload and a start", async () => {
  const { id } = await edit(priced("0.123"), 0);
  const appliedAtMs = performance.now();
  await awaitPrice("0.000000123");
  console.log(
    `an edit is on both servers ${(performance.now() - appliedAtMs).toFixed(0)} ms later`,
  );
  for (const { services } of servers) await services.catalog.reload();
  await awaitPrice("0.000000123");
  const third = await startTestServer({ site });
  expect(third.services.catalog.files.text()).toBe(priced("0.123"));
  await third.close();
  const shown = await verbs.catalog.show.run(first().services.api, by, {});
  expect(shown).toMatchObject({ id, isEdited: true, text: priced("0.123") });
  expect(shown.texts).toMatchObject([{ id, appliedBy: by.name, reason }]);
});

test("of two edits of the same text the second is refused, and nothing of it is applied", async () => {
  const { id } = await verbs.catalog.show.run(first().services.api, by, {});
  const outcomes = await Promise.allSettled([edit(priced("0.2"), id), edit(priced("0.3"), id)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await refusalOf(edit(priced("0.4"), id))).toContain("meanwhile");
  const [price] = await readPrices();
  expect(["0.0000002", "0.0000003", "0.000000123"]).toContain(String(price));
});

test("a text with a mistake is refused, which names it", async () => {
  expect(
    await refusalOf(
      verbs.catalog.edit.run(first().services.api, by, { text: "models: 7", reason }),
    ),
  ).toContain("models");
});

test("a rollback applies an earlier text, and a release the files", async () => {
  const { texts } = await verbs.catalog.show.run(first().services.api, by, {});
  const earliest = texts.at(-1)?.id ?? 0;
  await verbs.catalog.rollback.run(first().services.api, by, { id: earliest, reason });
  await awaitPrice("0.000000123");
  await verbs.catalog.release.run(first().services.api, by, { reason });
  const file = await readJson(await getPath(first(), key, `/models/${testModels.cheap}`));
  expect(at(file, "pricing.completion")).toBeDefined();
  await awaitPrice("0.0000004");
  expect(
    await refusalOf(verbs.catalog.rollback.run(first().services.api, by, { id: 9_999, reason })),
  ).toContain("no text");
});
