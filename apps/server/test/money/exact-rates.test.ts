// Two and three real servers on one database admit exactly what the limits of a key, a project and an account
// allow, whichever of them the calls reach, and if one of them is killed.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { type Script, type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  at,
  chatBody,
  declareSilent,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  openTestSite,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { eventually } from "./read-requests.ts";

setDefaultTimeout(180_000);

const environment = { CALLS_PER_ACCOUNT_MAX: "1000", CALLS_PER_KEY_MAX: "1000" };
const times = {
  heartbeatMs: 200,
  // No server is considered dead because the machine is busy: a test says which one is.
  heartbeatLapseMs: 120_000,
  silentMs: 150_000,
  reapEveryMs: 200,
  // So that a busy machine does not fall back on shares.
  countRateMs: 60_000,
};

const kinds = ["key", "project", "account"] as const;
type Kind = (typeof kinds)[number];
type Limits = {
  readonly requests_per_minute?: number;
  readonly tokens_per_minute?: number;
  readonly concurrency?: number;
};

let site: TestSite;
let servers: SpawnedServer[];
beforeAll(async () => {
  site = await openTestSite({ environment });
  servers = await Promise.all([1, 2, 3].map(() => spawnServer(site.environment, { times })));
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await site.close();
});

function serverAt(index: number): SpawnedServer {
  const server = servers[index];
  if (server === undefined) throw new Error("no server was started");
  return server;
}

/** An account no server has heard of, with a limit of this kind. */
async function openLimited(kind: Kind, limits: Limits): Promise<TestAccount> {
  const account = await openAccount(site);
  const tables = { key: "api_keys", project: "projects", account: "accounts" } as const;
  // The key is of the default project, which has the id of its account.
  const id = kind === "key" ? account.keyId : account.id;
  const { sql } = site.owner;
  await sql`update ${sql(tables[kind])} set ${sql(limits)} where id = ${id}`;
  return account;
}

/** `each` short calls to each of the servers at once. */
async function flood(account: TestAccount, each: number, among: readonly SpawnedServer[]) {
  const startedAtMs = performance.now();
  const answers = await Promise.all(
    among.flatMap((server, index) =>
      Array.from({ length: each }, (_, call) =>
        askChat(server, {
          key: account.key,
          name: `rates ${account.id} ${index} ${call}`,
          body: chatBody({ deltas: 1 }),
        }),
      ),
    ),
  );
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(served.length + refused.length).toBe(answers.length);
  return { served, refused, tookMs: performance.now() - startedAtMs };
}

function expectRefusals(refused: readonly Received[], kind: Kind, limit: string): void {
  for (const { error, headers } of refused) {
    expect(at(error, "code")).toBe("rate_limit_exceeded");
    expect(at(error, "metadata")).toMatchObject({ limit_source: `${kind}_limit`, limit });
    const subject = kind === "key" ? "API key" : kind;
    expect(String(at(error, "message"))).toStartWith(`This ${subject} is limited to ${limit}.`);
    const waitSeconds = Number(headers.get("retry-after"));
    expect(waitSeconds).toBeGreaterThanOrEqual(1);
    expect(waitSeconds).toBeLessThanOrEqual(60);
  }
}

function heldBody(tag: string, script: Script): JsonObject {
  return chatBody({ tag, ...script }, { max_tokens: 100, stream: true });
}

let tags = 0;
/** `each` calls that stay at the upstream, to each of the servers at once; `end` lets them end. */
async function hold(account: TestAccount, each: number, among: readonly SpawnedServer[]) {
  tags += 1;
  const tag = `rates-${String(tags).padStart(6, "0")}`;
  const refused: Received[] = [];
  const admitted = () => site.upstream.requests.filter((request) => request.tag === tag).length;
  const body = heldBody(tag, { headGate: true, status: 400 });
  const calls = among.flatMap((server, index) =>
    Array.from({ length: each }, async (_, call) => {
      const name = `${tag} ${index} ${call}`;
      const received = await askChat(server, { key: account.key, name, body });
      if (received.status === 429) refused.push(received);
    }),
  );
  await eventually(
    "every call to be refused or admitted",
    async () => refused.length + admitted() >= calls.length,
  );
  const end = async () => {
    site.upstream.open(tag);
    await Promise.all(calls);
  };
  return { admitted: admitted(), refused, end };
}

