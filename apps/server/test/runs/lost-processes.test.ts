// Runs on several instances: each is read on any of them, and one whose process dies has failed, for those who poll and those who read
// its events.
import { expect, setDefaultTimeout, test } from "bun:test";
import { runsOf, type SpawnedServer, searchTimeoutMs } from "@turnpike/testing";
import {
  asObject,
  awaitReaped,
  chatBody,
  expectCleanBooks,
  openAccount,
  postChat,
  readCharges,
  useSpawnedServers,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { parseNamedEvents } from "../responses/post-responses.ts";
import { runsEnvironment, useRuns } from "./use-runs.fixture.ts";

setDefaultTimeout(180_000);

const { site, start } = await useSpawnedServers(
  { environment: runsEnvironment },
  { endLostRunsEveryMs: 100 },
);

const runsAtOnce = 40;
const waves = runsOf({ short: 1, long: 25 });

const at = (server: SpawnedServer) => useRuns(site, () => server.baseUrl);

test(
  "many runs are resumed from random events on another instance, byte for byte",
  async () => {
    const [here, there] = [await start(), await start()];
    const { key } = await openAccount(site);
    const resume = async () => {
      const { id } = await at(here).create({ deltas: 30, paceMs: 2 }, key);
      const whole = at(here).readStream(id, key);
      const after = Math.floor(Math.random() * 35);
      const resumed = await at(there).readStream(id, key, after);
      const frames = (await whole).split(/(?<=\n\n)/);
      expect(frames.length).toBeGreaterThan(30);
      expect(resumed).toBe(frames.slice(after + 1).join(""));
      expect(await at(there).awaitEnded(id, key)).toMatchObject({ status: "completed" });
    };
    for (let wave = 0; wave < waves; wave += 1) {
      await Promise.all(Array.from({ length: runsAtOnce }, resume));
    }
    await expectCleanBooks(site);
  },
  searchTimeoutMs,
);

test("a run on another instance is cancelled from here", async () => {
  const [here, there] = [await start(), await start()];
  const account = await openAccount(site);
  const { id } = await at(here).create({ endless: true, paceMs: 5 }, account.key);
  await eventually("it to write", async () => (await at(here).countRows(account)).events > 1);
  expect(await at(there).cancel(id, account.key)).toMatchObject({ id, status: "cancelled" });
  await expectCleanBooks(site);
});

test("a response whose process is killed has failed, and ends its events so; nothing is charged", async () => {
  const [victim, heir] = [await start(), await start()];
  const account = await openAccount(site);
  const { id } = await at(victim).create({ endless: true, paceMs: 5 }, account.key);
  await eventually("it to write", async () => (await at(heir).countRows(account)).events > 1);
  const reading = at(heir).readStream(id, account.key);
  await victim.kill("SIGKILL");
  await awaitReaped(site, victim, account.id);
  const events = parseNamedEvents(await reading);
  expect(events.at(-1)).toMatchObject({
    type: "response.failed",
    sequence_number: events.length - 1,
  });
  const failed = await at(heir).awaitEnded(id, account.key);
  expect(failed).toMatchObject({ status: "failed", error: { code: "server_error" } });
  expect(asObject(events.at(-1)).response).toEqual(failed);
  expect(await readCharges(site, account)).toEqual([]);
  await expectCleanBooks(site);
});

test("a response that was charged and stored before its process is killed has completed", async () => {
  const account = await openAccount(site);
  const victim = await start("after-done:1");
  const heir = await start();
  const { id } = await at(victim).create({ text: "Just in time." }, account.key);
  expect((await victim.exited).signal).toBe("SIGKILL");
  await awaitReaped(site, victim, account.id);
  expect(await at(heir).awaitEnded(id, account.key)).toMatchObject({ status: "completed" });
  await eventually("its events to end", async () => {
    const events = parseNamedEvents(await at(heir).readStream(id, account.key));
    return events.at(-1)?.type === "response.completed";
  });
  expect(await readCharges(site, account)).toHaveLength(1);
  await expectCleanBooks(site);
});

test("a resumable stream whose process is killed breaks off for every reader, and is not taken for whole", async () => {
  const [victim, heir] = [await start(), await start()];
  const account = await openAccount(site);
  const body = chatBody({ endless: true, paceMs: 5 }, { stream: true });
  const headers = { "x-turnpike-resumable": "true" };
  const answer = await postChat(victim, account.key, body, { headers });
  const path = `/generation/${answer.headers.get("x-generation-id")}/stream`;
  await eventually("it to write", async () => (await at(heir).countRows(account)).events > 1);
  const reading = at(heir)
    .ask(path, account.key)
    .then((found) => found.text())
    .then(
      () => "ended",
      () => "broke off",
    );
  await victim.kill("SIGKILL");
  await answer.text().catch(() => undefined);
  await awaitReaped(site, victim, account.id);
  expect(await reading).toBe("broke off");
  await expectCleanBooks(site);
});

test("a run that its own process does not know has failed", async () => {
  const server = await start();
  const account = await openAccount(site);
  const [row] = await site.owner.sql<{ id: string }[]>`
    insert into runs (account_id, id, project_id, key_id, instance_id, kind, kept_seconds, created_at)
    select ${account.id}, gen_random_uuid(), ${account.id}, gen_random_uuid(), i.id, 'stream', 3600,
           now() - interval '2 minutes'
      from instances i where (i.facts->>'pid')::int = ${server.pid}
    returning id`;
  await eventually("it to end", async () => {
    const [run] = await site.owner.sql<{ state: string }[]>`
      select state from runs where account_id = ${account.id} and id = ${row?.id ?? ""}`;
    return run?.state === "failed";
  });
});

test("a process that drains ends its runs, and stores their ends", async () => {
  const [leaving, heir] = [await start(), await start()];
  const account = await openAccount(site);
  const { id } = await at(leaving).create({ deltas: 40, paceMs: 5 }, account.key);
  expect(await leaving.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await at(heir).retrieve(id, account.key)).toMatchObject({ status: "completed" });
  await expectCleanBooks(site);
});
