// Runs every action of the desk beside what takes away the right of the operator who acts, after their request was
// authenticated: it is refused, and nothing has changed.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OperatorRole } from "@turnpike/db";
import { verbNames, verbOf } from "@turnpike/operator";
import type { ApiContext } from "./context.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";
import { deskSamples } from "./walk-desk-samples.fixture.ts";

let api: TestApi;
let customer: Member;
let owner: ApiContext;

beforeAll(async () => {
  api = await openTestApi();
  customer = await api.addMember();
  owner = await addOperator("owner");
});
afterAll(() => api.close());

/** An operator whose request has been authenticated. */
async function addOperator(role: OperatorRole): Promise<ApiContext> {
  const member = await api.addMember();
  await api.owner.sql`
    insert into operators (person_id, role, granted_by)
    select person_id, ${role}, 'the test' from memberships
     where account_id = ${member.accountId} and role = 'owner'`;
  return api.contextOf(member);
}

const reason = "ticket 7";
const emailOf = ({ authenticated }: ApiContext) => authenticated?.person.email ?? "";

const text = "providers: []\nmodels: []";

/** Inputs that reach the transaction, where the sample is refused before it. */
const inputs: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
  "catalog.edit": async () => ({ text, reason }),
  async "catalog.rollback"() {
    const edited = await callProcedure("operator.catalog.edit", owner, { text, reason });
    expect(edited.ok).toBe(true);
    const [stored] = await api.sql<{ id: number }[]>`select max(id)::int as id from catalog_texts`;
    return { id: stored?.id, reason };
  },
};

/** Refused before their transaction, which comes after Stripe has been asked: these tests have no Stripe. */
const withoutStripe = ["topUp.recheck", "topUp.refund"];

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

const actions = verbNames.filter((name) => verbOf(name)?.kind === "action");

describe.each([...actions])("%s", (name) => {
  test("is refused to those who lost the right to it since their request began", async () => {
    const [revoked, leaver] = [await addOperator("owner"), await addOperator("owner")];
    const revocation = { email: emailOf(revoked), reason };
    expect((await callProcedure("operator.operator.revoke", owner, revocation)).ok).toBe(true);
    expect((await callProcedure("sessions.endAll", leaver, undefined)).ok).toBe(true);
    const input = (await inputs[name]?.()) ?? deskSamples[name]?.(customer);
    const before = await everything();
    const call = (context: ApiContext) => callProcedure(`operator.${name}`, context, input);
    const isEarlier = withoutStripe.includes(name);
    const [denied, signedOut] = isEarlier
      ? ["not_found", "not_found"]
      : ["permission_denied", "unauthenticated"];
    expect(await call(revoked)).toMatchObject({ ok: false, fault: denied });
    expect(await call(leaver)).toMatchObject({ ok: false, fault: signedOut });
    expect(await everything()).toEqual(before);
  });
});

test("two owners who revoke each other at the same moment leave one behind", async () => {
  const [ada, bob] = [await addOperator("owner"), await addOperator("owner")];
  const revoke = (by: ApiContext, of: ApiContext) =>
    callProcedure("operator.operator.revoke", by, { email: emailOf(of), reason });
  const outcomes = await Promise.all([revoke(ada, bob), revoke(bob, ada)]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ fault: "permission_denied" });
});

test("what one operator does twice at the same moment, or to another who does the same, waits", async () => {
  const [ada, bob] = [await addOperator("owner"), await addOperator("owner")];
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
