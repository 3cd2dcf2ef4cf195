// The public list and page of models say what the calls of all instances met, from memory.
import { afterAll, expect, test } from "bun:test";
import { openBrowser } from "../console/browser.fixture.ts";
import {
  at,
  chatBody,
  openTestSite,
  postChat,
  startTestServer,
  testModels,
  useServer,
  waitForSettled,
} from "../harness/index.ts";

const site = await openTestSite();
const { server, account } = await useServer(startTestServer({ site }));
const other = await startTestServer({ site });
afterAll(async () => {
  await other.close();
  await site.close();
});

const unknown = {
  recentAvailability: null,
  monthAvailability: null,
  firstTokenMs: null,
  tokensPerSecond: null,
};

async function readModel(id: string, from = server): Promise<unknown> {
  const { data } = await openBrowser(from.url).query("models.detail", { id });
  return data;
}

async function readListed(id: string, from = server): Promise<unknown> {
  const { data } = await openBrowser(from.url).query("models.list");
  const models: readonly unknown[] = Array.isArray(data) ? data : [];
  return models.find((model) => at(model, "id") === id);
}

test("a model and its routes show the availability and first-token time of calls on all instances", async () => {
  const ask = async (to: typeof server, script: Parameters<typeof chatBody>[0]) => {
    await (await postChat(to, account.key, chatBody(script, { stream: true }))).text();
  };
  for (let call = 0; call < 4; call += 1) await ask(server, { deltas: 2 });
  for (let call = 0; call < 4; call += 1) await ask(other, { deltas: 2 });
  for (let call = 0; call < 2; call += 1) await ask(server, { status: 500 });
  await Promise.all([waitForSettled(server), waitForSettled(other)]);
  await other.services.status.refresh();
  await server.services.status.refresh();

  const counted = { recentAvailability: 0.8, monthAvailability: 0.8 };
  const model = await readModel(testModels.cheap);
  expect(at(model, "figures")).toMatchObject(counted);
  expect(at(model, "figures.firstTokenMs")).toBeGreaterThan(0);
  expect(at(model, "routes")).toHaveLength(1);
  expect(at(model, "routes.0")).toMatchObject({ provider: "scripted", works: true, ...counted });
  expect(at(await readListed(testModels.cheap), "figures")).toEqual(at(model, "figures"));
  expect(model).toMatchObject({ lab: "test", providers: ["scripted"], inputs: ["text"] });
  // What a route is called upstream, and how many calls there were, is not published.
  expect(JSON.stringify(model)).not.toContain("upstream-cheap");
  expect(JSON.stringify(model)).not.toContain("answered");
});

test("the hours of a day are counted on from a version that did not count them", async () => {
  await server.owner.sql`
    insert into status_days (day, model, provider, answered, failed, first_tokens)
    values ((now() at time zone 'UTC')::date, ${testModels.plain}, '', 0, 15, '{}')`;
  for (let call = 0; call < 5; call += 1) {
    const body = { ...chatBody({ deltas: 1 }), model: testModels.plain };
    expect((await postChat(server, account.key, body)).status).toBe(200);
  }
  await waitForSettled(server);
  await server.services.status.refresh();
  expect(at(await readModel(testModels.plain), "figures")).toMatchObject({
    recentAvailability: 1,
    monthAvailability: 0.25,
  });
  const [row] = await server.owner.sql<{ hours: number[]; last: number[] }[]>`
    select array_to_json(answered_by_hour) as hours,
           json_build_array(date_part('hour', now() at time zone 'UTC'),
             date_part('hour', now() at time zone 'UTC' - interval '2 minutes')) as last
      from status_days where model = ${testModels.plain} and provider = ''`;
  expect(row?.hours).toHaveLength(24);
  const hour = row?.hours.findIndex((count) => count > 0) ?? -1;
  expect(row?.last).toContain(hour);
  expect(row?.hours[hour]).toBe(5);
});

test("a model that nobody called has no figures", async () => {
  const model = await readModel(testModels.vision);
  expect(at(model, "figures")).toEqual(unknown);
  expect(at(model, "routes.0")).toMatchObject({ ...unknown, works: true });
});

test("tokens per second are those that an instance measured on the route", async () => {
  const measured = "('scripted', 'upstream-plain', 1000, false, 81.5, now())";
  await server.owner.sql.unsafe(`insert into route_health
    (provider, upstream_model, next_open_ms, credentials_refused, tokens_per_second, updated_at) values ${measured}`);
  await server.services.status.refresh();
  const model = await readModel(testModels.plain);
  expect(at(model, "figures.tokensPerSecond")).toBe(81.5);
  expect(at(model, "routes.0.tokensPerSecond")).toBe(81.5);
});

test("the list, and a page that was just seen, are answered without asking the database", async () => {
  await other.services.status.refresh();
  const seen = await readModel(testModels.cheap, other);
  expect(at(seen, "priceHistory")).toHaveLength(1);
  await Promise.all([
    other.services.jobsDatabase.close(),
    other.services.consoleDatabase.close(),
    other.services.database.close(),
  ]);
  const listed = await readListed(testModels.cheap, other);
  expect(at(listed, "figures.monthAvailability")).toBe(0.8);
  expect(await readModel(testModels.cheap, other)).toEqual(seen);
});
