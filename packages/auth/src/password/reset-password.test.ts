// Every way a password or an address is replaced, and which sessions and links end then.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { confirmEmailChange } from "../email-link/confirm-email-change.ts";
import { requestEmailChange } from "../email-link/request-email-change.ts";
import { verifyEmail } from "../email-link/verify-email.ts";
import {
  callerAt,
  cookieHeader,
  faultCodeOf,
  faultIn,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { registerPerson } from "../person/register-person.ts";
import { logIn } from "../session/log-in.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import { throttleLimits } from "../throttle/throttle-limits.ts";
import { changePassword } from "./change-password.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { resetPassword } from "./reset-password.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.1");
const freshPassword = "a fresh long secret";

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

function signIn(email: string, password: string) {
  return logIn(bed.db, bed.auth, caller, { email, password });
}
function reset(token: string, password = freshPassword) {
  return resetPassword(bed.db, bed.auth, caller, { token, password });
}
async function askReset(email: string) {
  await requestPasswordReset(bed.db, bed.auth, caller, { email });
  return bed.tokenTo(email, "reset_password");
}

describe("resetPassword", () => {
  test("replaces the password, ends every session, signs nobody in and notifies by mail", async () => {
    const { email, cookies } = await bed.signUp();
    const token = await askReset(email);
    await reset(token);
    expect(await bed.auth.sessions.authenticate(cookies)).toBeUndefined();
    expect(await faultCodeOf(signIn(email, goodPassword))).toBe("wrong_credentials");
    expect(await faultCodeOf(signIn(email, freshPassword))).toBe("no fault");
    expect((await bed.mailsTo(email)).map(({ kind }) => kind)).toContain("password_changed");
  });

  test("a link works once, even if two requests use it at the same time", async () => {
    const { email } = await bed.signUp();
    const token = await askReset(email);
    const codes = await Promise.all([faultCodeOf(reset(token)), faultCodeOf(reset(token))]);
    expect(codes.sort()).toEqual(["no fault", "token_expired"]);
    expect(await faultCodeOf(reset(token))).toBe("token_expired");
  });

  test("only the newest link works, and other people's links are not affected", async () => {
    const ada = await bed.signUp();
    const eve = await bed.signUp();
    const older = await askReset(ada.email);
    const newer = await askReset(ada.email);
    const foreign = await askReset(eve.email);
    expect(await faultCodeOf(reset(older))).toBe("token_expired");
    await reset(newer);
    expect(await faultCodeOf(reset(foreign))).toBe("no fault");
    expect(await faultCodeOf(signIn(ada.email, freshPassword))).toBe("no fault");
  });

  test("an expired link, one with other letters and one for another purpose do nothing", async () => {
    const { email } = await bed.signUp();
    const token = await askReset(email);
    const changed = token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase();
    expect(await faultCodeOf(reset(changed))).toBe("token_expired");
    expect(await faultCodeOf(reset(await bed.tokenTo(email, "verify_email")))).toBe(
      "token_expired",
    );
    await bed.sql`update email_tokens set expires_at = now() where purpose = 'reset'`;
    expect(await faultCodeOf(reset(token))).toBe("token_expired");
    expect(await faultCodeOf(signIn(email, goodPassword))).toBe("no fault");
  });

  test("a refused password does not use up the link", async () => {
    const { email } = await bed.signUp();
    const token = await askReset(email);
    expect(await faultCodeOf(reset(token, "short"))).toBe("string_below_min_length");
    expect(await faultCodeOf(reset(token, `${email} 1`))).toBe("invalid_value");
    expect(await faultCodeOf(reset(token))).toBe("no fault");
  });

  test("proves an address that was not verified yet, because the link came by mail", async () => {
    const email = "unproven@example.com";
    await registerPerson(bed.db, bed.auth, caller, { email, password: goodPassword });
    const verifyToken = await bed.tokenTo(email, "verify_email");
    await reset(await askReset(email));
    expect(await faultCodeOf(signIn(email, freshPassword))).toBe("no fault");
    const later = await verifyEmail(bed.db, bed.auth, caller, {
      token: verifyToken,
      password: goodPassword,
    });
    expect(later.status).toBe("already_verified");
  });

  test("a request for an unknown address gets the same answer and sends no mail", async () => {
    const input = { email: "nobody@example.com" };
    expect(await requestPasswordReset(bed.db, bed.auth, caller, input)).toBeUndefined();
    expect(await bed.mailsTo("nobody@example.com")).toHaveLength(0);
    const auth = bed.reopen({ throttles: throttleLimits });
    for (const email of ["nobody-else@example.com", (await bed.signUp()).email]) {
      const ask = () => requestPasswordReset(bed.db, auth, callerAt("192.0.2.5"), { email });
      expect(await faultCodeOf(ask())).toBe("no fault");
      expect(await faultCodeOf(ask())).toBe("throttled");
    }
  });
});

describe("changePassword", () => {
  function change(
    authenticated: AuthenticatedSession,
    currentPassword: string,
    newPassword: string,
  ) {
    const from = { ...caller, ...authenticated };
    return changePassword(bed.db, bed.auth, from, { currentPassword, newPassword });
  }

  test("ends every other session and gives the requesting one a new token", async () => {
    const { email, cookies, authenticated } = await bed.signUp();
    const elsewhere = cookieHeader((await signIn(email, goodPassword)).setCookies);
    const { setCookies } = await change(authenticated, goodPassword, freshPassword);
    expect(await bed.auth.sessions.authenticate(elsewhere)).toBeUndefined();
    expect(await bed.auth.sessions.authenticate(cookies)).toBeUndefined();
    const renewed = await bed.auth.sessions.authenticate(cookieHeader(setCookies));
    expect(renewed?.person.email).toBe(email);
    expect(await faultCodeOf(signIn(email, freshPassword))).toBe("no fault");
  });

  test("without the current password nothing happens, and guessing it is throttled", async () => {
    const { email, cookies, authenticated } = await bed.signUp();
    const wrong = await faultIn(change(authenticated, "not my password", freshPassword));
    expect(wrong).toMatchObject({
      code: "wrong_credentials",
      details: { param: "currentPassword" },
    });
    expect(await bed.auth.sessions.authenticate(cookies)).toBeDefined();
    expect(await faultCodeOf(signIn(email, goodPassword))).toBe("no fault");
    const loginPerPerson = { ...throttleLimits.loginPerPerson, delayMinMs: 60_000 };
    const auth = bed.reopen({ throttles: { ...throttleLimits, loginPerPerson } });
    const from = { ...caller, ...authenticated };
    const given = { currentPassword: "not my password", newPassword: freshPassword };
    const codes: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      codes.push(await faultCodeOf(changePassword(bed.db, auth, from, given)));
    }
    // The first wrong password of this session still counts: signing in elsewhere does not reset it.
    expect(codes).toEqual([...Array(9).fill("wrong_credentials"), "throttled"]);
  });

  test("a new password has to meet the same rules as any other", async () => {
    const { email, authenticated } = await bed.signUp();
    const refusal = (secret: string) => faultIn(change(authenticated, goodPassword, secret));
    const details = { param: "newPassword" };
    expect(await refusal("short")).toMatchObject({ code: "string_below_min_length", details });
    expect(await refusal(`${email} 1`)).toMatchObject({ code: "invalid_value", details });
    expect(await faultCodeOf(signIn(email, goodPassword))).toBe("no fault");
  });

  test("a pending reset link stops working", async () => {
    const { email, authenticated } = await bed.signUp();
    const token = await askReset(email);
    await change(authenticated, goodPassword, freshPassword);
    expect(await faultCodeOf(reset(token, "yet another long one"))).toBe("token_expired");
  });
});

