// Rate limits that are set over the management API at one of two servers: both refuse what is beyond them, name whose
// limit it is, and count together.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  at,
  chatBody,
  expectCleanBooks,
  openTestSite,
  postChat,
  readJson,
  type TestSite,
} from "../harness/index.ts";
import { ask, type Managed, openManaged } from "./open-management.fixture.ts";

setDefaultTimeout(180_000);

let site: TestSite;
let first: SpawnedServer;
let second: SpawnedServer;
beforeAll(async () => {
  site = await openTestSite();
  // So that a busy machine does not fall back on shares.
  const times = { countRateMs: 60_000 };
  [first, second] = await Promise.all([
    spawnServer(site.environment, { times }),
    spawnServer(site.environment, { times }),
  ]);
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await Promise.all([first.kill(), second.kill()]);
  await site.close();
});

/** The default project has the id of its account. */
const projectPath = ({ id }: Managed) => `/management/projects/${id}/limits`;
const accountPath = () => "/management/account/limits";

async function call(server: SpawnedServer, { key }: Managed) {
  const answer = await postChat(server, key, chatBody({ deltas: 1 }));
  return { status: answer.status, body: await readJson(answer) };
}

/** Until a call of the server is answered so: it knows a change soon, by notification. */
async function waitFor(server: SpawnedServer, account: Managed, status: number) {
  for (;;) {
    const answer = await call(server, account);
    if (answer.status === status) return answer;
    await Bun.sleep(50);
  }
}

async function change(server: SpawnedServer, account: Managed, path: string, limits: object) {
  const { status } = await ask(server, account.managementKey, `PATCH ${path}`, limits);
  expect(status).toBe(200);
}

test.each([
  ["project", projectPath],
  ["account", accountPath],
] as const)("a limit of the %s holds at both servers and ends at both", async (kind, pathOf) => {
  const account = await openManaged(site);
  const path = pathOf(account);
  // Both servers know the key, without a limit.
  for (const server of [first, second]) expect((await call(server, account)).status).toBe(200);

  await change(first, account, path, { requests_per_minute: 1 });
  for (const server of [first, second]) {
    const { body } = await waitFor(server, account, 429);
    expect(at(body, "error.code")).toBe("rate_limit_exceeded");
    expect(at(body, "error.metadata")).toMatchObject({
      limit_source: `${kind}_limit`,
      limit: "1 requests per minute",
    });
  }

  await change(second, account, path, { requests_per_minute: null });
  for (const server of [first, second]) await waitFor(server, account, 200);
  for (const server of [first, second]) expect((await call(server, account)).status).toBe(200);
});

test.each([
  ["project", projectPath],
  ["account", accountPath],
] as const)(
  "one call a minute of the %s passes, whichever server it reaches",
  async (_, pathOf) => {
    for (const server of [first, second]) {
      const account = await openManaged(site);
      await change(first, account, pathOf(account), { requests_per_minute: 1 });
      const startedAtMs = performance.now();
      expect((await call(server, account)).status).toBe(200);
      const rest = await Promise.all(
        [first, second, first, second].map((one) => call(one, account)),
      );
      const passed = rest.filter(({ status }) => status === 200);
      expect(passed.length).toBeLessThanOrEqual(
        Math.floor((performance.now() - startedAtMs) / 60_000),
      );
    }
  },
);
