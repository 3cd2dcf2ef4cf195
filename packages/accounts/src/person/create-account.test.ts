// Which addresses can get an account: valid ones that belong to no one and are reserved for no one.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { faultCodeOf, openTestAccounts, type TestAccounts } from "../open-test-accounts.fixture.ts";
import { createAccount } from "./create-account.ts";

let bed: TestAccounts;

beforeAll(async () => {
  bed = await openTestAccounts();
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
