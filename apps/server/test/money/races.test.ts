// Two processes, one database, caches that remember more money than there is: still exactly as many
// calls are admitted as the money covers, and no key exceeds its limit.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { toNanos } from "@turnpike/terms";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  at,
  awaitReleased,
  expectCleanBooks,
  openAccount,
  openTestSite,
  readMoney,
  scripted,
  type TestAccount,
  type TestSite,
  topUp,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { nanosOf, oddCatalog, oddModel, usdOf } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";
import { drainTo } from "./set-balance.ts";

setDefaultTimeout(180_000);

/** At most the smallest hold, so that a call gets all of it or nothing. */
const maxTokens = 200;
const perProcess = 48;

let site: TestSite;
let processes: SpawnedServer[];

beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog });
  processes = await Promise.all([spawnServer(site.environment), spawnServer(site.environment)]);
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  await site.close();
});

/**
 * A call whose upstream stays silent: once admitted it holds its money until its client has disconnected and
 * `site.upstream.open(tag)` lets the upstream refuse it, so that it costs nothing.
 */
function silentCall(tag: string, limit: number) {
  const messages = [scripted({ tag, headGate: true, status: 400 })];
  return { model: oddModel, messages, max_tokens: limit, stream: true };
}

/** Both processes know the key, and have seen plenty of money. */
async function warm(account: TestAccount): Promise<void> {
  for (const process of processes) {
    const body = { model: oddModel, messages: [scripted({ deltas: 1 })] };
    const name = `warm ${process.pid} ${account.id}`;
    expect(await askChat(process, { key: account.key, name, body })).toMatchObject({ status: 200 });
  }
}

let runs = 0;
/** Of one length, because it is part of the prompt, and with it of the hold. */
function nextTag(): string {
  runs += 1;
  return `silent ${String(runs).padStart(4, "0")}`;
}

/**
 * Sends one call per limit to each process (`among`, else all) at the same time. Resolves when each of
 * them is either refused or silent at the upstream; `hangUp` disconnects the silent ones and waits until
 * their holds are released.
 */
async function race(account: TestAccount, limits: readonly number[], among = processes) {
  const tag = nextTag();
  const controller = new AbortController();
  const refused: Received[] = [];
  const from = site.upstream.requests.length;
  const admitted = () => site.upstream.requests.length - from;
  const calls = among.flatMap((process, index) =>
    limits.map(async (limit, number) => {
      const received = await askChat(process, {
        key: account.key,
        name: `race ${runs} ${index} ${number}`,
        body: silentCall(tag, limit),
        signal: controller.signal,
      });
      if (received.status !== undefined && received.status !== 200) refused.push(received);
    }),
  );
  await eventually(
    "every call to be refused or admitted",
    async () => refused.length + admitted() >= calls.length,
  );
  const hangUp = async () => {
    controller.abort();
    await Promise.all(calls);
    site.upstream.open(tag);
    await awaitReleased(site, account.id);
  };
  return { admitted: admitted(), refused, hangUp };
}

/** What one such call holds, according to the books. */
async function measureHold(account: TestAccount, limit: number): Promise<bigint> {
  const name = `measure ${account.id}`;
  const controller = new AbortController();
  const [first] = processes;
  if (first === undefined) throw new Error("no process");
  const from = site.upstream.requests.length;
  const { key } = account;
  const tag = nextTag();
  const asked = askChat(first, {
    key,
    name,
    body: silentCall(tag, limit),
    signal: controller.signal,
  });
  await eventually("the call", async () => site.upstream.requests.length > from);
  controller.abort();
  await asked;
  site.upstream.open(tag);
  const row = await awaitRequest(site, name);
  return row.heldNanos;
}

function expectRefusals(refused: readonly Received[], source: string): void {
  for (const { status, error } of refused) {
    expect(status).toBe(402);
    expect(at(error, "metadata.limit_source")).toBe(source);
  }
}

describe("T2: with money for exactly k calls, k are admitted", () => {
  test.each([0, 1, 7, 64])("k = %d", async (k) => {
    const account = await openAccount(site);
    await warm(account);
    const hold = await measureHold(account, maxTokens);
    // Neither process notices: they only remember the ten dollars.
    await drainTo(site, account.id, hold * BigInt(k));
    const outcome = await race(
      account,
      Array.from({ length: perProcess }, () => maxTokens),
    );
    expect(outcome.admitted).toBe(k);
    expect(outcome.refused).toHaveLength(2 * perProcess - k);
    expectRefusals(outcome.refused, "account_balance");
    expect(await readMoney(site, account.id)).toEqual({
      balanceNanos: toNanos(hold * BigInt(k)),
      heldNanos: toNanos(hold * BigInt(k)),
    });
    await outcome.hangUp();
  });

  test("even if the other process spends the rest", async () => {
    const account = await openAccount(site);
    await warm(account);
    const hold = await measureHold(account, maxTokens);
    await drainTo(site, account.id, hold * 8n);
    const first = await race(account, [maxTokens]);
    expect(first.admitted).toBe(2);
    const second = await race(
      account,
      Array.from({ length: 20 }, () => maxTokens),
    );
    expect(second.admitted).toBe(6);
    await Promise.all([first.hangUp(), second.hangUp()]);
  });
});

