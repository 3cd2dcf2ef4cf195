// Webhooks of running servers: sent by the job, again after a kill -9, and never with a secret in a log, a mail or the
// database.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import { mintApiKey } from "@turnpike/keys";
import { type SpawnedServer, spawnServer, startWebhookReceiver } from "@turnpike/testing";
import { sealerOf } from "../../src/sealer-of.ts";
import { expectCleanBooks, openAccount, openTestSite, type TestSite } from "../harness/index.ts";

setDefaultTimeout(180_000);

const sealing = { SEALING_KEY: "the-sealing-key-of-the-tests-of-webhooks" };
// 32 bytes that are easy to find.
const key = Buffer.alloc(32, "canary");
const secret = `whsec_${key.toString("base64")}`;

let site: TestSite;
let running: SpawnedServer[] = [];

beforeAll(async () => {
  site = await openTestSite({
    environment: { ...sealing, ALLOW_PRIVATE_WEBHOOKS: "true" },
  });
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.kill()));
  running = [];
  await expectCleanBooks(site);
});
afterAll(() => site.close());

async function start(
  environment: Record<string, string> = {},
  options: { readonly failpoint?: string } = {},
): Promise<SpawnedServer> {
  const server = await spawnServer(
    { ...site.environment, ...environment },
    { times: { sendWebhooksEveryMs: 50 }, ...options },
  );
  running.push(server);
  return server;
}

/** An endpoint of an account, as the console makes it. */
async function addEndpoint(accountId: AccountId, url: string): Promise<void> {
  const id = Bun.randomUUIDv7();
  const sealed = sealerOf(sealing)?.seal(`webhook_endpoints ${id}`, secret);
  await site.owner.sql`insert into webhook_endpoints (account_id, id, url, secret)
    values (${accountId}, ${id}, ${url}, ${sealed ?? null})`;
}

const mint = (accountId: AccountId) =>
  mintApiKey(site.owner.db, { accountId, createdBy: undefined, name: "told" });

test("a server killed between sending and recording leaves a message that another sends again, under its id", async () => {
  await using receiver = startWebhookReceiver();
  const victim = await start({}, { failpoint: "webhook-sent:1" });
  const { id: accountId } = await openAccount(site);
  await addEndpoint(accountId, receiver.url);
  await mint(accountId);
  await receiver.waitFor(1);
  await victim.exited;
  const [first] = receiver.received;
  const attempts = await site.owner.sql`
    select number from webhook_attempts where account_id = ${accountId}`;
  expect(attempts).toHaveLength(0);
  // As if the minute of its claim were over.
  await site.owner.sql`update webhook_messages set send_after = now(), claimed_until = null
    where account_id = ${accountId}`;
  await start();
  await receiver.waitFor(2);
  const [, second] = receiver.received;
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"] ?? "");
  expect(second?.body).toBe(first?.body ?? "");
});

test("two servers send each message once, and no secret is in a log or in the database", async () => {
  await using receiver = startWebhookReceiver();
  const servers = [await start({ LOG_LEVEL: "trace" }), await start({ LOG_LEVEL: "trace" })];
  const { id: accountId } = await openAccount(site);
  await addEndpoint(accountId, receiver.url);
  receiver.answers.push(() => new Response("broken", { status: 500 }));
  const minted = [];
  for (let index = 0; index < 30; index += 1) minted.push(await mint(accountId));
  await receiver.waitFor(30);
  await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(30);
  const states = await site.owner.sql`
    select state, attempts from webhook_messages where account_id = ${accountId}`;
  expect(states.filter((row) => row.state === "accepted").length).toBeGreaterThanOrEqual(29);
  const canaries = [secret, key.toString("base64"), "canarycanary", key.toString("hex")];
  const [dump] = await site.owner.sql`select
    (select string_agg(e::text, '') from webhook_endpoints e) ||
    (select string_agg(v::text, '') from webhook_events v) ||
    (select string_agg(a::text, '') from audit_log a) as text`;
  const seen = [servers.map((server) => server.output()).join(""), String(dump?.text)];
  for (const canary of [...canaries, ...minted.map((one) => one.key)]) {
    for (const place of seen) expect(place.includes(canary)).toBe(false);
  }
});
