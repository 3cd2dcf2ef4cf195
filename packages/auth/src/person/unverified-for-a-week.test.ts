// When exactly a person who never verified their address is deleted, by a clock that is set to the week's end.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connectDatabase } from "@turnpike/db";
import { setDatabaseClock } from "@turnpike/testing";
import { callerAt, goodPassword, openTestAuth, type TestAuth } from "../open-test-auth.fixture.ts";
import { findPersonByEmail } from "./find-person.ts";
import { deleteUnverified } from "./purge-sign-in.ts";
import { registerPerson } from "./register-person.ts";

let bed: TestAuth;
beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

const week = 7 * 86_400_000;
const registeredAt = Date.UTC(2031, 2, 28, 12);

/** A person of that time, whose password and last link are of other times. */
async function register(email: string, changedAt: number, linkUntil: number): Promise<void> {
  await registerPerson(bed.db, bed.auth, callerAt("198.51.100.9"), {
    email,
    password: goodPassword,
  });
  const time = (at: number) => new Date(at).toISOString();
  await bed.owner.sql`
    update persons set created_at = ${time(registeredAt)}, password_changed_at = ${time(changedAt)}
     where email = ${email}`;
  await bed.owner.sql`
    update email_tokens set expires_at = ${time(linkUntil)}
     where person_id = (select id from persons where email = ${email})`;
}

async function deleteAt(at: number): Promise<number> {
  await setDatabaseClock(bed.database, new Date(at));
  const { db, close } = connectDatabase({ url: bed.database.url, max: 1 });
  const deleted = await deleteUnverified(db);
  await close();
  return deleted;
}

test.each([
  ["a week after the registration", registeredAt, registeredAt, registeredAt + week],
  [
    "a week after the last password",
    registeredAt + 5_000,
    registeredAt,
    registeredAt + week + 5_000,
  ],
  [
    "once the last link has expired",
    registeredAt,
    registeredAt + 2 * week,
    registeredAt + 2 * week - 1,
  ],
])("it is deleted %s, not a millisecond before", async (name, changedAt, linkUntil, lastAt) => {
  const email = `${name.replaceAll(" ", ".")}@example.com`;
  await register(email, changedAt, linkUntil);
  expect(await deleteAt(lastAt)).toBe(0);
  expect(await findPersonByEmail(bed.db, email)).toBeDefined();
  expect(await deleteAt(lastAt + 1)).toBe(1);
  expect(await findPersonByEmail(bed.db, email)).toBeUndefined();
});

test("a person of an account that has another member stays, however old", async () => {
  const email = "shared@example.com";
  await register(email, registeredAt, registeredAt);
  const { authenticated } = await bed.signUp();
  await bed.owner.sql`
    insert into memberships (account_id, person_id)
    select m.account_id, ${authenticated.person.id} from memberships m
      join persons p on p.id = m.person_id where p.email = ${email}`;
  expect(await deleteAt(registeredAt + 2 * week)).toBe(0);
  expect(await findPersonByEmail(bed.db, email)).toBeDefined();
});
