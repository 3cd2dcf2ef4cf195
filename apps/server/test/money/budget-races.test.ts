// Two processes that remember no limit, and a hard budget of each kind: exactly the calls that it covers
// are admitted, whatever idle leases hold, and if a process is killed.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { type BudgetKind, budgetKinds } from "@turnpike/terms";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  at,
  awaitReaped,
  awaitReleased,
  expectCleanBooks,
  openAccount,
  openTestSite,
  scripted,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import { oddCatalog, oddModel } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";

setDefaultTimeout(180_000);

const times = {
  heartbeatMs: 200,
  // No process is considered dead because the machine is busy: a test says which one is.
  heartbeatLapseMs: 120_000,
  silentMs: 150_000,
  reapEveryMs: 200,
};
const maxTokens = 200;
const startedAt = new Date();

let site: TestSite;
let first: SpawnedServer;
let second: SpawnedServer;
beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog });
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

function subjectOf(account: TestAccount, kind: BudgetKind): string {
  // The key is of the default project, which has the id of its account.
  if (kind === "member") return account.personId;
  return kind === "key" ? account.keyId : account.id;
}

/** Without any process noticing. */
async function setBudget(account: TestAccount, kind: BudgetKind, nanos: bigint): Promise<void> {
  const { sql } = site.owner;
  await sql`
    insert into budgets (account_id, kind, subject_id, period, limit_nanos)
    values (${account.id}, ${kind}, ${subjectOf(account, kind)}, 'month', ${nanos.toString()})
    on conflict (account_id, subject_id, kind, period) do update set limit_nanos = excluded.limit_nanos`;
}

type Counted = { readonly spent: bigint; readonly held: bigint };

/** As people read it: what open leases have spent is spent. */
async function readBudget(account: TestAccount, kind: BudgetKind): Promise<Counted> {
  const [row] = await site.owner.sql<{ spent: string; held: string }[]>`
    select m.spent_nanos::text as spent, m.held_nanos::text as held
      from budgets b join budget_money m using (account_id, id)
     where b.account_id = ${account.id} and b.kind = ${kind}`;
  if (row === undefined) throw new Error(`no budget of the ${kind}`);
  return { spent: BigInt(row.spent), held: BigInt(row.held) };
}

let tags = 0;
/** Of one length, because it is part of the prompt, and with it of the hold. */
function nextTag(): string {
  tags += 1;
  return `budget ${String(tags).padStart(4, "0")}`;
}

/**
 * `each` silent calls to each of these processes at once. Resolves when every one is refused or at the
 * upstream; `end` lets the upstream refuse those, so that they cost nothing.
 */
