// Deletion of a person: a week later, never while something needs them, and nothing about them is left but the books.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createOrganization } from "@turnpike/accounts";
import type { AccountId } from "@turnpike/base";
import { purgeAudit } from "@turnpike/db";
import { callerAt, faultIn, openTestAuth, type TestAuth } from "../open-test-auth.fixture.ts";
import {
  cancelDeletion,
  deleteDuePersons,
  keptOfPersons,
  queryDeletion,
  requestDeletion,
} from "./delete-person.ts";

let bed: TestAuth;
const here = callerAt("203.0.113.60");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

type SignedUp = Awaited<ReturnType<TestAuth["signUp"]>>;

const idOf = ({ authenticated }: SignedUp) => authenticated.person.id;
const ask = (ada: SignedUp) => requestDeletion(bed.db, bed.auth, { ...here, ...ada });
const revoked: string[] = [];

/** A week passes, and the job runs. */
async function aWeekLater() {
  await bed.owner.sql`update persons set deletion_due_at = now() where deletion_due_at is not null`;
  return deleteDuePersons(bed.db, {
    account: async (_, id) => revoked.push(`account ${id}`),
    member: async (_, id) => revoked.push(`member of ${id}`),
  });
}

async function kindsTo(email: string) {
  return (await bed.mailsTo(email)).map(({ kind }) => kind);
}

