// Each limit in the table takes effect at its number, and affects no one else.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { limitKeyCreation } from "@turnpike/accounts";
import { type ApiKeyId, neighborhood, newId } from "@turnpike/base";
import { mintApiKey } from "@turnpike/keys";
import { requestEmailChange } from "../email-link/request-email-change.ts";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { requestPasswordReset } from "../password/request-password-reset.ts";
import { registerPerson } from "../person/register-person.ts";
import { logIn } from "../session/log-in.ts";
import { scaleThrottles, type ThrottleLimits, throttleLimits } from "./throttle-limits.ts";

let bed: TestAuth;

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

const generous = scaleThrottles(throttleLimits, 1_000);
/** All limits except one, which keeps its real numbers, are out of reach. */
const withReal = (name: keyof ThrottleLimits) =>
  bed.reopen({ throttles: { ...generous, [name]: throttleLimits[name] } });

/** How many of `count` sequential attempts were allowed. */
async function countPassed(
  count: number,
  attempt: (n: number) => Promise<unknown>,
): Promise<number> {
  let passed = 0;
  for (let n = 0; n < count; n += 1) {
    if ((await faultCodeOf(attempt(n))) !== "throttled") passed += 1;
  }
  return passed;
}

test("a hundred logins in five minutes are allowed from one network, however many addresses it has", async () => {
  const auth = withReal("loginPerNetwork");
  // Counted up to the last few, so that not a hundred passwords are hashed.
  await bed.sql`insert into throttles (bucket, count, since)
    values ('login:network:192.0.2.0', 97, now())`;
  const given = { email: "nobody@example.com", password: goodPassword };
  const from = (address: string) => logIn(bed.db, auth, callerAt(address), given);
  expect(await countPassed(6, (n) => from(`192.0.2.${n}`))).toBe(3);
  expect(await countPassed(1, () => from("192.0.3.1"))).toBe(1);
});

test("five hundred people an hour may sign up, from any addresses", async () => {
  const auth = withReal("signUpInAll");
  await bed.sql`insert into throttles (bucket, count, since) values ('sign-up:all', 498, now())`;
  const signUp = (n: number) =>
    registerPerson(bed.db, auth, callerAt(`10.1.${n}.1`), {
      email: `everywhere-${n}@example.com`,
      password: goodPassword,
    });
  expect(await countPassed(4, signUp)).toBe(2);
});

test("twenty-five people an hour may sign up from one neighborhood, such as an IPv6 /48", async () => {
  const auth = withReal("signUpPerNetwork");
  await bed.sql`insert into throttles (bucket, count, since)
    values (${`sign-up:network:${neighborhood("2001:db8:7::1")}`}, 23, now())`;
  const from = (address: string) => (n: number) =>
    registerPerson(bed.db, auth, callerAt(address.replace("N", String(n))), {
      email: `street-${address.length}-${n}@example.com`,
      password: goodPassword,
    });
  expect(await countPassed(4, from("2001:db8:7:N::1"))).toBe(2);
  expect(await countPassed(1, from("2001:db8:8:N::10"))).toBe(1);
});

test("a registration that sends no mail does not count against everybody's", async () => {
  const { mailPerMinute } = throttleLimits;
  const signUpInAll = { max: 2, windowMs: 3_600_000 };
  const auth = bed.reopen({ throttles: { ...generous, mailPerMinute, signUpInAll } });
  await bed.sql`delete from throttles where bucket = 'sign-up:all'`;
  const signUp = (name: string) => (n: number) =>
    registerPerson(bed.db, auth, callerAt(`10.4.${n}.1`), {
      email: `${name}@example.com`,
      password: goodPassword,
    });
  expect(await countPassed(4, signUp("impatient"))).toBe(1);
  expect(await countPassed(1, signUp("patient"))).toBe(1);
  expect(await countPassed(1, signUp("too-late"))).toBe(0);
});

test("five mails of one kind a day go to one address, and mails of another kind still do", async () => {
  const auth = withReal("mailPerDay");
  const ask = (email: string) => (n: number) =>
    requestPasswordReset(bed.db, auth, callerAt(`10.2.${n}.1`), { email });
  expect(await countPassed(7, ask("flooded@example.com"))).toBe(5);
  expect(await countPassed(1, ask("another@example.com"))).toBe(1);
});

test("one mail a minute asks an address to confirm that an account moves there", async () => {
  const auth = withReal("mailPerMinute");
  const { authenticated } = await bed.signUp();
  const from = { ...callerAt("10.6.0.1"), ...authenticated };
  const move = (newEmail: string) => () =>
    requestEmailChange(bed.db, auth, from, { newEmail, password: goodPassword });
  expect(await countPassed(2, move("unasked@example.com"))).toBe(1);
  expect(await countPassed(1, move("also-unasked@example.com"))).toBe(1);
});

test("ten mails an hour are sent on behalf of one address, no matter who the recipients are", async () => {
  const auth = withReal("mailPerAddress");
  const ask = (address: string) => (n: number) =>
    requestPasswordReset(bed.db, auth, callerAt(address), { email: `victim-${n}@example.com` });
  expect(await countPassed(12, ask("10.3.0.1"))).toBe(10);
  expect(await countPassed(1, ask("10.3.0.2"))).toBe(1);
});

test("fifty mails an hour are sent on behalf of one neighborhood", async () => {
  const auth = withReal("mailPerNetwork");
  await bed.sql`insert into throttles (bucket, count, since)
    values (${`mail:network:${neighborhood("10.5.0.1")}`}, 48, now())`;
  const ask = (n: number) =>
    requestPasswordReset(bed.db, auth, callerAt(`10.5.0.${n}`), {
      email: `near-${n}@example.com`,
    });
  expect(await countPassed(4, ask)).toBe(2);
});

test("an IPv6 /64 counts as one address, because one customer has all of it", async () => {
  const auth = withReal("mailPerAddress");
  const ask = (n: number) =>
    requestPasswordReset(bed.db, auth, callerAt(`2001:db8:1:2::${n}`), {
      email: `six-${n}@example.com`,
    });
  expect(await countPassed(12, ask)).toBe(10);
});

test("a person creates twenty keys an hour, an organization more; attempts that create no key are not counted", async () => {
  const auth = bed.reopen({
    throttles: {
      ...generous,
      keyPerAccount: throttleLimits.keyPerAccount,
      keyPerOrganization: { ...throttleLimits.keyPerOrganization, max: 25 },
    },
  });
  const inputOf = ({ authenticated, account }: Awaited<ReturnType<TestAuth["signUp"]>>) => ({
    accountId: account.id,
    createdBy: authenticated.person.id,
    name: "Key",
  });
  const create = (
    given: Parameters<typeof mintApiKey>[1],
    kind: "personal" | "organization" = "personal",
  ) =>
    limitKeyCreation(bed.db, auth, { id: given.accountId, kind }, () => mintApiKey(bed.db, given));
  const input = inputOf(await bed.signUp());
  const id = newId<ApiKeyId>();
  await create({ ...input, id });
  for (let n = 0; n < 3; n += 1) {
    expect(await faultCodeOf(create({ ...input, name: "" }))).toBe("invalid_value");
    expect(await faultCodeOf(create({ ...input, id }))).toBe("conflict");
  }
  expect(await countPassed(22, () => create(input))).toBe(19);
  const neighbor = inputOf(await bed.signUp());
  expect(await countPassed(1, () => create(neighbor))).toBe(1);
  const company = inputOf(await bed.signUp());
  expect(await countPassed(27, () => create(company, "organization"))).toBe(25);
  expect(throttleLimits.keyPerOrganization.max).toBe(200);
});
