// A problem of one account affects no other: a row that another session has locked, or that the
// database refuses, delays or fails only the requests of that account.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ledgerLimits } from "@turnpike/ledger";
import {
  expectCleanBooks,
  openAccount,
  readMoney,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
  waitForSettled,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, findRequest } from "./read-requests.ts";

setDefaultTimeout(180_000);

let server: TestServer;
let others: readonly TestAccount[];

beforeAll(async () => {
  server = await startTestServer({
    catalog: oddCatalog,
    // Long enough for a busy machine: a charge that is merely slow must not look refused.
    environment: { SETTLE_WAIT_MS: "10000" },
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

/** Ten calls of each other account, all concurrently. */
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
    expect(await findRequest(server, "locked out")).toBeUndefined();
  });
  // It waited for its lock, or was told to retry; either way it is not charged twice.
  const received = await waiting;
  expect(received?.status === 200 ? received.complete : received?.status).toBeOneOf([true, 503]);
  expectComplete([await ask(locked, "unlocked")]);
});

test("an answer whose account is locked at its end is charged without waiting for the lock", async () => {
  const locked = await openAccount(server);
  const script = { deltas: 5, paceMs: 30 };
  const asked = ask(locked, "locked at the end", script);
  await server.upstream.waitFor(({ tag }) => tag === "locked at the end");
  await whileLocked(locked, async () => {
    expectComplete([...(await askForOthers("beside a settlement")), await asked]);
    expect(await awaitRequest(server, "locked at the end")).toMatchObject({ state: "settled" });
  });
});

test("a hold that the database refuses is refused without the rest of its batch", async () => {
  const refused = await openAccount(server);
  await server.owner.sql.unsafe(
    `alter table leases add constraint refuse_row check (account_id <> '${refused.id}') not valid`,
  );
  // Without leases of their own, the others' calls use the database in the same batches.
  await server.services.ledger.recall();
  const [refusedCall, healthy] = await Promise.all([
    ask(refused, "refused hold"),
    askForOthers("by holds"),
  ]);
  await server.owner.sql`alter table leases drop constraint refuse_row`;
  expect(refusedCall.status).toBeGreaterThanOrEqual(500);
  expectComplete(healthy);
  expect(await awaitRequest(server, "refused hold")).toMatchObject({
    state: "refused",
    status: 503,
  });
  expect(server.upstream.requests.some(({ tag }) => tag === "refused hold")).toBe(false);
});

test("a charge that the database refuses keeps only its own answer from ending", async () => {
  const account = await openAccount(server);
  const before = await readMoney(server, account.id);
  await server.owner.sql`
    alter table requests add constraint refuse_row check (user_agent <> 'refused end') not valid`;
  const [refusedCall, healthy] = await Promise.all([
    ask(account, "refused end"),
    askForOthers("by ends"),
  ]);
  expectComplete(healthy);
  expect(refusedCall).toMatchObject({ status: 200, complete: false, tokens: 5 });
  expect(refusedCall.error).toMatchObject({ code: "overloaded" });
  // It is given up in the end: no account is charged, and what was held is released.
  expect(await waitForSettled(server)).toBe(0);
  expect(await findRequest(server, "refused end")).toBeUndefined();
  expect(await readMoney(server, account.id)).toEqual(before);
  await server.owner.sql`alter table requests drop constraint refuse_row`;
});

test.each([
  { code: "check_violation", refusals: 3 },
  // PostgreSQL reports a used-up quota like this. A bad charge would have been given up by then.
  { code: "internal_error", refusals: ledgerLimits.chargeTries + 1 },
])(
  "a settlement refused with $code at first is charged once when it is accepted",
  async (fault) => {
    const account = await openAccount(server);
    const { balanceNanos: before } = await readMoney(server, account.id);
    const name = `refused at first with ${fault.code}`;
    await server.owner.sql.unsafe(`
    create sequence refusals;
    grant usage on sequence refusals to public;
    create function refuse_at_first() returns trigger language plpgsql security definer as $$
    begin
      if nextval('refusals') <= ${fault.refusals} then
        raise exception 'not yet' using errcode = '${fault.code}';
      end if;
      return new;
    end $$;
    create trigger refuse_at_first before insert on requests for each row
      when (new.user_agent = '${name}') execute function refuse_at_first()`);
    await ask(account, name);
    const row = await awaitRequest(server, name);
    expect(row).toMatchObject({ state: "settled", completionTokens: 5 });
    const { promptTokens: prompt, completionTokens: completion } = row;
    expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
    expect(await waitForSettled(server)).toBe(0);
    const { balanceNanos } = await readMoney(server, account.id);
    expect<bigint>(before - balanceNanos).toBe(row.chargedNanos);
    await server.owner.sql.unsafe("drop function refuse_at_first cascade; drop sequence refusals");
  },
);
