// What support does in the name of a customer: the same as they could do themselves, by the same rules, and their audit
// log says who did it and why.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { checkBooks } from "@turnpike/ledger";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;
let owner: Member;
let finance: Member;
let support: Member;

const reason = "ticket 12: asked by the customer";

beforeAll(async () => {
  api = await openTestApi();
  owner = await addOperator(api, "owner");
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

const see = (verb: string, input: Record<string, unknown>) =>
  ask(support, `operator.${verb}`, input);
const act = (who: Member, verb: string, input: Record<string, unknown>) =>
  ask(who, `operator.${verb}`, { reason, ...input });

async function emailOf(who: Member): Promise<string> {
  return (await api.contextOf(who)).authenticated?.person.email ?? "";
}

/** By operators, the newest first. */
async function operatorRows(account: string) {
  const rows = await api.sql`
    select action, actor_name as name, object_name as object, changes from audit_log
     where account_id = ${account} and actor_kind = 'operator' and actor_name <> '' order by id desc`;
  return rows.map((row) => ({ ...row }));
}

async function mailsTo(email: string) {
  const rows =
    await api.sql`select message from outbox where recipient = ${email} order by created_at`;
  return rows.map(({ message }) => message);
}

/** With a personal account. */
async function addPersonal(): Promise<Member> {
  const member = await api.addMember();
  await api.owner.sql`update accounts set kind = 'personal' where id = ${member.accountId}`;
  await api.owner.sql`
    delete from memberships where account_id = ${member.accountId} and role <> 'owner'`;
  await api.owner.sql`delete from top_ups where account_id = ${member.accountId}`;
  return member;
}

test("a member is removed as in the console: keys revoked, mailed, and the last owner is refused", async () => {
  const customer = await api.addMember();
  const { accountId: account } = customer;
  const leaver = await api.addColleague(customer, "developer");
  const email = await emailOf(leaver);
  const removal = { account, member: email, keys: "revoke" };
  expect(await act(support, "member.remove", removal)).toMatchObject({ removed: true });
  expect(await ask(leaver, "members.list", {})).toBe("not_found");
  const { keys } = await see("key.list", { account });
  expect(keys.find(({ id }: { id: string }) => id === leaver.ownedIds.keyId)).toMatchObject({
    state: "revoked",
  });
  expect(await mailsTo(email)).toMatchObject([{ kind: "removed_from_account", by: "Support" }]);
  expect((await operatorRows(account))[0]).toEqual({
    action: "member.remove",
    name: await emailOf(support),
    object: email,
    changes: { keys: [null, "revoke"], reason: [null, reason] },
  });
  expect(await act(support, "member.remove", removal)).toBe("not_found");
  const last = { account, member: await emailOf(customer), keys: "keep" };
  expect(await act(support, "member.remove", last)).toBe("conflict");
  expect(await act(finance, "member.remove", last)).toBe("permission_denied");
  expect(await operatorRows(account)).toHaveLength(1);
});

test("an operator removes an owner who is not the last, and nobody from a personal account", async () => {
  const customer = await api.addMember();
  const { accountId: account } = customer;
  const second = await api.addColleague(customer, "owner");
  const keep = { account, member: await emailOf(customer), keys: "keep" };
  expect(await act(owner, "member.remove", keep)).toMatchObject({ removed: true });
  const { keys } = await see("key.list", { account });
  expect(keys.map(({ state }: { state: string }) => state)).not.toContain("revoked");
  const personal = await addPersonal();
  const alone = { account: personal.accountId, member: await emailOf(personal), keys: "keep" };
  expect(await act(owner, "member.remove", alone)).toBe("conflict");
  expect(await ask(second, "members.list", {})).toMatchObject([{}, {}]);
});

test("limits of a key change one by one, and its owner reads them", async () => {
  const { accountId: account, ...customer } = await api.addMember();
  const member = { accountId: account, ...customer };
  const id = member.ownedIds.foreignKeyId;
  const set = {
    id,
    weekUsd: "20.50",
    requestsPerMinute: "60",
    allowedModels: "a/model, b/*",
    allowedAddresses: "192.0.2.0/24",
    expiresAt: "2199-01-01T00:00:00Z",
  };
  const limits = {
    dayUsd: "1",
    weekUsd: "20.5",
    monthUsd: null,
    totalUsd: null,
    requestsPerMinute: 60,
    tokensPerMinute: null,
    concurrency: null,
    allowedModels: ["a/model", "b/*"],
    allowedAddresses: ["192.0.2.0/24"],
    expiresAt: "2199-01-01T00:00:00.000Z",
  };
  expect(await act(support, "key.setLimits", set)).toEqual({ id, accountId: account, ...limits });
  const removed = { id, dayUsd: "none", allowedModels: "none", expiresAt: "none" };
  const rest = { ...limits, dayUsd: null, allowedModels: null, expiresAt: null };
  expect(await act(support, "key.setLimits", removed)).toMatchObject(rest);
  expect(await see("key.limits", { id })).toMatchObject(rest);
  expect((await ask(member, "keys.read", { id })).limits).toMatchObject({
    spendLimitsUsd: { day: null, week: "20.5" },
    requestsPerMinute: 60,
    allowedModels: null,
    allowedAddresses: ["192.0.2.0/24"],
  });
  expect((await operatorRows(account))[0]).toMatchObject({
    action: "key.change",
    name: await emailOf(support),
    changes: { reason: [null, reason] },
  });
});

test("limits that no key can have are refused by their name, and none of the others is set", async () => {
  const { ownedIds } = await api.addMember();
  const id = ownedIds.foreignKeyId;
  const before = await see("key.limits", { id });
  const set = (change: Record<string, unknown>) =>
    act(support, "key.setLimits", { id, concurrency: "3", ...change });
  expect(await set({ dayUsd: "-1" })).toBe("invalid_value");
  expect(await set({ requestsPerMinute: "10000001" })).toBe("invalid_value");
  expect(await set({ allowedAddresses: "nowhere" })).toBe("invalid_value");
  expect(await set({ expiresAt: "2020-01-01T00:00:00Z" })).toBe("invalid_value");
  expect(await act(finance, "key.setLimits", { id, dayUsd: "1" })).toBe("permission_denied");
  expect(await see("key.limits", { id })).toEqual(before);
  const nothing = { id: crypto.randomUUID(), dayUsd: "1" };
  expect(await act(support, "key.setLimits", nothing)).toBe("not_found");
  await act(support, "key.revoke", { id });
  expect(await set({})).toBe("not_found");
});

test("the export of an account is an owner's, and recorded before it can be downloaded", async () => {
  const { accountId: account } = await api.addMember();
  expect(await act(support, "account.export", { account })).toBe("permission_denied");
  expect(await operatorRows(account)).toEqual([]);
  expect(await act(owner, "account.export", { account })).toEqual({
    accountId: account,
    path: `/console/export?of=operated&account=${account}`,
  });
  expect(await operatorRows(account)).toMatchObject([
    { action: "account.export", name: await emailOf(owner), changes: { reason: [null, reason] } },
  ]);
});

test("an organization is deleted by its name, once, and not while it has money or owes some", async () => {
  const customer = await api.addMember();
  const { accountId: account } = customer;
  await api.owner.sql`update accounts set name = 'Acme' where id = ${account}`;
  const close = (name = " Acme ") => act(support, "account.close", { account, name });
  expect(await close("Other")).toBe("invalid_value");
  // The payment of the fixture is under way.
  expect(await close()).toBe("conflict");
  await api.owner.sql`delete from top_ups where account_id = ${account}`;
  await act(finance, "account.adjust", { account, usd: "5" });
  expect(await close()).toBe("conflict");
  await act(finance, "account.setCreditLimit", { account, usd: "5" });
  await act(finance, "account.adjust", { account, usd: "-7" });
  expect(await close()).toBe("conflict");
  await act(finance, "account.adjust", { account, usd: "2" });
  const email = await emailOf(customer);
  expect(await close()).toMatchObject({ closed: true });
  expect(await ask(customer, "members.list", {})).toBe("not_found");
  expect(await mailsTo(email)).toMatchObject([{ kind: "account_closed", by: "Support" }]);
  expect((await operatorRows(account))[0]).toMatchObject({
    action: "account.close",
    changes: { reason: [null, reason] },
  });
  expect(await close("")).toBe("conflict");
  expect(await see("account.show", { account })).toMatchObject({ closedAt: expect.any(String) });
  expect(await act(owner, "key.create", { account, name: "late" })).toBe("conflict");
  expect(await act(finance, "account.credit", { account, usd: "5" })).toBe("conflict");
  expect(await act(finance, "account.adjust", { account, usd: "5" })).toBe("conflict");
  expect(await see("account.show", { account })).toMatchObject({ balanceUsd: "0" });
  const listed = async (state?: string) => {
    const { accounts } = await see("account.list", { limit: 100, ...(state && { state }) });
    return accounts.some(({ accountId }: { accountId: string }) => accountId === account);
  };
  expect([await listed(), await listed("closed")]).toEqual([false, true]);
});

test("a person is deleted in a week, which can be undone; a personal account only with its person", async () => {
  const customer = await addPersonal();
  const { accountId: account } = customer;
  const email = await emailOf(customer);
  const close = { account, name: "" };
  expect(await act(support, "account.close", close)).toBe("conflict");
  expect(await act(support, "person.cancelDeletion", { email })).toBe("conflict");
  expect(await act(finance, "person.requestDeletion", { email })).toBe("permission_denied");
  const operator = { email: await emailOf(owner) };
  expect(await act(support, "person.requestDeletion", operator)).toBe("conflict");
  await act(finance, "account.adjust", { account, usd: "5" });
  expect(await act(support, "person.requestDeletion", { email })).toBe("conflict");
  await act(finance, "account.adjust", { account, usd: "-5" });
  const { dueAt } = await act(support, "person.requestDeletion", { email });
  const days = (new Date(dueAt).getTime() - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  expect(await mailsTo(email)).toMatchObject([{ kind: "deletion_scheduled", at: dueAt }]);
  const pending = await see("account.list", { state: "pending_deletion" });
  expect(pending.accounts).toMatchObject([{ accountId: account, email, deletionDueAt: dueAt }]);
  expect(await act(owner, "operator.grant", { email, role: "support" })).toBe("conflict");
  expect(await act(support, "person.cancelDeletion", { email })).toEqual({ email });
  expect(await ask(customer, "profile.deletion", {})).toEqual({ dueAt: null });
  const rows = await operatorRows(account);
  expect(rows.slice(0, 2)).toMatchObject([
    { action: "person.cancel_deletion", changes: { reason: [null, reason] } },
    { action: "person.request_deletion", object: email },
  ]);
});

test("company details are corrected by finance, field by field, and statements name them", async () => {
  const customer = await api.addMember();
  const { accountId: account } = customer;
  const change = (who: Member, input: Record<string, unknown>) =>
    act(who, "company.change", { account, ...input });
  expect(await change(support, { name: "Acme Ltd" })).toBe("permission_denied");
  const name = "Acme Ltd";
  const addressLines = ["1 High Street", "York, YO1 1AA"];
  expect(await change(finance, { name, address: addressLines.join("; ") })).toEqual({
    accountId: account,
    name,
    addressLines,
    taxNumber: "",
  });
  await change(finance, { taxNumber: "GB123" });
  const company = { name, addressLines, taxNumber: "GB123" };
  expect(await see("company.show", { account })).toMatchObject(company);
  expect(await ask(customer, "wallet.statements", {})).toMatchObject({ company });
  const context = await api.contextOf(finance);
  for (const address of ["x;".repeat(9), `Fine; ${"x".repeat(500)}`, "Fine; \u200b\u202ex"]) {
    const wrong = { account, address, reason };
    expect(await callProcedure("operator.company.change", context, wrong)).toMatchObject({
      ok: false,
      fault: "invalid_value",
      param: "address",
    });
  }
  expect(await operatorRows(account)).toMatchObject([
    { action: "account.set_company", changes: { taxNumber: ["", "GB123"] } },
    { action: "account.set_company", changes: { name: [null, name], reason: [null, reason] } },
  ]);
  expect(await change(finance, { address: "none" })).toMatchObject({ name, addressLines: [] });
  expect(await change(finance, { name: "none", taxNumber: "none" })).toMatchObject({
    name: "",
    taxNumber: "",
  });
});

test("statements are the customer's own: the months, the figures and the same PDF", async () => {
  const customer = await api.addMember();
  const { accountId: account } = customer;
  await api.owner.sql`
    update accounts set created_at = now() - interval '3 months' where id = ${account}`;
  await act(finance, "account.adjust", { account, usd: "4" });
  const { months } = await see("statement.list", { account });
  expect(months.length).toBeGreaterThan(1);
  expect(await ask(customer, "wallet.statements", {})).toMatchObject({ months });
  const [month] = months;
  expect(await see("statement.show", { account, month })).toMatchObject({
    month,
    openingUsd: "0",
    closingUsd: "0",
    payments: [],
  });
  const { pdf } = await ask(customer, "wallet.statementPdf", { month });
  const { fileName, base64 } = await see("statement.pdf", { account, month });
  expect(base64).toBe(pdf);
  expect(fileName).toEndWith(`-${month}.pdf`);
  const now = new Date().toISOString().slice(0, 7);
  expect(await see("statement.show", { account, month: now })).toBe("invalid_value");
});