test("money idle in a lease of one process pays for the calls of the other", async () => {
  const account = await openAccount(site);
  await warm(account);
  const hold = await measureHold(account, maxTokens);
  await drainTo(site, account.id, hold * 20n);
  const [first, second] = processes;
  if (first === undefined || second === undefined) throw new Error("no process");
  let calls = 0;
  // Small calls, for which the first reserves a head start.
  const covered = await eventually("idle money at the first process", async () => {
    calls += 1;
    const body = { model: oddModel, messages: [scripted({ deltas: 1 })], max_tokens: 1 };
    const name = `idle ${account.id} ${calls}`;
    expect(await askChat(first, { key: account.key, name, body })).toMatchObject({ status: 200 });
    const { balanceNanos, heldNanos } = await readMoney(site, account.id);
    const count = balanceNanos / hold;
    return heldNanos > balanceNanos - count * hold && count;
  });
  const limits = Array.from({ length: Number(covered) }, () => maxTokens);
  const outcome = await race(account, limits, [second]);
  expect(outcome.admitted).toBe(limits.length);
  await outcome.hangUp();
});

test("with calls of mixed sizes none is refused while the money covers it", async () => {
  const account = await openAccount(site);
  await warm(account);
  const largest = await measureHold(account, 256);
  await drainTo(site, account.id, largest * 12n + largest / 3n);
  const limits = Array.from({ length: perProcess }, (_, index) => 1 + ((index * 89) % 256));
  const outcome = await race(account, limits);
  expect(outcome.refused.length).toBeGreaterThan(0);
  expectRefusals(outcome.refused, "account_balance");
  const { balanceNanos, heldNanos } = await readMoney(site, account.id);
  const left = balanceNanos - heldNanos;
  expect(left).toBeGreaterThanOrEqual(0n);
  for (const { error } of outcome.refused) {
    const needed = nanosOf(at(error, "metadata.needed_usd"));
    expect(needed).toBeGreaterThan(nanosOf(at(error, "metadata.available_usd")));
    // Money was only spent during the race, so what is left now was available when it was refused.
    expect(needed).toBeGreaterThan(left);
  }
  await outcome.hangUp();
});

describe("a key's spend limit", () => {
  test.each(["day", "week", "month", "total"] as const)(
    "per %s admits exactly the calls it covers",
    async (period) => {
      const rich = await openAccount(site);
      const hold = await measureHold(rich, maxTokens);
      const spendLimitNanos = { [period]: toNanos(hold * 5n + hold / 2n) };
      const account = await openAccount(site, { limits: { spendLimitNanos } });
      const outcome = await race(
        account,
        Array.from({ length: 16 }, () => maxTokens),
      );
      expect(outcome.admitted).toBe(5);
      expectRefusals(outcome.refused, "key_limit");
      await outcome.hangUp();
    },
  );

  test("is never passed while calls come and go in both processes", async () => {
    const limit = nanosOf("0.002");
    const limits = { spendLimitNanos: { total: toNanos(limit) } };
    const account = await openAccount(site, { limits });
    await topUp(site, account.id, usdOf(1_000_000_000n));
    const readPeak = await watchKey(account.keyId);
    const statuses = await Promise.all(
      Array.from({ length: 160 }, (_, index) => {
        const process = processes[index % 2] ?? processes[0];
        if (process === undefined) throw new Error("no process");
        const script = { deltas: 1 + (index % 40), paceMs: index % 3 };
        const body = { model: oddModel, messages: [scripted(script)], max_tokens: 60 };
        const name = `limited ${index}`;
        return askChat(process, { key: account.key, name, body }).then(({ status }) => status);
      }),
    );
    const peak = await readPeak();
    expect(peak).toBeGreaterThan(limit / 2n);
    expect(peak).toBeLessThanOrEqual(limit);
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
  });
});

/** From now on the database records every state of the key; the returned function returns the highest. */
async function watchKey(keyId: string): Promise<() => Promise<bigint>> {
  const { sql } = site.owner;
  await sql.unsafe(`
    create table key_states (used_nanos bigint);
    create function note_state() returns trigger language plpgsql security definer as $$
    begin
      insert into key_states values (new.total_spent_nanos + new.total_held_nanos);
      return null;
    end $$;
    create trigger note_state after update on api_keys for each row when (new.id = '${keyId}')
      execute function note_state()`);
  return async () => {
    const [row] = await sql<
      { used: string }[]
    >`select max(used_nanos)::text as used from key_states`;
    await sql.unsafe("drop function note_state cascade; drop table key_states");
    return BigInt(row?.used ?? 0);
  };
}
