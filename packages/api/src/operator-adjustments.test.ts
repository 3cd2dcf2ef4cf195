// Adjustments of operators: once per idempotency key, whether posted at the desk or on the command line, with their
// reason in the books and in the audit log, and by nobody whose role moves no money.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { checkBooks } from "@turnpike/ledger";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;
let customer: Member;
let finance: Member;
let support: Member;

const reason = "ticket 7: charged twice";

beforeAll(async () => {
  api = await openTestApi();
  customer = await api.addMember();
  finance = await addOperator(api, "finance");
  support = await addOperator(api, "support");
});
afterAll(async () => {
  expect(await checkBooks(api.owner.db)).toEqual([]);
  await api.close();
});

/** The answer, or the fault. */
async function ask(who: Member, name: string, input: Record<string, unknown>) {
  const outcome = await callProcedure(name, await api.contextOf(who), input);
  return outcome.ok ? Object(outcome.value) : outcome.fault;
}

const act = (who: Member, verb: string, input: Record<string, unknown>) =>
  ask(who, `operator.${verb}`, { reason, ...input });

const balance = async (account: string) =>
  (await ask(support, "operator.account.show", { account })).balanceUsd;

test("an adjustment moves money once per idempotency key, and says why in the books and the audit log", async () => {
  const account = customer.accountId;
  const credit = { account, usd: "10.5", idempotencyKey: "ticket-7" };
  expect(await act(finance, "account.adjust", credit)).toMatchObject({ posted: true });
  expect(await act(finance, "account.adjust", credit)).toMatchObject({ posted: false });
  expect(await act(finance, "account.adjust", { ...credit, usd: "11" })).toBe("conflict");
  expect(await act(finance, "account.adjust", { account, usd: "-0.25" })).toMatchObject({
    balanceUsd: "10.25",
  });
  const { email } = (await api.contextOf(finance)).authenticated?.person ?? {};
  expect((await ask(customer, "audit.list", {})).rows[0]).toMatchObject({
    action: "account.debit",
    actorKind: "operator",
    changes: { usd: [null, "-0.25"], reason: [null, reason] },
  });
  const posted = await api.sql`
    select t.reason, t.actor from ledger_transactions t join entries e on e.transaction_id = t.id
     where e.account_id = ${account}`;
  expect(posted.map((row) => ({ ...row }))).toEqual([
    { reason, actor: `operator ${email}` },
    { reason, actor: `operator ${email}` },
  ]);
});

test("an adjustment that was posted on the command line is not posted again at the desk", async () => {
  const { accountId: account } = await api.addMember();
  const key = `operator:${account}:ticket-8`;
  await api.owner.sql`
    select * from post_adjustment(null, ${key}, 'r', null, ${account}, 2500000000, null, 'ada')`;
  const [posted] =
    await api.sql`select actor from ledger_transactions where idempotency_key = ${key}`;
  expect(posted).toEqual({ actor: "operator ada" });
  const same = { account, usd: "2.5", idempotencyKey: "ticket-8" };
  expect(await act(finance, "account.credit", same)).toMatchObject({ credited: false });
  expect(await act(finance, "account.adjust", same)).toMatchObject({ posted: false });
  expect(await act(finance, "account.credit", { ...same, usd: "-1" })).toBe("invalid_value");
  expect(await balance(account)).toBe("2.5");
});

test("PostgreSQL refuses an adjustment in nobody's name to the server's role", async () => {
  const post = api.sql`
    select * from post_adjustment(null, 'k', 'r', null, ${customer.accountId}, 7, null, 'ada')`;
  expect(await post.catch(String)).toContain("whose role moves money");
});

test("PostgreSQL refuses an adjustment in the name of anyone whose role moves no money", async () => {
  const post = (person: string) => api.sql`
    select * from post_adjustment(gen_random_uuid(), ${crypto.randomUUID()}, 'r', ${person},
      ${customer.accountId}, 1000000000)`;
  for (const who of [support, customer]) {
    const { id = "" } = (await api.contextOf(who)).authenticated?.person ?? {};
    expect(await post(id).catch(String)).toContain("whose role moves money");
  }
  const { id = "" } = (await api.contextOf(finance)).authenticated?.person ?? {};
  const large = api.sql`
    select * from post_adjustment(gen_random_uuid(), 'large', 'r', ${id}, ${customer.accountId}, 100000000000001)`;
  expect(await large.catch(String)).toContain("too large");
  const { id: other = "" } = (await api.contextOf(customer)).authenticated?.person ?? {};
  const grant = api.sql`select set_operator(${other}, 'owner', ${id}, 'somebody')`;
  expect(await grant.catch(String)).toContain("who is an owner");
});

test("a debit takes at most what is available, and nothing otherwise", async () => {
  const { accountId: account } = await api.addMember();
  await act(finance, "account.adjust", { account, usd: "3" });
  expect(await act(finance, "account.adjust", { account, usd: "-3.01" })).toBe("conflict");
  expect(await balance(account)).toBe("3");
  expect(await act(finance, "account.adjust", { account, usd: "-3" })).toMatchObject({
    balanceUsd: "0",
  });
});
