// The list of all accounts: every account once over its pages, in the order and with the filters that were asked for.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

type Row = { accountId: string; name: string; states: string[]; balanceUsd: string };
type Page = { accounts: Row[]; nextCursor: string | null };

let api: TestApi;
let finance: Member;
const reason = "ticket 3";

beforeAll(async () => {
  api = await openTestApi();
  finance = await addOperator(api, "finance");
  await api.owner.sql`
    insert into accounts (id, kind, name, created_at)
    select gen_random_uuid(), 'organization', 'Listed ' || n, '2020-01-01'::timestamptz + (n / 3) * interval '1 day'
      from generate_series(1, 30) n`;
});
afterAll(() => api.close());

async function list(input: Record<string, unknown>): Promise<Page> {
  const outcome = await callProcedure("operator.account.list", await api.contextOf(finance), input);
  if (!outcome.ok) throw new Error(outcome.fault);
  return outcome.value as Page;
}

/** Over all pages. */
async function listAll(input: Record<string, unknown>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list({ ...input, limit: 7, ...(cursor !== null && { cursor }) });
    expect(page.accounts.length).toBeLessThanOrEqual(7);
    rows.push(...page.accounts);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

const before2021 = { createdTo: "2021-01-01T00:00:00Z" };
const idsOf = (rows: readonly Row[]) => rows.map(({ accountId }) => accountId);

test.each(["created", "balance", "spent"])(
  "by %s, pages have every account once, also where many are equal, in both directions",
  async (sort) => {
    const rows = await listAll({ ...before2021, sort });
    expect(rows).toHaveLength(30);
    expect(new Set(idsOf(rows)).size).toBe(30);
    const ascending = await listAll({ ...before2021, sort, ascending: true });
    expect(idsOf(ascending)).toEqual(idsOf(rows).toReversed());
  },
);

test("the newest account, the highest balance and the highest spending are first", async () => {
  const { accountId: account } = await api.addMember();
  const newest = await list({ limit: 2 });
  // One that invites the member is added with them.
  expect(idsOf(newest.accounts)).toContain(account);
  const context = await api.contextOf(finance);
  await callProcedure("operator.account.adjust", context, { account, usd: "900", reason });
  expect(await list({ sort: "balance", limit: 1 })).toMatchObject({
    accounts: [{ accountId: account, balanceUsd: "900", spentUsd: "0", states: ["active"] }],
  });
  expect(idsOf((await list({ balanceFromUsd: "899.99" })).accounts)).toEqual([account]);
  expect(idsOf((await list({ balanceFromUsd: "900.01" })).accounts)).toEqual([]);
});

test("each state has the accounts that are in it, and nobody else's", async () => {
  const account = (await api.addMember()).accountId;
  const only = async (state: string) =>
    idsOf((await list({ state, limit: 100 })).accounts).includes(account);
  const as = async (change: string) =>
    api.owner.sql.unsafe(`update accounts set ${change} where id = '${account}'`);
  expect(await only("active")).toBe(true);
  await as("suspended_at = now()");
  expect([await only("active"), await only("suspended")]).toEqual([false, true]);
  await as("suspended_at = null, frozen_at = now()");
  expect([await only("active"), await only("frozen")]).toEqual([false, true]);
  await as("frozen_at = null");
  const context = await api.contextOf(finance);
  const act = (verb: string, usd: string) =>
    callProcedure(`operator.account.${verb}`, context, { account, usd, reason });
  await act("setCreditLimit", "3");
  await act("adjust", "-2");
  expect([await only("active"), await only("owing")]).toEqual([false, true]);
  await act("adjust", "2");
  expect(await only("closed")).toBe(false);
});

test("a cursor of another sort, or one whose position no database reads, starts at the first page", async () => {
  const id = crypto.randomUUID();
  const { nextCursor: ofCreated } = await list({ ...before2021, limit: 1 });
  const forged = (...parts: string[]) => btoa(JSON.stringify(parts));
  const byBalance = { ...before2021, sort: "balance" };
  const richest = await list(byBalance);
  const positions = ["-", "9".repeat(19), "2020-01-01T00:00:00.000000Z"];
  const foreign = positions.map((position) => forged("balance", position, id));
  for (const cursor of [ofCreated, forged("-", id), ...foreign]) {
    expect(await list({ ...byBalance, cursor })).toEqual(richest);
  }
  const newest = await list(before2021);
  for (const position of ["-", "1", "2020-02-30T00:00:00Z", "0000-01-01T00:00:00Z"]) {
    expect(await list({ ...before2021, cursor: forged("created", position, id) })).toEqual(newest);
  }
});

test("a cursor of nobody's starts at the first page, and a page is bounded", async () => {
  const first = await list(before2021);
  for (const cursor of ["", "x", btoa("[]"), btoa('["1","2"]')]) {
    expect(await list({ ...before2021, cursor })).toEqual(first);
  }
  const context = await api.contextOf(finance);
  const large = await callProcedure("operator.account.list", context, { limit: 101 });
  expect(large).toMatchObject({ ok: false, param: "limit" });
});
