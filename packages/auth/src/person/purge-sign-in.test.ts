// People who never verified their address are deleted after a week; those who still may, or who ever had
// money, are not.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type AccountId, newId, type PersonId } from "@turnpike/base";
import { mintApiKey } from "@turnpike/keys";
import { callerAt, goodPassword, openTestAuth, type TestAuth } from "../open-test-auth.fixture.ts";
import { requestPasswordReset } from "../password/request-password-reset.ts";
import { findPersonByEmail } from "./find-person.ts";
import { deleteUnverified } from "./purge-sign-in.ts";
import { registerPerson } from "./register-person.ts";

let bed: TestAuth;

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

type Registered = { email: string; personId: PersonId; accountId: AccountId };

const caller = callerAt("198.51.100.9");

/** Registers a person that long ago, with a link of the same age. */
async function register(email: string, age = "8 days"): Promise<Registered> {
  await registerPerson(bed.db, bed.auth, caller, { email, password: goodPassword });
  const [row] = await bed.owner.sql<{ person_id: PersonId; account_id: AccountId }[]>`
    select m.person_id, m.account_id from memberships m
      join persons p on p.id = m.person_id where p.email = ${email}`;
  if (row === undefined) throw new Error(`${email} did not register.`);
  const registered = { email, personId: row.person_id, accountId: row.account_id };
  await bed.owner.sql`
    update persons set created_at = created_at - ${age}::interval where email = ${email}`;
  await bed.owner.sql`
    update email_tokens set expires_at = expires_at - ${age}::interval where email = ${email}`;
  return registered;
}

async function isThere({ email, accountId }: Registered): Promise<boolean> {
  const [account] = await bed.owner.sql`select id from accounts where id = ${accountId}`;
  const person = await findPersonByEmail(bed.db, email);
  expect(account !== undefined).toBe(person !== undefined);
  return person !== undefined;
}

describe("after seven days", () => {
  test("a person who never verified is deleted with account and links, and may register again", async () => {
    const newcomer = await register("gone@example.com");
    expect(await deleteUnverified(bed.db)).toBe(1);
    expect(await isThere(newcomer)).toBe(false);
    for (const table of ["email_tokens", "memberships"]) {
      const rows = await bed.owner.sql`
        select 1 from ${bed.owner.sql(table)} where person_id = ${newcomer.personId}`;
      expect(rows).toHaveLength(0);
    }
    expect(await isThere(await register("gone@example.com", "0"))).toBe(true);
    expect(await deleteUnverified(bed.db)).toBe(0);
  });

  test("people who may still verify stay: verified, young, registered again, or with a link that works", async () => {
    const kept = [
      await register("young@example.com", "6 days 23 hours"),
      await register("again@example.com"),
      await register("linked@example.com"),
    ];
    await registerPerson(bed.db, bed.auth, caller, {
      email: "again@example.com",
      password: "another long secret",
    });
    await bed.owner.sql`update email_tokens set expires_at = now() where email like 'again%'`;
    await requestPasswordReset(bed.db, bed.auth, caller, { email: "linked@example.com" });
    const { email, authenticated, account } = await bed.signUp();
    kept.push({ email, personId: authenticated.person.id, accountId: account.id });
    await bed.owner.sql`update persons set created_at = now() - interval '1 year'
                         where email = ${email}`;
    expect(await deleteUnverified(bed.db)).toBe(0);
    for (const person of kept) expect(await isThere(person)).toBe(true);
  });

  test("a person created by an operator stays, even without a password or any other trace", async () => {
    const email = "made@example.com";
    const made = await createAccount(bed.db, { email });
    await bed.owner.sql`update persons set created_at = now() - interval '1 year'
                         where email = ${email}`;
    expect(await deleteUnverified(bed.db)).toBe(0);
    expect(await isThere({ email, ...made })).toBe(true);
  });

  test("an account with a trace of money stays: an entry, a key, a request, a lease, a top-up", async () => {
    const { sql } = bed.owner;
    const kept = [
      await register("entry@example.com"),
      await register("key@example.com"),
      await register("request@example.com"),
      await register("lease@example.com"),
      await register("top-up@example.com"),
    ] as const;
    const [entry, key, request, lease, topUp] = kept;
    for (const amount of ["5", "-5"]) await postMoney(entry.accountId, amount);
    const { accountId } = key;
    await mintApiKey(bed.db, { accountId, createdBy: undefined, name: "Key" });
    await sql`insert into requests (account_id, id, state)
              values (${request.accountId}, ${newId()}, 'refused')`;
    await sql`insert into leases (account_id, id, instance_id, hour)
              values (${lease.accountId}, ${newId()}, ${newId()}, now())`;
    await sql`insert into top_ups (id, account_id, amount_nanos, processor)
              values (${newId()}, ${topUp.accountId}, 1, 'sandbox')`;
    expect(await deleteUnverified(bed.db)).toBe(0);
    for (const person of kept) expect(await isThere(person)).toBe(true);
  });

  test("an account that is being credited is skipped without waiting, and keeps its money", async () => {
    const newcomer = await register("posting@example.com");
    await bed.owner.sql.begin(async (transaction) => {
      await transaction`select 1 from accounts where id = ${newcomer.accountId} for no key update`;
      expect(await deleteUnverified(bed.db)).toBe(0);
    });
    expect(await isThere(newcomer)).toBe(true);
    expect(await deleteUnverified(bed.db)).toBe(1);
  });
});

async function postMoney(accountId: AccountId, amount: string): Promise<void> {
  await bed.owner.sql`
    select post_movement(${newId()}, 'adjustment', ${crypto.randomUUID()}, 'test', 'test',
                         ${accountId}, ${amount}::bigint, 'adjustments')`;
}

test("the server's role may not delete accounts", async () => {
  const { accountId } = await register("mine@example.com", "0");
  const deleting = bed.sql`delete from accounts where id = ${accountId}`;
  expect(await deleting.catch(String)).toContain("permission denied");
});
