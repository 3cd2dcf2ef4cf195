// The public status: what calls met, counted by every instance and kept by day, what operators say about incidents, and
// both from memory while the database is away.
import { afterAll, expect, test } from "bun:test";
import { statusDays, statusHistoryDays } from "@turnpike/db";
import { purgeStatus } from "@turnpike/gateway";
import { verbs } from "@turnpike/operator";
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

const model = testModels.cheap;

async function readStatus(from = server) {
  await from.services.status.refresh();
  return from.services.status.present();
}

async function modelOf(from = server) {
  const found = (await readStatus(from)).models.find(({ id }) => id === model);
  if (found === undefined) throw new Error(`${model} is not in the status`);
  return found;
}

/** Answers are kept for two seconds: each test asks once. */
async function get(path: string): Promise<Response> {
  const answer = await fetch(`${server.url}${path}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  return answer;
}

test("calls of all instances are counted by model and provider; refused requests are no failures", async () => {
  const ask = async (to: typeof server, script: Parameters<typeof chatBody>[0], fields = {}) => {
    await (await postChat(to, account.key, chatBody(script, fields))).text();
  };
  for (let call = 0; call < 4; call += 1) await ask(server, { deltas: 2 }, { stream: true });
  for (let call = 0; call < 4; call += 1) await ask(other, { deltas: 2 });
  for (let call = 0; call < 2; call += 1) await ask(server, { status: 500 });
  for (let call = 0; call < 3; call += 1) await ask(server, { status: 400 });
  await Promise.all([waitForSettled(server), waitForSettled(other)]);
  await other.services.status.refresh();

  const { state, overall, availability, firstTokenMs, providers } = await modelOf();
  expect(state).toBe("operational");
  // 11 answers, of which three were refusals of the request, and 2 failures.
  expect(overall).toBe(0.84615);
  expect(availability).toHaveLength(statusHistoryDays);
  expect(availability.at(-1)).toBe(0.84615);
  expect(availability.slice(0, -1).every((share) => share === null)).toBe(true);
  expect(firstTokenMs.at(-1)).toBeGreaterThan(0);
  expect(providers).toHaveLength(1);
  expect(providers[0]).toMatchObject({ id: "scripted", state: "operational", overall: 0.84615 });
  // Nothing is counted twice.
  expect((await modelOf(other)).overall).toBe(0.84615);
});

test("a route that another instance found broken is out, and its model with it", async () => {
  const route = "('scripted', 'upstream-cheap', now() + interval '1 minute', 1000, false, now())";
  await server.owner.sql.unsafe(`insert into route_health
    (provider, upstream_model, open_until, next_open_ms, credentials_refused, updated_at) values ${route}`);
  const found = await modelOf();
  expect(found.state).toBe("outage");
  expect((await readStatus()).state).toBe("degraded");
  await server.owner.sql`delete from route_health`;
  expect((await modelOf()).state).toBe("operational");
});

test("an incident is on the status and in the feed, from its opening to its end", async () => {
  const { db } = server.services.jobsDatabase;
  const services = { ...server.services.api, db };
  const by = { role: "support", name: "Ada" } as const;
  const reason = "ticket 7";
  const { open, update, resolve, list } = verbs.incident;
  const title = 'Slow <answers> & "errors"';
  const { id } = await open.run(services, by, {
    title,
    text: "We look into it.",
    impact: "degraded",
    model,
    reason,
  });
  expect((await modelOf()).state).toBe("degraded");
  expect((await readStatus()).state).toBe("degraded");
  await update.run(services, by, { id, state: "identified", text: "A provider is down.", reason });
  await resolve.run(services, by, { id, text: "It is over.", reason });
  const late = update.run(services, by, { id, state: "monitoring", text: "No.", reason });
  expect(await late.catch(String)).toContain("is over");
  expect((await list.run(services, by, {})).incidents[0]).toMatchObject({ id, state: "resolved" });

  await server.services.status.refresh();
  const status: unknown = await (await get("/status.json")).json();
  expect(at(status, "state")).toBe("operational");
  expect(at(status, "incidents.0.title")).toBe(title);
  expect(at(status, "incidents.0.updates")).toHaveLength(3);
  expect(at(status, "incidents.0.updates.0.text")).toBe("It is over.");
  const answer = await get("/status/feed.xml");
  expect(answer.headers.get("content-type")).toStartWith("application/atom+xml");
  const feed = await answer.text();
  expect(feed).toContain("<title>Slow &lt;answers&gt; &amp; &quot;errors&quot; (resolved)</title>");
  expect(feed).toContain(`/status#incident-${id}</id>`);
  // Why it was done is for operators only.
  expect(feed + JSON.stringify(status)).not.toContain(reason);
});

test("an incident of everything is said once, and not of each model that works", async () => {
  const services = { ...server.services.api, db: server.services.jobsDatabase.db };
  const by = { role: "support", name: "Ada" } as const;
  const reason = "ticket 9";
  const { id } = await verbs.incident.open.run(services, by, {
    title: "Slow",
    text: "We look into it.",
    impact: "degraded",
    reason,
  });
  await server.services.status.refresh();
  const { state, models, uncalledModels, incidents } = await readStatus();
  expect(state).toBe("degraded");
  expect(incidents[0]).toMatchObject({ title: "Slow", model: "" });
  expect(models.map((one) => one.state)).toEqual(models.map(() => "operational"));
  // Those that nobody called are still only counted.
  expect(models.length + uncalledModels).toBeGreaterThan(models.length);
  await verbs.incident.resolve.run(services, by, { id, text: "It is over.", reason });
});

/** Every instance reads the status half a minute after its start anyway. */
const endsBeforeReadingMs = 20_000;

test(
  "what is published by one instance is read by all at once",
  async () => {
    const services = { ...server.services.api, db: server.services.jobsDatabase.db };
    const by = { role: "support", name: "Ada" } as const;
    const fields = { title: "Slow", text: "We look into it.", reason: "ticket 8" } as const;
    const { id } = await verbs.incident.open.run(services, by, { ...fields, impact: "degraded" });
    const updatesOf = ({ services: { status } }: typeof server) =>
      status.present().incidents.find((incident) => String(incident.id) === id)?.updates.length;
    for (const each of [server, other]) while (updatesOf(each) !== 1) await Bun.sleep(5);
    await verbs.incident.resolve.run(services, by, { id, text: "It is over.", reason: "ticket 8" });
    for (const each of [server, other]) while (updatesOf(each) !== 2) await Bun.sleep(5);
  },
  endsBeforeReadingMs,
);

test("while the database is away the last known state is answered, with its age", async () => {
  const known = await readStatus(other);
  await other.services.jobsDatabase.close();
  await other.services.status.refresh();
  const { readAt, ageSeconds, models, incidents } = other.services.status.present();
  expect(readAt).toBe(known.readAt);
  expect(ageSeconds).toBeGreaterThanOrEqual(0);
  expect(models).toEqual(known.models);
  expect(incidents).toEqual(known.incidents);
  expect(await (await fetch(`${other.url}/status.json`)).json()).toMatchObject({ readAt });
});

test("days that are no longer shown are deleted, in slices", async () => {
  const { db } = server.services.jobsDatabase;
  const before = await db.$count(statusDays);
  await server.owner.sql`
    insert into status_days (day, model, provider, answered, failed, first_tokens)
    select current_date - 91 - (n % 3), 'm' || n, '', 1, 0, '{}' from generate_series(1, 4500) n`;
  expect(await purgeStatus(db)).toBe(4_500);
  expect(await db.$count(statusDays)).toBe(before);
});