describe("changing the email address", () => {
  function ask(authenticated: AuthenticatedSession, newEmail: string, password = goodPassword) {
    const from = { ...caller, ...authenticated };
    return requestEmailChange(bed.db, bed.auth, from, { newEmail, password });
  }
  function confirm(token: string) {
    return confirmEmailChange(bed.db, bed.auth, caller, { token, password: goodPassword });
  }

  test("takes effect by the link to the new address, and the old one is notified", async () => {
    const { email, cookies, authenticated } = await bed.signUp();
    await ask(authenticated, "New-Home@example.com");
    expect((await bed.auth.sessions.authenticate(cookies))?.person.email).toBe(email);
    const token = await bed.tokenTo("new-home@example.com", "confirm_new_email");
    const moved = { email: "new-home@example.com", setCookies: [] };
    expect(await confirm(token)).toEqual(moved);
    expect(await confirm(token)).toEqual(moved);
    expect((await bed.mailsTo(email))[0]).toMatchObject({
      kind: "email_changed",
      newEmail: "new-home@example.com",
    });
    expect(await faultCodeOf(signIn("new-home@example.com", goodPassword))).toBe("no fault");
    expect(await faultCodeOf(signIn(email, goodPassword))).toBe("wrong_credentials");
  });

  test("is not confirmed by a link for something else", async () => {
    const { email } = await bed.signUp();
    expect(await faultCodeOf(confirm(await askReset(email)))).toBe("token_expired");
    expect(await faultCodeOf(confirm(await bed.tokenTo(email, "verify_email")))).toBe(
      "token_expired",
    );
  });

  test("needs the password", async () => {
    const { authenticated } = await bed.signUp();
    const refused = await faultCodeOf(ask(authenticated, "stolen@example.com", "wrong one, sorry"));
    expect(refused).toBe("wrong_credentials");
    expect(await bed.mailsTo("stolen@example.com")).toHaveLength(0);
  });

  test("to another person's address gets the same answer, and only that person is notified", async () => {
    const ada = await bed.signUp();
    const eve = await bed.signUp();
    expect(await ask(eve.authenticated, ada.email)).toBeUndefined();
    expect((await bed.mailsTo(ada.email))[0]?.kind).toBe("already_registered");
    expect(await faultCodeOf(signIn(eve.email, goodPassword))).toBe("no fault");
  });

  test("an address taken in the meantime stays with its new owner", async () => {
    const { email, authenticated } = await bed.signUp();
    await ask(authenticated, "contested@example.com");
    const token = await bed.tokenTo("contested@example.com", "confirm_new_email");
    await bed.signUp("contested@example.com");
    expect(await faultCodeOf(confirm(token))).toBe("conflict");
    expect(await faultCodeOf(signIn(email, goodPassword))).toBe("no fault");
  });

  test("a link replaced by a newer one or by a reset stops working", async () => {
    const { email, authenticated } = await bed.signUp();
    await ask(authenticated, "first-choice@example.com");
    await ask(authenticated, "second-choice@example.com");
    const first = await bed.tokenTo("first-choice@example.com", "confirm_new_email");
    expect(await faultCodeOf(confirm(first))).toBe("token_expired");
    const second = await bed.tokenTo("second-choice@example.com", "confirm_new_email");
    await reset(await askReset(email));
    expect(await faultCodeOf(confirm(second))).toBe("token_expired");
  });

  test("a reset link mailed to the former address opens nothing", async () => {
    const { email, authenticated } = await bed.signUp();
    const old = await askReset(email);
    await ask(authenticated, "moved-on@example.com");
    await confirm(await bed.tokenTo("moved-on@example.com", "confirm_new_email"));
    expect(await faultCodeOf(reset(old))).toBe("token_expired");
  });
});
