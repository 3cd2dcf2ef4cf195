// Step-up with a second factor instead of the password.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { faultCodeOf, goodPassword, type TestAuth } from "../open-test-auth.fixture.ts";
import { requireRecentProof, stepUp } from "../session/step-up.ts";
import { throttleLimits } from "../throttle/throttle-limits.ts";
import { openTestFactors, type TestFactors, totp } from "./open-test-factors.fixture.ts";

let opened: TestFactors;
let bed: TestAuth;

beforeAll(async () => {
  opened = await openTestFactors();
  bed = opened.bed;
});
afterAll(() => opened.close());

async function old() {
  const person = await opened.signUpWithApp();
  await bed.sql`update sessions set password_at = now() - interval '1 day'
                   where public_id = ${person.authenticated.session.publicId}`;
  const again = async () => {
    const session = await bed.auth.sessions.authenticate(person.cookies);
    if (session === undefined) throw new Error("The session ended.");
    return session;
  };
  return { ...person, again, owner: await again() };
}

test("step-up takes the password, a code of an app or a recovery code", async () => {
  for (const kind of ["password", "totp", "recovery_code"] as const) {
    const { owner, app, again } = await old();
    expect(() => requireRecentProof(owner)).toThrow("again to do this");
    const code = kind === "totp" ? opened.nextCode(app.secret) : (app.recoveryCodes[0] ?? "");
    const proof =
      kind === "password"
        ? ({ method: kind, password: goodPassword } as const)
        : ({ method: kind, code } as const);
    await stepUp(bed.db, bed.auth, owner, proof);
    expect(requireRecentProof(await again())).toBeUndefined();
    const mails = await bed.mailsTo(owner.person.email);
    const isTold = mails.some((mail) => mail.kind === "recovery_code_used");
    expect(isTold).toBe(kind === "recovery_code");
    // The same code proves nothing a second time.
    if (kind !== "password") {
      expect(await faultCodeOf(stepUp(bed.db, bed.auth, owner, proof))).toBe("wrong_credentials");
    }
  }
});

test("step-up counts wrong codes with wrong passwords of the session", async () => {
  const { owner } = await old();
  const factorPerPerson = { ...throttleLimits.factorPerPerson, delayMinMs: 60_000 };
  const auth = bed.reopen({ throttles: { ...bed.auth.throttles, factorPerPerson } });
  const guess = () => faultCodeOf(stepUp(bed.db, auth, owner, totp("000000")));
  for (let n = 0; n < 5; n += 1) expect(await guess()).toBe("wrong_credentials");
  expect(await guess()).toBe("throttled");
});
