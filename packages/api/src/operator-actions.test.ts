// What operators do to an account: it happens, the account reads who did it and why, and the books stay right.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatGenerationId, type GenerationId, newId, newRequestId } from "@turnpike/base";
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

/** The newest line that the account itself reads. */
async function newestAudit(who: Member) {
  const { rows } = await ask(who, "audit.list", {});
  return rows[0];
}

test("an account and a key that operators make are in the account's audit log, with why", async () => {
  const owner = await addOperator(api, "owner");
  const email = "pilot@example.com";
  const { accountId } = await act(support, "account.create", { email });
  expect(await act(support, "account.create", { email })).toBe("conflict");
  const key = { account: email, name: "pilot" };
  expect(await act(support, "key.create", key)).toBe("permission_denied");
  const made = await act(owner, "key.create", key);
  expect(made).toMatchObject({ accountId, name: "pilot", key: expect.stringMatching(/^sk-tp-/) });
  const rows = await api.sql`
    select action, object_id, changes from audit_log where account_id = ${accountId} order by id`;
  const changes = { reason: [null, reason] };
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { action: "account.create", object_id: null, changes },
    { action: "key.create", object_id: made.id, changes },
  ]);
});

test("an account may owe what finance lets it, and no less than it owes", async () => {
  const { accountId: account } = await api.addMember();
  const set = (usd: string) => act(finance, "account.setCreditLimit", { account, usd });
  expect(await act(support, "account.setCreditLimit", { account, usd: "5" })).toBe(
    "permission_denied",
  );
  expect(await set("5.00")).toMatchObject({ balanceUsd: "0", creditLimitUsd: "5" });
  await act(finance, "account.adjust", { account, usd: "-4" });
  expect(await ask(support, "operator.account.show", { account })).toMatchObject({
    balanceUsd: "-4",
    availableUsd: "1",
    frozenAt: null,
  });
  const owing = await ask(support, "operator.money.owing", {});
  expect(owing.accounts[0]).toMatchObject({ accountId: account, balanceUsd: "-4" });
  expect(owing.totalUsd).toBe("4");
  expect(await set("3.99")).toBe("conflict");
  expect(await set("100001")).toBe("invalid_value");
  expect(await set("4")).toMatchObject({ creditLimitUsd: "4", availableUsd: "0" });
});

test("the wallet says what it may owe, and the audit log who allowed it", async () => {
  const member = await api.addMember();
  await act(finance, "account.setCreditLimit", { account: member.accountId, usd: "20" });
  expect(await ask(member, "wallet.summary", {})).toMatchObject({
    balanceUsd: "0",
    creditLimitUsd: "20",
    spendableUsd: "20",
    funded: true,
  });
  expect(await newestAudit(member)).toMatchObject({
    action: "account.set_credit_limit",
    changes: { usd: ["0", "20"] },
  });
});

test("the wallet says which prices were agreed, and only those who move money agree on them", async () => {
  const member = await api.addMember();
  const agree = { account: member.accountId, prices: "*=-12.5% until 2999-01-01" };
  expect(await act(support, "account.setPrices", agree)).toBe("permission_denied");
  expect(await act(finance, "account.setPrices", agree)).toMatchObject({ belowCost: [] });
  expect(await ask(member, "wallet.summary", {})).toMatchObject({
    agreedPrices: ["*: -12.5% until 2999-01-01"],
  });
  const shown = await ask(support, "operator.account.show", { account: member.accountId });
  expect(shown.prices).toEqual(["*: -12.5% until 2999-01-01"]);
});

test("an agreement that has ended is not shown in the wallet any more", async () => {
  const member = await api.addMember();
  const { accountId: account } = member;
  await act(finance, "account.setPrices", { account, prices: "*=-5% until 2026-01-01" });
  expect(await ask(member, "wallet.summary", {})).toMatchObject({ agreedPrices: [] });
});

test("PostgreSQL refuses prices in the name of anyone whose role moves no money", async () => {
  const { id = "" } = (await api.contextOf(support)).authenticated?.person ?? {};
  const terms = JSON.stringify([{ models: "*", markupBasisPoints: -10_000 }]);
  const set = api.sql`select set_price_terms(${customer.accountId}, ${terms}::jsonb, ${id})`;
  expect(await set.catch(String)).toContain("whose role moves money");
  const update = api.sql`update accounts set price_terms = ${terms}::jsonb where id = ${customer.accountId}`;
  expect(await update.catch(String)).toContain("permission denied");
});

test("PostgreSQL refuses a credit limit in the name of anyone whose role moves no money", async () => {
  const { id = "" } = (await api.contextOf(support)).authenticated?.person ?? {};
  const set = api.sql`select set_credit_limit(${customer.accountId}, 1000000000, ${id})`;
  expect(await set.catch(String)).toContain("whose role moves money");
  const update = api.sql`update accounts set credit_limit_nanos = 1 where id = ${customer.accountId}`;
  expect(await update.catch(String)).toContain("permission denied");
});

test("all keys of an account are revoked, each in its audit log", async () => {
  const member = await api.addMember();
  const revoked = await act(support, "account.revokeKeys", { account: member.accountId });
  expect(revoked).toMatchObject({ revoked: 2 });
  const { keys } = await ask(support, "operator.key.list", { account: member.accountId });
  expect(keys.map(({ state }: { state: string }) => state)).toEqual(["revoked", "revoked"]);
  expect(await newestAudit(member)).toMatchObject({ action: "key.revoke" });
});

