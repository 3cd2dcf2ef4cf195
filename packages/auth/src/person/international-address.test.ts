// An address with an international domain: one person in each spelling. An address that only looks like one: nobody.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { verifyEmail } from "../email-link/verify-email.ts";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { requestPasswordReset } from "../password/request-password-reset.ts";
import { logIn } from "../session/log-in.ts";
import { registerPerson } from "./register-person.ts";

let bed: TestAuth;
const known = "quack@example.com";
const caller = callerAt("203.0.113.40");

beforeAll(async () => {
  bed = await openTestAuth();
  await bed.signUp(known);
});
afterAll(() => bed.close());

const register = (email: string) =>
  registerPerson(bed.db, bed.auth, caller, { email, password: goodPassword });

test("one is a person who registers once and signs in with each spelling", async () => {
  const stored = "user@xn--mnchen-3ya.example";
  await register("user@m\u00fcnchen.example");
  const token = await bed.tokenTo(stored, "verify_email");
  await verifyEmail(bed.db, bed.auth, caller, { token, password: goodPassword });
  await register(stored);
  expect((await bed.mailsTo(stored))[0]).toMatchObject({ kind: "already_registered" });
  const [row] = await bed.sql`
    select count(*)::int as people from persons where email like '%nchen%'`;
  expect(row?.people).toBe(1);
  for (const email of ["user@m\u00fcnchen.example", stored, "USER@M\u00dcNCHEN.example"]) {
    const given = { email, password: goodPassword };
    expect(await faultCodeOf(logIn(bed.db, bed.auth, caller, given))).toBe("no fault");
  }
});

test.each(["quac\u212a@example.com", "\uff51uack@example.com", "quack@example\u3002com"])(
  "%s neither registers, signs in nor asks for a new password",
  async (email) => {
    const before = await bed.mailsTo(known);
    const given = { email, password: goodPassword };
    expect(await faultCodeOf(register(email))).toBe("invalid_value");
    expect(await faultCodeOf(logIn(bed.db, bed.auth, caller, given))).toBe("invalid_value");
    const reset = requestPasswordReset(bed.db, bed.auth, caller, { email });
    expect(await faultCodeOf(reset)).toBe("invalid_value");
    expect(await bed.mailsTo(known)).toEqual(before);
  },
);