test("nothing happens for a week, and until then it can be cancelled", async () => {
  const ada = await bed.signUp();
  const dueAt = await ask(ada);
  const days = (dueAt.getTime() - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  expect(await bed.mailsTo(ada.email)).toMatchObject([
    { kind: "deletion_scheduled", link: "http://console.test/settings/profile" },
    { kind: "verify_email" },
  ]);
  expect((await faultIn(ask(ada)))?.code).toBe("conflict");
  const none = { account: async () => 0, member: async () => 0 };
  expect(await deleteDuePersons(bed.db, none)).toEqual([]);
  await cancelDeletion(bed.db, { ...here, ...ada });
  expect(await queryDeletion(bed.db, idOf(ada))).toBeNull();
  await aWeekLater();
  expect(await bed.auth.sessions.authenticate(ada.cookies)).toBeDefined();
});

test("a request turns automatic top-ups off and forgets the card, and says so", async () => {
  const ada = await bed.signUp();
  await bed.owner.sql`
    insert into auto_top_ups (account_id, enabled, threshold_nanos, amount_nanos, ceiling_nanos,
                              payment_method_id, card_brand, card_last4, card_person_id)
    values (${ada.account.id}, true, 5, 10, 50, 'pm_1', 'visa', '4242', ${idOf(ada)})`;
  await ask(ada);
  const [row] = await bed.owner.sql`
    select enabled, state, card_brand, card_last4, card_person_id
      from auto_top_ups where account_id = ${ada.account.id}`;
  expect({ ...row }).toEqual({
    enabled: false,
    state: "deletion",
    card_brand: null,
    card_last4: null,
    card_person_id: null,
  });
  const mails = await bed.mailsTo(ada.email);
  expect(mails.find(({ kind }) => kind === "auto_top_up_paused")).toMatchObject({
    reason: "deletion",
  });
});

test("then every row about the person is gone or empty, in every table", async () => {
  const ada = await bed.signUp("ada-lovelace@example.com");
  const eve = await bed.signUp();
  const { id: organization } = await createOrganization(
    bed.db,
    bed.auth,
    { person: eve.authenticated.person, address: here.address },
    { name: "Acme" },
  );
  await bed.owner.sql`
    insert into memberships (account_id, person_id, role) values (${organization}, ${idOf(ada)}, 'admin')`;
  await ask(ada);
  const changed = await aWeekLater();
  // Others of this file are due as well.
  expect(changed).toEqual(expect.arrayContaining([organization, ada.account.id]));
  expect(revoked).toEqual(
    expect.arrayContaining([`account ${ada.account.id}`, `member of ${organization}`]),
  );
  expect(await bed.auth.sessions.authenticate(ada.cookies)).toBeUndefined();
  await purgeAudit(bed.db);
  const tables = await bed.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'person_id'`;
  for (const { name } of tables.filter((table) => !["top_ups", "leases"].includes(table.name))) {
    const rows = await bed.owner.sql`
      select 1 from ${bed.owner.sql(name)} where person_id = ${idOf(ada)}`;
    expect(`${name}: ${rows.length}`).toBe(`${name}: 0`);
  }
  const [person] = await bed.sql`select p::text as all from persons p where id = ${idOf(ada)}`;
  expect(person?.all).not.toContain("lovelace");
  const [account] = await bed.sql`
    select name, closed_at, audit_retention_days from accounts where id = ${ada.account.id}`;
  expect(account).toMatchObject({
    name: "",
    closed_at: expect.any(String),
    audit_retention_days: 90,
  });
  // The organization keeps what it recorded; Eve is its owner as before.
  const rows = await bed.sql`
    select actor_name from audit_log where account_id = ${organization} and action = 'member.leave'`;
  expect(rows).toMatchObject([{ actor_name: "ada-lovelace@example.com" }]);
  expect(await kindsTo(ada.email)).toEqual(["person_deleted"]);
  // The address is free again.
  await bed.signUp("ada-lovelace@example.com");
});

test("the only owner of an organization is told to transfer or delete it first", async () => {
  const ada = await bed.signUp();
  const { person } = ada.authenticated;
  await createOrganization(bed.db, bed.auth, { person, address: "" }, { name: "Hers" });
  const refused = await faultIn(ask(ada));
  expect(refused?.message).toContain("“Hers” has no other owner");
  expect(await queryDeletion(bed.db, person.id)).toBeNull();
});

test("money in the wallet refuses it, and stops it if it came meanwhile, with a mail", async () => {
  const credit = (id: AccountId, nanos: bigint) => bed.owner.sql`
    select * from post_movement(gen_random_uuid(), 'adjustment', ${crypto.randomUUID()}, 'test',
      'test', ${id}, ${String(nanos)}::bigint, 'adjustments')`;
  const rich = await bed.signUp();
  await credit(rich.account.id, 5_000_000_000n);
  expect((await faultIn(ask(rich)))?.message).toContain("still $5.00 in the wallet");
  const ada = await bed.signUp();
  await ask(ada);
  await credit(ada.account.id, 1_000_000_000n);
  await aWeekLater();
  expect(await queryDeletion(bed.db, idOf(ada))).toBeNull();
  expect((await bed.mailsTo(ada.email))[0]).toMatchObject({ kind: "deletion_stopped" });
  expect(await bed.auth.sessions.authenticate(ada.cookies)).toBeDefined();
});

test("someone who cannot be deleted because of a bug delays nobody else, and nothing of them is lost", async () => {
  const stuck = await bed.signUp();
  const ada = await bed.signUp();
  for (const one of [stuck, ada]) await ask(one);
  await bed.owner.sql`update persons set deletion_due_at = now() where deletion_due_at is not null`;
  const deletion = deleteDuePersons(bed.db, {
    account: async (_, id) => {
      if (id === stuck.account.id) throw new Error("a bug");
    },
    member: async () => undefined,
  });
  expect(deletion).rejects.toThrow("a bug");
  await deletion.catch(() => undefined);
  expect(await bed.auth.sessions.authenticate(ada.cookies)).toBeUndefined();
  expect(await bed.auth.sessions.authenticate(stuck.cookies)).toBeDefined();
  expect(await queryDeletion(bed.db, idOf(stuck))).not.toBeNull();
  await aWeekLater();
  expect(await bed.auth.sessions.authenticate(stuck.cookies)).toBeUndefined();
});

test("what is kept has a reason", () => {
  for (const reason of Object.values(keptOfPersons)) expect(reason.length).toBeGreaterThan(20);
});
