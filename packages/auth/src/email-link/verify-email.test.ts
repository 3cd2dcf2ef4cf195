// Verification links that expire while they are used: they verify nothing, and reveal nothing about the
// password that was sent with them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Auth } from "../auth.ts";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { registerPerson } from "../person/register-person.ts";
import { verifyEmail, verifyWithNewPassword } from "./verify-email.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.40");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

async function register(email: string): Promise<string> {
  await registerPerson(bed.db, bed.auth, caller, { email, password: goodPassword });
  return bed.tokenTo(email, "verify_email");
}

const expire = (email: string) =>
  bed.sql`update email_tokens set expires_at = now() where email = ${email}`;

async function isVerified(email: string): Promise<unknown> {
  const [row] = await bed.sql`
    select email_verified_at is not null as verified from persons where email = ${email}`;
  return row?.verified;
}

test("a link that expires while its password is checked verifies nothing", async () => {
  const email = "expires-meanwhile@example.com";
  const token = await register(email);
  const overtaken: Auth = {
    ...bed.auth,
    passwords: {
      ...bed.auth.passwords,
      async verify(password, hash) {
        const verdict = await bed.auth.passwords.verify(password, hash);
        await expire(email);
        return verdict;
      },
    },
  };
  const given = { token, password: goodPassword };
  expect(await faultCodeOf(verifyEmail(bed.db, overtaken, caller, given))).toBe("token_expired");
  expect(await isVerified(email)).toBe(false);
});

test("two clicks at the same moment both report the address as verified", async () => {
  const email = "two-clicks@example.com";
  const given = { token: await register(email), password: goodPassword };
  const bothRead = Promise.withResolvers<void>();
  let reading = 0;
  const together: Auth = {
    ...bed.auth,
    passwords: {
      ...bed.auth.passwords,
      async verify(password, hash) {
        const verdict = await bed.auth.passwords.verify(password, hash);
        reading += 1;
        if (reading === 2) bothRead.resolve();
        await bothRead.promise;
        return verdict;
      },
    },
  };
  const click = async () => (await verifyEmail(bed.db, together, caller, given)).status;
  expect((await Promise.all([click(), click()])).sort()).toEqual(["already_verified", "verified"]);
  expect(await isVerified(email)).toBe(true);
});

test("an expired link is reported as expired for any password sent with it", async () => {
  const email = "expired@example.com";
  const token = await register(email);
  await expire(email);
  const wrong = { token, password: "not the right one" };
  expect(await faultCodeOf(verifyEmail(bed.db, bed.auth, caller, wrong))).toBe("token_expired");
  const short = { token, password: "short" };
  expect(await faultCodeOf(verifyWithNewPassword(bed.db, bed.auth, caller, short))).toBe(
    "token_expired",
  );
  expect(await isVerified(email)).toBe(false);
});
