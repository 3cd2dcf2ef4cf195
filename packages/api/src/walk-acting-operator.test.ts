// Runs every command of the desk after the operator's role was revoked or their session ended while their request was
// under way: it is refused, and nothing has changed.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OperatorRole } from "@turnpike/db";
import { checkBooks } from "@turnpike/ledger";
import { verbNames, verbOf } from "@turnpike/operator";
import { type ScriptedStripe, startScriptedStripe } from "@turnpike/testing";
import { addOperator } from "./add-operator.fixture.ts";
import type { ApiContext } from "./context.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";
import { deskSamples } from "./walk-desk-samples.fixture.ts";

const reason = "ticket 7";

let stripe: ScriptedStripe;
let api: TestApi;
let customer: Member;
let owner: ApiContext;

beforeAll(async () => {
  stripe = await startScriptedStripe();
  const { secretKey, webhookSecret, url } = stripe;
  api = await openTestApi({ secretKey, webhookSecrets: [webhookSecret], apiBase: url });
  customer = await api.addMember();
  owner = await authenticateOperator("owner");
});
afterAll(async () => {
  expect(await checkBooks(api.owner.db)).toEqual([]);
  await api.close();
  await stripe.close();
});

/** An operator whose request has been authenticated. */
async function authenticateOperator(role: OperatorRole): Promise<ApiContext> {
  return api.contextOf(await addOperator(api, role));
}

/** A top-up that Stripe was paid for and that was credited. */
async function payTopUp(): Promise<string> {
  const id = Bun.randomUUIDv7();
  const context = await api.contextOf(customer);
  const order = { amountUsd: "20", attemptId: id };
  expect(await callProcedure("wallet.createTopUp", context, order)).toMatchObject({ ok: true });
  const [row] = await api.owner.sql<{ session: string }[]>`
    select checkout_session_id as session from top_ups where id = ${id}`;
  stripe.pay(row?.session ?? "");
  const credited = await callProcedure("operator.topUp.recheck", owner, { id, reason });
  expect(credited).toMatchObject({ ok: true, value: { topUps: [{ creditedUsd: "20" }] } });
  return id;
}

const emailOf = ({ authenticated }: ApiContext) => authenticated?.person.email ?? "";

const text = "providers: []\nmodels: []";

/** Inputs that reach the transaction, where the sample is refused before it. */
const inputs: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
  // An organization of the tests is called by its id.
  "account.close": async () => ({
    account: customer.accountId,
    name: customer.accountId,
    reason,
  }),
  "catalog.edit": async () => ({ text, reason }),
  async "catalog.rollback"() {
    const edited = await callProcedure("operator.catalog.edit", owner, { text, reason });
    expect(edited.ok).toBe(true);
    const [stored] = await api.sql<{ id: number }[]>`select max(id)::int as id from catalog_texts`;
    return { id: stored?.id, reason };
  },
  async "member.remove"() {
    const [colleague] = await api.owner.sql<{ email: string }[]>`
      select email from memberships m join persons p on p.id = m.person_id
       where account_id = ${customer.accountId} and role = 'admin'`;
    return { account: customer.accountId, member: colleague?.email, keys: "keep", reason };
  },
  "topUp.refund": async () => ({ id: await payTopUp(), idempotencyKey: "once", reason }),
};

async function everything(): Promise<readonly string[]> {
  const { sql } = api.owner;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await sql<{ row: string }[]>`select to_jsonb(t)::text as row from ${sql(name)} t`;
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  return rows.sort();
}

const commands = verbNames.filter((name) => verbOf(name)?.kind === "command");

describe.each([...commands])("%s", (name) => {
  test("is refused to callers who lost the right to it since their request began", async () => {
    const [revoked, leaver] = [
      await authenticateOperator("owner"),
      await authenticateOperator("owner"),
    ];
    const revocation = { email: emailOf(revoked), reason };
    expect((await callProcedure("operator.operator.revoke", owner, revocation)).ok).toBe(true);
    expect((await callProcedure("sessions.endAll", leaver, undefined)).ok).toBe(true);
    const input = (await inputs[name]?.()) ?? deskSamples[name]?.(customer);
    const before = await everything();
    const call = (context: ApiContext) => callProcedure(`operator.${name}`, context, input);
    expect(await call(revoked)).toMatchObject({ ok: false, fault: "permission_denied" });
    expect(await call(leaver)).toMatchObject({ ok: false, fault: "unauthenticated" });
    expect(await everything()).toEqual(before);
    expect(stripe.calls.filter(({ path }) => path.endsWith("/refunds"))).toEqual([]);
  });
});

test("two owners who revoke each other at the same moment leave one behind", async () => {
  const [ada, bob] = [await authenticateOperator("owner"), await authenticateOperator("owner")];
  const revoke = (by: ApiContext, of: ApiContext) =>
    callProcedure("operator.operator.revoke", by, { email: emailOf(of), reason });
  const outcomes = await Promise.all([revoke(ada, bob), revoke(bob, ada)]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ fault: "permission_denied" });
});

test("what one operator does twice at the same moment, or to another who does the same, waits", async () => {
  const [ada, bob] = [await authenticateOperator("owner"), await authenticateOperator("owner")];
  for (let round = 0; round < 3; round += 1) {
    const views = await Promise.all(
      [ada, ada, bob].map((by) =>
        callProcedure("operator.view.start", by, { account: customer.accountId, reason }),
      ),
    );
    expect(views.map(({ ok }) => ok)).toEqual([true, true, true]);
  }
  const signOut = (by: ApiContext, of: ApiContext) =>
    callProcedure("operator.person.endSessions", by, { email: emailOf(of), reason });
  const outcomes = await Promise.all([signOut(ada, bob), signOut(bob, ada)]);
  expect(outcomes.map((one) => (one.ok ? "served" : one.fault)).toSorted()).toEqual([
    "served",
    "unauthenticated",
  ]);
});
