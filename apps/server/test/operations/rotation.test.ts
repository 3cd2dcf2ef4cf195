// Secrets that are replaced while servers run, as docs/operations.md says: at every moment two servers run, the one
// that was restarted and the one that was not yet, and both serve. Provider keys are in models/200-rotated-key.test.ts,
// webhook secrets in stripe-webhook/200-credited.test.ts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId, type TopUpId } from "@turnpike/base";
import { createTopUp } from "@turnpike/billing";
import { startScriptedStripe } from "@turnpike/testing";
import {
  at,
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  readMoney,
  startTestServer,
  type TestServer,
  type TestSite,
} from "../harness/index.ts";
import { ask, openManaged } from "../management/open-management.fixture.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(async () => {
  await expectCleanBooks(site);
  await site.close();
});

const serverTimes = { workInboxEveryMs: 20 };

async function withTwo(
  environments: readonly Readonly<Record<string, string>>[],
  use: (...servers: readonly [TestServer, TestServer]) => Promise<void>,
): Promise<void> {
  const [first = {}, second = {}] = environments;
  const servers = [
    await startTestServer({ site, environment: first, serverTimes }),
    await startTestServer({ site, environment: second, serverTimes }),
  ] as const;
  try {
    await use(...servers);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

test("SEALING_KEY: in two rounds of restarts each server opens what any other one sealed", async () => {
  const [old, next] = [
    "the-old-key-which-sealed-everything",
    "the-new-key-which-seals-from-now-on",
  ];
  const rounds = [
    [old, `${old},${next}`],
    [`${old},${next}`, `${next},${old}`],
    [`${next},${old}`, `${next},${old}`],
  ].map((keys) => keys.map((key) => ({ SEALING_KEY: key })));
  const account = await openManaged(site);
  const generations: unknown[] = [];
  for (const environments of rounds) {
    await withTwo(environments, async (...servers) => {
      const [{ baseUrl }] = servers;
      const setting = `POST /management/projects/${account.id}/prompts`;
      await ask({ baseUrl }, account.managementKey, setting, { days: 30, redacts: false });
      for (const server of servers) {
        const answer = await postChat(server, account.key, chatBody({ deltas: 1 }));
        generations.push(at(await answer.json(), "id"));
        await server.services.promptLog.settled();
      }
      for (const server of servers) {
        for (const id of generations) {
          const path = `GET /management/requests/${id}/prompt`;
          expect((await ask(server, account.managementKey, path)).status).toBe(200);
        }
      }
    });
  }
});

test("STRIPE_SECRET_KEY: top-ups begun with either key are credited, also once the old one has expired", async () => {
  const stripe = await startScriptedStripe();
  const { secretKey, expireOld } = stripe.rollKey();
  const environment = { ...stripe.environment, THROTTLE_SCALE: "1000" };
  const account = await openAccount(site, { usd: "0" });
  const rolled = { ...environment, STRIPE_SECRET_KEY: secretKey };
  await withTwo([environment, rolled], async (...servers) => {
    const sessions = [];
    for (const { owner, services } of servers) {
      const { checkoutUrl } = await createTopUp(owner.db, services.billing, {
        attemptId: newId<TopUpId>(),
        accountId: account.id,
        personId: account.personId,
        amountUsd: "10",
      });
      sessions.push(checkoutUrl.split("/").at(-1) ?? "");
    }
    await servers[0].close();
    expireOld();
    stripe.deliverTo(servers[1].url);
    for (const session of sessions) stripe.pay(session);
    await stripe.delivered();
    while ((await readMoney(site, account.id)).balanceNanos < 20_000_000_000n) await Bun.sleep(20);
  });
  await stripe.close();
});