describe.each([...kinds])("of a %s", (kind) => {
  test.each([2, 3])("requests per minute admit exactly the limit at %d servers", async (count) => {
    const account = await openLimited(kind, { requests_per_minute: 40 });
    const { served, refused, tookMs } = await flood(account, 40, servers.slice(0, count));
    const refilled = Math.floor((tookMs * 40) / 60_000);
    expect(served.length).toBeGreaterThanOrEqual(40);
    expect(served.length).toBeLessThanOrEqual(40 + refilled);
    expectRefusals(refused, kind, "40 requests per minute");
    expect(refused[0]?.headers.get("x-ratelimit-limit-requests")).toBe("40");
    expect(refused[0]?.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  });

  test.each([2, 3])("tokens per minute admit exactly the limit at %d servers", async (count) => {
    const among = servers.slice(0, count);
    const measured = await openLimited(kind, { tokens_per_minute: 1_000_000 });
    const alone = await hold(measured, 1, [serverAt(0)]);
    const [row] = await site.owner.sql<{ used: number }[]>`
      select used from rate_buckets where account_id = ${measured.id} and name = ${`${kind}_tokens`}`;
    await alone.end();
    const each = Number(row?.used);
    expect(each).toBeGreaterThan(100);
    const limit = Math.floor(each * 10.5);
    const account = await openLimited(kind, { tokens_per_minute: limit });
    const startedAtMs = performance.now();
    const first = await hold(account, 10, among);
    const refilled = ((performance.now() - startedAtMs) * limit) / 60_000;
    expect(first.admitted).toBeGreaterThanOrEqual(10);
    expect(first.admitted).toBeLessThanOrEqual(Math.floor((limit + refilled) / each));
    expectRefusals(first.refused, kind, `${limit} tokens per minute`);
    await first.end();
  });

  test("tokens that a call used beyond what was expected are missing at every server", async () => {
    const account = await openLimited(kind, { tokens_per_minute: 1_000 });
    const usage = { prompt_tokens: 10, completion_tokens: 90_000, total_tokens: 90_010 };
    const body = chatBody({ deltas: 1, usage });
    expect(
      await askChat(serverAt(0), { key: account.key, name: `over ${account.id}`, body }),
    ).toMatchObject({
      status: 200,
    });
    for (const server of servers.slice(1)) {
      const refused = await eventually("the debt to be known", async () => {
        const { served, refused } = await flood(account, 1, [server]);
        return served.length === 0 && refused;
      });
      expectRefusals(refused, kind, "1000 tokens per minute");
      expect(refused[0]?.headers.get("retry-after")).toBe("60");
    }
  });

  test.each([2, 3])("concurrent calls are exactly the limit at %d servers", async (count) => {
    for (const limit of [1, 7, 40]) {
      const account = await openLimited(kind, { concurrency: limit });
      const among = servers.slice(0, count);
      const first = await hold(account, limit, among);
      expect(first.admitted).toBe(limit);
      expectRefusals(first.refused, kind, `${limit} concurrent requests`);
      await first.end();
      // Every slot is free again, wherever it was.
      const second = await eventually("all slots to be free", async () => {
        const outcome = await hold(account, limit, among.slice(1, 2));
        await outcome.end();
        return outcome.admitted === limit && outcome;
      });
      expect(second.refused).toHaveLength(0);
    }
  });

  test("one request a minute is admitted whichever server it reaches", async () => {
    for (const server of servers) {
      const account = await openLimited(kind, { requests_per_minute: 1 });
      expect((await flood(account, 1, [server])).served).toHaveLength(1);
      const { served, refused, tookMs } = await flood(account, 3, servers);
      expect(served.length).toBeLessThanOrEqual(Math.ceil(tookMs / 60_000));
      expectRefusals(refused, kind, "1 requests per minute");
    }
  });
});

test("a server that is killed takes its slices with it, and its slots come back with its leases", async () => {
  const doomed = await spawnServer(site.environment, { times });
  const survivor = serverAt(0);
  const rates = await openLimited("account", { requests_per_minute: 2_000 });
  const startedAtMs = performance.now();
  // Its demand earns the doomed server a head start.
  let served = 0;
  for (let round = 0; round < 5; round += 1) {
    served += (await flood(rates, 30, [doomed])).served.length;
  }
  const slots = await openLimited("key", { concurrency: 8 });
  const held = await hold(slots, 5, [doomed]);
  expect(held.admitted).toBe(5);
  await doomed.kill();
  const others = await hold(slots, 8, [survivor]);
  expect(others.admitted).toBe(3);
  await others.end();
  await held.end();
  const all = await eventually("the slots of the killed server", async () => {
    await declareSilent(site, doomed);
    const outcome = await hold(slots, 8, [survivor]);
    await outcome.end();
    return outcome.admitted === 8 && outcome;
  });
  expect(all.refused).toHaveLength(0);
  const rest = await flood(rates, 600, servers);
  served += rest.served.length;
  const refilled = ((performance.now() - startedAtMs) * 2_000) / 60_000;
  expect(served).toBeLessThanOrEqual(2_000 + refilled);
});