test("limits of an account are set and removed", async () => {
  const { accountId: account } = customer;
  const set = { account, requestsPerMinute: "60", concurrency: "2" };
  const limits = { requestsPerMinute: 60, tokensPerMinute: null, concurrency: 2 };
  expect(await act(support, "account.setLimits", set)).toMatchObject({ limits });
  expect(await act(support, "account.setLimits", { account, concurrency: "none" })).toMatchObject({
    limits: { ...limits, concurrency: null },
  });
  expect(await act(support, "account.setLimits", { account, concurrency: "0" })).toBe(
    "invalid_value",
  );
});

test("the sessions of a person end, and a link is mailed to them", async () => {
  const member = await api.addMember();
  const { email = "" } = (await api.contextOf(member)).authenticated?.person ?? {};
  expect(await act(support, "person.sendReset", { email })).toEqual({ email });
  expect(await act(support, "person.resendVerification", { email })).toBe("conflict");
  expect(await act(support, "person.endSessions", { email })).toEqual({ email, ended: 1 });
  expect((await api.contextOf(member)).authenticated).toBeUndefined();
  const mails =
    await api.sql`select message ->> 'kind' as kind from outbox where recipient = ${email}`;
  expect(mails.map(({ kind }) => kind)).toEqual(["reset_password"]);
  const lines = await api.sql`
    select action, changes from audit_log where account_id = ${member.accountId} order by id desc limit 2`;
  expect(lines.map(({ action }) => action)).toEqual(["person.end_sessions", "person.send_reset"]);
  expect(lines[0]?.changes).toEqual({ reason: [null, reason] });
});

test("a note is for operators, and no archive or log of the account has it", async () => {
  const { accountId: account } = customer;
  const note = { account, reason: "asks about invoices often" };
  await act(support, "account.note", note);
  const { notes } = await ask(finance, "operator.account.notes", { account });
  expect(notes).toMatchObject([{ text: "asks about invoices often" }]);
  expect(JSON.stringify(await ask(customer, "audit.list", {}))).not.toContain("invoices");
});

test("the timeline shows everything once, newest first, page by page and by kind", async () => {
  const member = await api.addMember();
  const { accountId: account, ownedIds } = member;
  await act(finance, "account.adjust", { account, usd: "1" });
  await api.owner.sql`
    insert into requests (account_id, id, key_id, state, status, model, outcome)
    select ${account}, overlay(uuid7_floor(now() - make_interval(secs => n))::text
             placing substr(gen_random_uuid()::text, 20) from 20)::uuid, ${ownedIds.keyId}, 'refused', 402, 'm', 'refused'
      from generate_series(1, 110) n`;
  const seen: { id: string; kind: string; at: string }[] = [];
  let cursor: string | null = null;
  do {
    const page = await ask(support, "operator.account.timeline", {
      account,
      ...(cursor !== null && { cursor }),
    });
    seen.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  const count = (kind: string) => seen.filter((row) => row.kind === kind).length;
  expect([count("call"), count("money")]).toEqual([111, 1]);
  expect(count("audit")).toBeGreaterThan(2);
  expect(count("session")).toBe(2);
  const only = await ask(support, "operator.account.timeline", { account, kinds: ["money"] });
  expect(only.rows).toMatchObject([{ kind: "money", amountUsd: "1", title: "adjustment" }]);
});

test("the timeline keeps the order of the audit log where its ids get longer", async () => {
  const { accountId: account } = await api.addMember();
  await api.owner.sql`select setval(pg_get_serial_sequence('audit_log', 'id'), 998)`;
  for (const usd of ["1", "2", "3", "4"]) {
    await act(finance, "account.setCreditLimit", { account, usd });
  }
  const { rows } = await ask(support, "operator.account.timeline", { account, kinds: ["audit"] });
  expect(rows.slice(0, 4).map(({ id }: { id: string }) => id)).toEqual(
    ["1002", "1001", "1000", "999"].map((id) => `audit ${id}`),
  );
});

test("a call is explained by either of its ids: tokens by price, attempts, hold and ending", async () => {
  const { accountId, ownedIds } = customer;
  const [id, requestId] = [newId<GenerationId>(), newRequestId()];
  const attempts = [
    { provider: "a", model: "m", status: 503, firstByteMs: null, error: "overloaded" },
    { provider: "b", model: "m", status: 200, firstByteMs: 12, error: null },
  ];
  await api.owner.sql`
    insert into requests (account_id, id, key_id, trace_id, state, status, model, provider, outcome, held_nanos, attempts)
    values (${accountId}, ${id}, ${ownedIds.keyId}, ${requestId}, 'released', 200, 'a/model', 'b', 'client_closed', 5000,
            ${JSON.stringify(attempts)})`;
  const byRequest = await ask(support, "operator.request.explain", { id: requestId });
  expect(byRequest).toMatchObject({
    accountId,
    generationId: formatGenerationId(id),
    requestId,
    model: "a/model",
    outcome: "client_closed",
    heldUsd: "0.000005",
    chargedUsd: "0",
  });
  expect(await ask(support, "operator.request.explain", { id: formatGenerationId(id) })).toEqual(
    byRequest,
  );
  expect(await ask(support, "operator.request.explain", { id: newRequestId() })).toBe("not_found");
});
