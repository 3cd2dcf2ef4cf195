// Decisions about an account or a key take effect on every server within about a second,
// whatever its leases have reserved; and a server that was frozen grants nothing from leases that
// others closed.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { noLimits, revokeApiKey, suspendAccount, updateApiKey } from "@turnpike/keys";
import { toNanos } from "@turnpike/terms";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  readMoney,
  scripted,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";
import { withdraw } from "./set-balance.ts";

setDefaultTimeout(180_000);

/** Shorter than the ten seconds a key stays cached, and than a lease of a busy key would otherwise last. */
const feltWithinMs = 9_000;

let site: TestSite;
let running: SpawnedServer[] = [];

beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog });
});
afterEach(async () => {
  // A server that shuts down cleanly releases what it had reserved.
  await Promise.all(running.map((server) => server.kill("SIGTERM")));
  running = [];
  await expectCleanBooks(site);
});
afterAll(() => site.close());

async function start(times: Readonly<Record<string, number>> = {}): Promise<SpawnedServer> {
  const server = await spawnServer(site.environment, { times });
  running.push(server);
  return server;
}

let calls = 0;

function ask(server: SpawnedServer, account: TestAccount): Promise<Received> {
  calls += 1;
  const body = { model: oddModel, messages: [scripted({ deltas: 1 })], max_tokens: 20 };
  return askChat(server, { key: account.key, name: `call ${calls}`, body });
}

type Decision = {
  readonly decided: string;
  readonly decide: (account: TestAccount) => Promise<unknown>;
  readonly refusal: { readonly status: number; readonly code: string };
};

const decisions: readonly Decision[] = [
  {
    decided: "a suspended account",
    decide: (account) => suspendAccount(site.owner.db, account.id),
    refusal: { status: 403, code: "account_suspended" },
  },
  {
    decided: "a frozen account",
    decide: (account) => withdraw(site, account.id, 10_000_000_000n),
    refusal: { status: 402, code: "insufficient_quota" },
  },
  {
    decided: "a revoked key",
    decide: (account) => revokeApiKey(site.owner.db, account.keyId),
    refusal: { status: 401, code: "invalid_api_key" },
  },
  {
    decided: "a lowered limit",
    decide: ({ id: accountId, keyId: id }) =>
      updateApiKey(
        site.owner.db,
        { accountId, id },
        {
          limits: { ...noLimits, spendLimitNanos: { total: toNanos(1n) } },
        },
      ),
    refusal: { status: 402, code: "insufficient_quota" },
  },
];

test.each([...decisions])(
  "$decided is refused by both servers while they are busy",
  async (decision) => {
    const account = await openAccount(site);
    const servers = await Promise.all([start(), start()]);
    for (const server of [...servers, ...servers]) {
      expect(await ask(server, account)).toMatchObject({ status: 200 });
    }
    await decision.decide(account);
    for (const server of servers) {
      const received = await eventually(
        `${decision.decided} to be refused`,
        async () => {
          const answer = await ask(server, account);
          return answer.status !== 200 && answer;
        },
        feltWithinMs,
      );
      expect(received.status).toBe(decision.refusal.status);
      expect(received.error).toMatchObject({ code: decision.refusal.code });
    }
  },
);

test("a server stopped until others consider it dead grants nothing from its old leases, and charges late within the hold", async () => {
  const quick = {
    heartbeatMs: 200,
    // A busy machine may delay a heartbeat by a second, and its process would end the answer by itself.
    heartbeatLapseMs: 3_000,
    silentMs: 4_000,
    reapEveryMs: 200,
  };
  const account = await openAccount(site);
  await start(quick);
  const stopped = await start(quick);
  const begun = Promise.withResolvers<void>();
  const name = "stopped";
  const messages = [scripted({ tag: name, endless: true, paceMs: 5 })];
  const asked = askChat(stopped, {
    key: account.key,
    name,
    body: { model: oddModel, messages, stream: true },
    onText: (text) => text.length > 2_000 && begun.resolve(),
  });
  await begun.promise;
  process.kill(stopped.pid, "SIGSTOP");
  await eventually("its leases to be closed", async () => {
    const { heldNanos } = await readMoney(site, account.id);
    return heldNanos === 0n;
  });
  const closed = await site.owner.sql<{ id: string }[]>`
    select id from leases where account_id = ${account.id}`;
  process.kill(stopped.pid, "SIGCONT");
  // Refused, or paid by a lease opened since.
  expect((await ask(stopped, account)).status).toBeOneOf([200, 503]);
  const received = await asked;
  expect(received).toMatchObject({ status: 200, complete: false });
  expect(received.error).toMatchObject({ code: "shutting_down" });
  const row = await awaitRequest(site, name);
  expect(row.state).toBe("late_settled");
  expect(row.completionTokens).toBe(received.tokens);
  expect(row.chargedNanos).toBeLessThanOrEqual(row.heldNanos);
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  const paid = await site.owner.sql`
    select 1 from requests where lease_id in ${site.owner.sql(closed.map(({ id }) => id))}`;
  expect(paid).toHaveLength(0);
});
