// Two real servers on one database share the limits that each counts in its memory: together they admit
// what the owner of the key allowed, not twice that.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type KeyLimits, mintApiKey, noLimits } from "@turnpike/keys";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "./read-requests.ts";

let site: TestSite;
let servers: SpawnedServer[];
let account: TestAccount;
beforeAll(async () => {
  site = await openTestSite({ environment: { HEARTBEAT_MS: "100", DRAIN_NOTICE_MS: "0" } });
  servers = [await spawnServer(site.environment), await spawnServer(site.environment)];
  account = await openAccount(site);
  await waitForInstances(2);
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await site.close();
});

async function waitForInstances(count: number) {
  for (const { url } of servers.slice(0, count)) {
    await eventually(`${count} instances to be seen`, async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return new RegExp(`^turnpike_instances ${count}$`, "m").test(text);
    });
  }
}

async function mint(limits: Partial<KeyLimits>): Promise<string> {
  const { key } = await mintApiKey(site.owner.db, {
    accountId: account.id,
    createdBy: account.personId,
    name: "limited",
    limits: { ...noLimits, ...limits },
  });
  return key;
}

type Answer = { readonly response: Response; readonly status: number; readonly text: string };

/** Sends `each` calls to each server; the answers by server. */
function flood(key: string, each: number): Promise<Answer[][]> {
  const ask = async (server: SpawnedServer) => {
    const response = await postChat(server, key, chatBody({ deltas: 1 }));
    return { response, status: response.status, text: await response.text() };
  };
  return Promise.all(
    servers.map((server) => Promise.all(Array.from({ length: each }, () => ask(server)))),
  );
}

const served = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status === 200).length;

const minuteMs = 60_000;

test("requests per minute of a key apply to both servers together, and both serve it", async () => {
  const key = await mint({ requestsPerMinute: 20 });
  const startedAtMs = performance.now();
  const counts = (await flood(key, 30)).map(served);
  const refilled = Math.ceil(((performance.now() - startedAtMs) * 20) / 60_000);
  const sum = counts.reduce((total, count) => total + count);
  expect(sum).toBeGreaterThanOrEqual(20);
  expect(sum).toBeLessThanOrEqual(20 + refilled);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(10);
});

test("one request per minute is granted once each minute, and the other server says when its turn is", async () => {
  const key = await mint({ requestsPerMinute: 1 });
  const startedAtMs = Date.now();
  const answers = await flood(key, 5);
  const endedAtMs = Date.now();
  const minutes = Math.floor(endedAtMs / minuteMs) - Math.floor(startedAtMs / minuteMs) + 1;
  const granted = served(answers.flat());
  expect(granted).toBeGreaterThanOrEqual(1);
  expect(granted).toBeLessThanOrEqual(minutes);
  for (const { response, text } of answers.flat().filter(({ status }) => status === 429)) {
    const waitSeconds = Number(/Please try again in (\d+)s/.exec(text)?.[1]);
    // No client waits for more than a minute; after that it is told the rest.
    expect(response.headers.get("retry-after")).toBe(String(Math.min(60, waitSeconds)));
    const waitMs = waitSeconds * 1_000;
    expect(waitMs).toBeLessThanOrEqual(2 * minuteMs);
    // A turn begins with a minute; the wait is in whole seconds, and clocks are estimated to within one.
    const turn = Math.floor((endedAtMs + waitMs + 1_000) / minuteMs) * minuteMs;
    expect(turn).toBeGreaterThanOrEqual(startedAtMs + waitMs - 2_000);
  }
});

test("a limit of one concurrent request allows one of them to run it; the other refers the client elsewhere", async () => {
  const key = await mint({ concurrency: 1 });
  const leaving = new AbortController();
  const stall = chatBody({ deltas: 2, ending: "stall" }, { stream: true, max_tokens: 10 });
  const answers = await Promise.all(
    servers.map((server) => postChat(server, key, stall, { signal: leaving.signal })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
  const refusal = answers.find(({ status }) => status === 429);
  expect(refusal?.headers.get("retry-after")).toBe("5");
  expect(refusal?.headers.get("connection")).toBe("close");
  expect(await refusal?.text()).toContain("none of which this server grants");
  leaving.abort();
});

test("the one that remains grants the whole limit", async () => {
  const [server, leaver] = servers;
  if (server === undefined) throw new Error("no server was started");
  await leaver?.kill("SIGTERM");
  await waitForInstances(1);
  const key = await mint({ concurrency: 4 });
  const leaving = new AbortController();
  const stall = chatBody({ deltas: 2, ending: "stall" }, { stream: true, max_tokens: 10 });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => postChat(server, key, stall, { signal: leaving.signal })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429]);
  leaving.abort();
});
