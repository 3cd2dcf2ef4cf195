// Which addresses can get an account: valid ones that belong to no one and are reserved for no one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { confirmEmailChange } from "../email-link/confirm-email-change.ts";
import { requestEmailChange } from "../email-link/request-email-change.ts";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { createAccount } from "./create-account.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.70");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

async function countPeople(): Promise<unknown> {
  const [row] = await bed.sql`
    select (select count(*)::int from persons) as persons,
           (select count(*)::int from accounts) as accounts`;
  return row;
}

async function expectTaken(email: string): Promise<void> {
  const before = await countPeople();
  expect(await faultCodeOf(createAccount(bed.db, { email }))).toBe("conflict");
  expect(await countPeople()).toEqual(before);
}

test("an address that has an account gets no second one", async () => {
  await createAccount(bed.db, { email: "first@example.com" });
  await expectTaken("first@example.com");
  await expectTaken(" First@Example.com");
});

test("a former address gets no account of its own while its account may return to it", async () => {
  const { email, authenticated } = await bed.signUp();
  const newEmail = "moved-away@example.com";
  const from = { ...caller, ...authenticated };
  await requestEmailChange(bed.db, bed.auth, from, { newEmail, password: goodPassword });
  const token = await bed.tokenTo(newEmail, "confirm_new_email");
  await confirmEmailChange(bed.db, bed.auth, caller, { token, password: goodPassword });
  await expectTaken(email);
});
