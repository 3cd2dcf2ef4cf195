// Confirming a new address by its link: used twice at the same moment, and more than once with the right
// password.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Auth } from "../auth.ts";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { throttleLimits } from "../throttle/throttle-limits.ts";
import { confirmEmailChange } from "./confirm-email-change.ts";
import { requestEmailChange } from "./request-email-change.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.60");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

/** The token mailed to the new address of a person. */
async function askToMove(newEmail: string): Promise<string> {
  const { authenticated } = await bed.signUp();
  const given = { newEmail, password: goodPassword };
  await requestEmailChange(bed.db, bed.auth, { ...caller, ...authenticated }, given);
  return bed.tokenTo(newEmail, "confirm_new_email");
}

test("a link used twice at the same moment moves the person once", async () => {
  const newEmail = "twice-confirmed@example.com";
  const given = { token: await askToMove(newEmail), password: goodPassword };
  const bothVerified = Promise.withResolvers<void>();
  let verified = 0;
  const together: Auth = {
    ...bed.auth,
    passwords: {
      ...bed.auth.passwords,
      async verify(password, hash) {
        const verdict = await bed.auth.passwords.verify(password, hash);
        verified += 1;
        if (verified === 2) bothVerified.resolve();
        await bothVerified.promise;
        return verdict;
      },
    },
  };
  const confirm = () => faultCodeOf(confirmEmailChange(bed.db, together, caller, given));
  const codes = await Promise.all([confirm(), confirm()]);
  expect(codes.sort()).toEqual(["no fault", "token_expired"]);
  expect((await bed.mailsTo(newEmail)).map(({ kind }) => kind)).toEqual(["confirm_new_email"]);
});

test("the right password is not slowed down, however often it is sent with a link", async () => {
  const newEmail = "taken-meanwhile@example.com";
  const given = { token: await askToMove(newEmail), password: goodPassword };
  await bed.signUp(newEmail);
  const loginPerPerson = { ...throttleLimits.loginPerPerson, free: 1, delayMinMs: 60_000 };
  const auth = bed.reopen({ throttles: { ...bed.auth.throttles, loginPerPerson } });
  for (let n = 0; n < 3; n += 1) {
    expect(await faultCodeOf(confirmEmailChange(bed.db, auth, caller, given))).toBe("conflict");
  }
});