async function race(account: TestAccount, each: number, among: readonly SpawnedServer[]) {
  const tag = nextTag();
  const refused: Received[] = [];
  const admitted = () => site.upstream.requests.filter((request) => request.tag === tag).length;
  const messages = [scripted({ tag, headGate: true, status: 400 })];
  const body = { model: oddModel, messages, max_tokens: maxTokens, stream: true };
  const calls = among.flatMap((process, index) =>
    Array.from({ length: each }, async (_, number) => {
      const name = `${tag} ${index} ${number}`;
      const received = await askChat(process, { key: account.key, name, body });
      if (received.status === 402) refused.push(received);
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
  return { tag, admitted: admitted(), refused, end };
}

/** What one such call holds, according to the books. */
async function measureHold(): Promise<bigint> {
  const account = await openAccount(site);
  const { tag, end } = await race(account, 1, [first]);
  await end();
  const { heldNanos } = await awaitRequest(site, `${tag} 0 0`);
  return heldNanos;
}

/** Small calls at one process, for which it reserves a head start. Returns what is idle there. */
async function holdIdle(account: TestAccount, kind: BudgetKind, hold: bigint): Promise<Counted> {
  let calls = 0;
  return eventually("idle money at a process", async () => {
    calls += 1;
    const body = { model: oddModel, messages: [scripted({ deltas: 1 })], max_tokens: 1 };
    const name = `idle ${account.id} ${calls}`;
    expect(await askChat(first, { key: account.key, name, body })).toMatchObject({ status: 200 });
    const counted = await readBudget(account, kind);
    return counted.held >= hold && counted;
  });
}

async function warm(account: TestAccount): Promise<void> {
  for (const process of [first, second]) {
    const body = { model: oddModel, messages: [scripted({ deltas: 1 })] };
    const name = `warm ${process.pid} ${account.id}`;
    expect(await askChat(process, { key: account.key, name, body })).toMatchObject({ status: 200 });
  }
  await awaitReleased(site, account.id);
}

function expectRefusals(refused: readonly Received[], kind: BudgetKind): void {
  // The month may have turned since.
  const resets = [startedAt, new Date()].map((at) =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)).toISOString(),
  );
  for (const { status, error } of refused) {
    expect(status).toBe(402);
    const reason = kind === "key" ? "key_limit_reached" : "budget_reached";
    expect(at(error, "metadata.reason")).toBe(reason);
    if (kind !== "key") expect(at(error, "metadata.budget_of")).toBe(kind);
    expect(at(error, "metadata.period")).toBe("month");
    expect(at(error, "metadata.reset_at")).toBeOneOf(resets);
  }
}

describe.each([...budgetKinds])("a hard budget of the %s", (kind) => {
  test.each([0, 1, 7])("for exactly %d calls admits as many at two processes", async (k) => {
    const hold = await measureHold();
    const account = await openAccount(site);
    await warm(account);
    // The budget counts what the month has already seen. No process is told of it.
    await setBudget(account, kind, 0n);
    const { spent } = await readBudget(account, kind);
    expect(spent).toBeGreaterThan(0n);
    await setBudget(account, kind, spent + hold * BigInt(k) + hold / 2n);
    const outcome = await race(account, 16, [first, second]);
    expect(outcome.admitted).toBe(k);
    expect(outcome.refused).toHaveLength(32 - k);
    expectRefusals(outcome.refused, kind);
    expect((await readBudget(account, kind)).held).toBeGreaterThanOrEqual(hold * BigInt(k));
    await outcome.end();
    await awaitReleased(site, account.id);
    expect(await readBudget(account, kind)).toEqual({ spent, held: 0n });
  });

  test("that idle leases of one process hold pays for the calls of the other", async () => {
    const hold = await measureHold();
    const account = await openAccount(site);
    await setBudget(account, kind, hold * 20n);
    const { spent } = await holdIdle(account, kind, hold);
    const covered = Number((hold * 20n - spent) / hold);
    const outcome = await race(account, covered + 1, [second]);
    expect(outcome.admitted).toBe(covered);
    expectRefusals(outcome.refused, kind);
    await outcome.end();
    await awaitReleased(site, account.id);
  });

  test("that is lowered recalls what idle leases hold, and admits what is left", async () => {
    const hold = await measureHold();
    const account = await openAccount(site);
    await setBudget(account, kind, hold * 1_000n);
    const { spent } = await holdIdle(account, kind, hold * 2n);
    await setBudget(account, kind, spent + hold + hold / 2n);
    const outcome = await race(account, 4, [second]);
    expect(outcome.admitted).toBe(1);
    expectRefusals(outcome.refused, kind);
    await outcome.end();
    await awaitReleased(site, account.id);
    expect(await readBudget(account, kind)).toEqual({ spent, held: 0n });
  });

  test("is free again for the others once a process that held it was killed", async () => {
    const hold = await measureHold();
    const account = await openAccount(site);
    await setBudget(account, kind, hold * 3n + hold / 2n);
    const victim = await spawnServer(site.environment, { times });
    const held = await race(account, 3, [victim]);
    expect(held.admitted).toBe(3);
    process.kill(victim.pid, "SIGKILL");
    await victim.exited;
    await held.end();
    await awaitReaped(site, victim, account.id);
    expect(await readBudget(account, kind)).toEqual({ spent: 0n, held: 0n });
    const outcome = await race(account, 8, [first, second]);
    expect(outcome.admitted).toBe(3);
    expectRefusals(outcome.refused, kind);
    await outcome.end();
    await awaitReleased(site, account.id);
  });
});
