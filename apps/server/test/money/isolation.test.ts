// One account in trouble, everybody else untouched: a row somebody has locked, and a row the
// database will not take, cost their own requests and nobody else's.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  expectCleanBooks,
  openAccount,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, readRequests } from "./read-requests.ts";

setDefaultTimeout(180_000);

let server: TestServer;
let others: readonly TestAccount[];

beforeAll(async () => {
  server = await startTestServer({
    catalog: oddCatalog,
    // A hold whose settlement the database refuses is open until its lifetime is over.
    environment: { HOLD_LIFETIME_MS: "1500", REAP_EVERY_MS: "200", SETTLE_WAIT_MS: "1000" },
  });
  others = await Promise.all([1, 2, 3, 4].map(() => openAccount(server)));
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

function ask(account: TestAccount, name: string, script = {}): Promise<Received> {
  const messages = [scripted({ tag: name, ...script })];
  const body = { model: oddModel, messages, stream: true };
  return askChat(server, { key: account.key, name, body });
}

/** Ten calls of each other account, all at once. */
async function askForOthers(why: string): Promise<readonly Received[]> {
  const calls = others.flatMap((account, index) =>
    Array.from({ length: 10 }, (_, number) => ask(account, `${why} ${index} ${number}`)),
  );
  return Promise.all(calls);
}

/** Runs `meanwhile` while another transaction has the account's row. */
async function whileLocked(account: TestAccount, meanwhile: () => Promise<void>): Promise<void> {
  await server.owner.sql.begin(async (transaction) => {
    await transaction`select id from accounts where id = ${account.id} for update`;
    await meanwhile();
  });
}

function expectComplete(received: readonly Received[]): void {
  expect(received.map(({ status, complete }) => ({ status, complete }))).toEqual(
    received.map(() => ({ status: 200, complete: true })),
  );
}

test("while an account is locked, the calls of others are held, answered and settled", async () => {
  const locked = await openAccount(server);
  let waiting: Promise<Received> | undefined;
  await whileLocked(locked, async () => {
    waiting = ask(locked, "locked out");
    expectComplete(await askForOthers("beside a hold"));
    const row = (await readRequests(server)).get("locked out");
    expect(row).toBeUndefined();
  });
  // It waited for its lock, or was told to come again; either way it is not charged twice.
  const received = await waiting;
  expect(received?.status === 200 ? received.complete : received?.status).toBeOneOf([true, 503]);
  expectComplete([await ask(locked, "unlocked")]);
});

test("an answer whose account is locked at its end waits for it, alone", async () => {
  const locked = await openAccount(server);
  const script = { deltas: 5, paceMs: 30 };
  const asked = ask(locked, "locked at the end", script);
  const sent = await server.upstream.waitFor(({ tag }) => tag === "locked at the end");
  let ended = false;
  void asked.then(() => {
    ended = true;
  });
  await whileLocked(locked, async () => {
    expect(await sent.ended).toBe("answered");
    expectComplete(await askForOthers("beside a settlement"));
    expect(ended).toBe(false);
  });
  expectComplete([await asked]);
  expect(await awaitRequest(server, "locked at the end")).toMatchObject({ state: "settled" });
});

test("a hold the database refuses is refused alone, whatever batch it was in", async () => {
  const [account] = others;
  if (account === undefined) throw new Error("no account");
  await server.owner.sql`
    alter table requests add constraint poison check (user_agent <> 'poison') not valid`;
  const [poisoned, healthy] = await Promise.all([ask(account, "poison"), askForOthers("by holds")]);
  expect(poisoned.status).toBeGreaterThanOrEqual(500);
  expectComplete(healthy);
  const rows = await readRequests(server);
  expect(rows.get("poison")).toBeUndefined();
  expect(server.upstream.requests.some(({ tag }) => tag === "poison")).toBe(false);
  await server.owner.sql`alter table requests drop constraint poison`;
});

test("a settlement the database refuses keeps its answer from ending, and nobody else's", async () => {
  const [account] = others;
  if (account === undefined) throw new Error("no account");
  await server.owner.sql`
    alter table requests add constraint poison
      check (user_agent <> 'poison' or charged_nanos = 0) not valid`;
  const [poisoned, healthy] = await Promise.all([ask(account, "poison"), askForOthers("by ends")]);
  expectComplete(healthy);
  expect(poisoned).toMatchObject({ status: 200, complete: false, tokens: 5 });
  expect(poisoned.error).toMatchObject({ code: "overloaded" });
  const row = await awaitRequest(server, "poison");
  expect(row).toMatchObject({ state: "expired", chargedNanos: 0n });

  // Once the database takes it, what was delivered is paid after all: late, and once.
  await server.owner.sql`alter table requests drop constraint poison`;
  await server.services.ledger.drain();
  const late = await awaitRequest(server, "poison");
  expect(late).toMatchObject({ state: "late_settled", completionTokens: 5 });
  const { promptTokens: prompt, completionTokens: completion } = late;
  expect(late.chargedNanos).toBe(priceOf({ prompt, completion }));
});
