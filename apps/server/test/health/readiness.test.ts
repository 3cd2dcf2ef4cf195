// What `/readyz` derives from the heartbeat's state, in borderline cases that are hard to create reliably
// with a real database.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { HeartbeatStatus } from "@turnpike/ledger";
import { createApp } from "../../src/app.ts";
import { startTestServer, type TestServer } from "../harness/index.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const healthy: HeartbeatStatus = {
  alive: true,
  clock: { offsetMs: 0, wrong: false },
  failure: undefined,
  isAway: false,
  outdated: false,
  instances: 1,
};
const slow = { kind: "slow", reason: "the database did not answer a write in time" } as const;
const unreachable = { kind: "unreachable", reason: "the database is unreachable" } as const;

const metricsToken = "a-token-of-sixteen-and-more";

/** The status and the lines of `/readyz` for a given heartbeat. */
async function readReadiness(known: Partial<HeartbeatStatus>, draining = false) {
  const unused = () => {
    throw new Error("This path asks for nothing of the listener.");
  };
  const prove = () => Promise.resolve({ ...healthy, ...known });
  const heartbeat = { ...server.services.heartbeat, prove };
  const config = { ...server.services.config, METRICS_TOKEN: metricsToken };
  const app = createApp(
    { ...server.services, heartbeat, config },
    {
      server: unused,
      idleSeconds: 60,
      addressOf: () => "203.0.113.7",
      keepUntilSent: unused,
      state: { draining },
    },
  );
  const headers = { authorization: `Bearer ${metricsToken}` };
  const response = await app.fetch(new Request("http://turnpike.example/readyz", { headers }));
  return [response.status, ...(await response.text()).trimEnd().split("\n")];
}

test("one slow write is reported and the instance stays ready, a database that is away makes it not ready", async () => {
  const catalog = expect.stringContaining("catalog ");
  const caller = "you are 203.0.113.7";
  expect(await readReadiness({})).toEqual([200, "ok", catalog, caller]);
  const once = await readReadiness({ failure: slow, isAway: false });
  expect(once).toEqual([200, "ok", catalog, caller, `slow: ${slow.reason}`]);
  expect(await readReadiness({ failure: slow, isAway: true })).toEqual([503, slow.reason]);
});

test("one failure that is not slowness is enough to be not ready", async () => {
  expect(await readReadiness({ failure: unreachable, isAway: false })).toEqual([
    503,
    unreachable.reason,
  ]);
});

test("a lapsed heartbeat is named with its reason if one is known", async () => {
  const lapsed = await readReadiness({ alive: false, failure: slow, isAway: false });
  expect(lapsed).toEqual([503, `heartbeat lapsed: ${slow.reason}`]);
  expect(await readReadiness({ alive: false })).toEqual([503, "heartbeat lapsed"]);
});

test("a wrong clock is named with its direction, before everything else", async () => {
  const clock = (offsetMs: number) =>
    readReadiness({
      clock: { offsetMs, wrong: true },
      alive: false,
      failure: unreachable,
      isAway: false,
    });
  const where = (words: string) => [503, `the clock of this machine is ${words} the database's`];
  expect(await clock(90_500)).toEqual(where("90.5 s ahead of"));
  expect(await clock(-90_500)).toEqual(where("90.5 s behind"));
});

test("a draining instance reports that before everything else", async () => {
  expect(await readReadiness({}, true)).toEqual([503, "draining"]);
  expect(await readReadiness({ alive: false, failure: unreachable }, true)).toEqual([
    503,
    "draining",
  ]);
});
