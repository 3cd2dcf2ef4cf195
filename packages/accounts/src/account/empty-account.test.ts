// A closed organization: every table about an account is emptied or kept for a reason, and what is kept names it no more.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type DomainId, newId } from "@turnpike/base";
import { purgeAudit } from "@turnpike/db";
import { createProject, mintApiKey, revokeAccountKeys } from "@turnpike/keys";
import { inviteMember } from "../invitation/invitation.ts";
import { createManagementKey } from "../management/management-keys.ts";
import { auditActorOf, type Member } from "../member/actor.ts";
import {
  faultCodeOf,
  faultIn,
  openTestAccounts,
  type TestAccounts,
  testAddress,
} from "../open-test-accounts.fixture.ts";
import { closeAccount } from "./close-account.ts";
import { keptOfAccounts } from "./empty-account.ts";
import { createOrganization } from "./organization.ts";

let bed: TestAccounts;

beforeAll(async () => {
  bed = await openTestAccounts();
});
afterAll(() => bed.close());

async function openOrganization(name: string): Promise<Member> {
  const grace = await bed.signUp();
  const by = { person: grace.person, address: testAddress };
  const { slug } = await createOrganization(bed.db, bed.context, by, { name });
  return bed.memberOf(grace, slug);
}

/** An organization that is named wherever something can be named. */
async function openLovelace(): Promise<Member> {
  const member = await openOrganization("Lovelace Ltd");
  const { id: accountId } = member.account;
  const actor = auditActorOf(member);
  await createProject(bed.db, { accountId, by: actor }, { name: "Lovelace project" });
  await mintApiKey(bed.db, { accountId, createdBy: member.person.id, name: "Lovelace key", actor });
  await createManagementKey(bed.db, member, {
    name: "Lovelace automation",
    permissions: ["usage.read"],
    id: newId(),
  });
  await inviteMember(bed.db, bed.context, member, {
    email: "ada@lovelace.example",
    role: "viewer",
  });
  await bed.sql`
    insert into domains (account_id, id, domain, token)
    values (${accountId}, ${newId<DomainId>()}, 'lovelace.example', 'token')`;
  await bed.sql`
    insert into webhook_endpoints (account_id, id, url, secret)
    values (${accountId}, ${newId()}, 'https://hooks.lovelace.example', 'sealed')`;
  await bed.sql`
    insert into webhook_events (account_id, id, type, body)
    values (${accountId}, ${newId()}, 'member.joined', '{"email":"ada@lovelace.example"}')`;
  await bed.sql`
    insert into shared_conversations (account_id, id, person_id, sealed_title, sealed)
    values (${accountId}, ${newId()}, ${member.person.id}, 'lovelace', 'lovelace')`;
  await bed.sql`
    insert into auto_top_ups (account_id, payment_method_id, card_brand, card_last4)
    values (${accountId}, 'pm_1', 'lovelace', '4242')`;
  await bed.sql`update accounts set company = '{"name":"Lovelace Ltd"}' where id = ${accountId}`;
  return member;
}

test("an account is closed by its name in the form in which names are stored", async () => {
  const member = await openOrganization("Zu\u0308rich  AG");
  expect(member.account.name).toBe("Z\u00fcrich AG");
  const close = (name: string) => closeAccount(bed.db, member, { name }, revokeAccountKeys);
  for (const name of ["Zurich AG", "z\u00fcrich ag", "Z\u00fcrich\u200b AG"]) {
    expect([name, await faultCodeOf(close(name))]).toEqual([name, "invalid_value"]);
  }
  expect(await faultCodeOf(close(" Zu\u0308rich\u00a0AG "))).toBe("no fault");
});

test.each(["created", "pending", "processing"])(
  "an account with a %s payment is not closed",
  async (state) => {
    const member = await openOrganization("Paying");
    await bed.owner.sql`
    insert into top_ups (id, account_id, amount_nanos, state, processor)
    values (${newId()}, ${member.account.id}, 5000000000, ${state}, 'stripe')`;
    const close = () => closeAccount(bed.db, member, { name: "Paying" }, revokeAccountKeys);
    expect((await faultIn(close()))?.message).toContain("A payment is under way");
    await bed.owner
      .sql`update top_ups set state = 'canceled' where account_id = ${member.account.id}`;
    await bed.owner.sql`
    update top_ups set refund_claimed_nanos = 1 where account_id = ${member.account.id}`;
    expect((await faultIn(close()))?.message).toContain("A refund is under way");
  },
);

test("what is kept of a closed account has a reason, does not name it, and everything else is deleted", async () => {
  const member = await openLovelace();
  const { id } = member.account;
  await closeAccount(bed.db, member, { name: "Lovelace Ltd" }, revokeAccountKeys);
  await purgeAudit(bed.db);
  const tables = await bed.owner.sql<{ name: string }[]>`
    select c.table_name as name from information_schema.columns c
      join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where c.table_schema = 'public' and c.column_name = 'account_id'
       and t.relkind in ('r', 'p') and not t.relispartition`;
  expect(tables.length).toBeGreaterThan(15);
  for (const { name } of tables) {
    const rows = await bed.owner.sql<{ text: string }[]>`
      select t::text as text from ${bed.owner.sql(name)} t where account_id = ${id}`;
    if (!(name in keptOfAccounts)) expect([name, rows.length]).toEqual([name, 0]);
    // Its own record, for 90 days, and its address, for good.
    if (name === "audit_log" || name === "account_slugs") continue;
    expect([name, rows.filter(({ text }) => /lovelace/i.test(text))]).toEqual([name, []]);
  }
  const [account] = await bed.sql`
    select name, company, closed_at, audit_retention_days from accounts where id = ${id}`;
  expect(account).toMatchObject({ name: "", company: null, audit_retention_days: 90 });
  for (const reason of Object.values(keptOfAccounts)) expect(reason.length).toBeGreaterThan(20);
});
