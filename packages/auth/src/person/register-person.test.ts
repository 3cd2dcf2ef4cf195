// Registration from the view of a new person, a known person and an impostor.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { errorCodeOf } from "@turnpike/db";
import { untilWaiting } from "@turnpike/testing";
import type { Caller } from "../auth.ts";
import { resendVerification } from "../email-link/resend-verification.ts";
import { verifyEmail, verifyHere } from "../email-link/verify-email.ts";
import {
  callerAt,
  cookieHeader,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { requestPasswordReset } from "../password/request-password-reset.ts";
import { resetPassword } from "../password/reset-password.ts";
import { logIn } from "../session/log-in.ts";
import { throttleLimits } from "../throttle/throttle-limits.ts";
import { registerPerson } from "./register-person.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.1");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

function register(email: string, password = goodPassword) {
  return registerPerson(bed.db, bed.auth, caller, { email, password });
}
function verify(token: string, password = goodPassword) {
  return verifyEmail(bed.db, bed.auth, caller, { token, password });
}
function signIn(email: string, password = goodPassword) {
  return logIn(bed.db, bed.auth, caller, { email, password });
}

describe("registerPerson", () => {
  test("a new person gets a person, an account and a mail, and no session", async () => {
    await register("Ada@Example.com ");
    const [row] = await bed.sql`
      select p.email, p.email_verified_at, m.role, a.balance_nanos, a.name
        from persons p join memberships m on m.person_id = p.id join accounts a on a.id = m.account_id
       where p.email = 'ada@example.com'`;
    expect(row).toMatchObject({ email_verified_at: null, role: "owner", balance_nanos: "0" });
    expect((await bed.mailsTo("ada@example.com")).map(({ kind }) => kind)).toEqual([
      "verify_email",
    ]);
    expect(await faultCodeOf(signIn("ada@example.com"))).toBe("email_not_verified");
    expect(await bed.sql`select public_id from sessions`).toHaveLength(0);
  });

  test("neither password nor token is stored in plain text", async () => {
    const email = "clear@example.com";
    const costly = bed.reopen({ passwordCost: undefined });
    await registerPerson(bed.db, costly, caller, { email, password: goodPassword });
    const token = await bed.tokenTo(email, "verify_email");
    const rows = await bed.sql`
      select p.password_hash, encode(t.hash, 'escape') as hash, t.email
        from persons p join email_tokens t on t.person_id = p.id where p.email = 'clear@example.com'`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(goodPassword);
    expect(rows[0]?.password_hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test("a verified address gets a mail, and neither password nor anything else changes", async () => {
    const { email } = await bed.signUp();
    await register(email, "another password entirely");
    expect((await bed.mailsTo(email))[0]?.kind).toBe("already_registered");
    expect(await faultCodeOf(signIn(email, "another password entirely"))).toBe("wrong_credentials");
    expect(await faultCodeOf(signIn(email))).toBe("no fault");
  });

  test("until it is verified the newest registration counts, and older links no longer work", async () => {
    await register("squat@example.com", "the password of an impostor");
    const older = await bed.tokenTo("squat@example.com", "verify_email");
    await register("squat@example.com");
    expect(await faultCodeOf(verify(older))).toBe("token_expired");
    await verify(await bed.tokenTo("squat@example.com", "verify_email"));
    expect(await faultCodeOf(signIn("squat@example.com"))).toBe("no fault");
    const impostor = signIn("squat@example.com", "the password of an impostor");
    expect(await faultCodeOf(impostor)).toBe("wrong_credentials");
  });

  test("two concurrent registrations create one person", async () => {
    await Promise.all([register("twice@example.com"), register("twice@example.com")]);
    const rows = await bed.sql`select id from persons where email = 'twice@example.com'`;
    expect(rows).toHaveLength(1);
  });

  test("a registration overtaken by another of the same address gets the same answer, without a mail", async () => {
    const email = "overtaken@example.com";
    let late: Promise<unknown> = Promise.resolve("not started");
    await bed.owner.sql.begin(async (first) => {
      await first`insert into persons (id, email) values (${Bun.randomUUIDv7()}, ${email})`;
      late = register(email);
      await untilWaiting(bed.sql, { over: late });
    });
    expect(await late).toMatchObject({ setCookies: [expect.any(String)] });
    expect(await bed.mailsTo(email)).toEqual([]);
  });

  test("a registration that cannot be stored fails instead of promising a mail", async () => {
    await bed.owner.sql`alter table accounts add constraint test_refuses
                        check (name <> 'unstorable@example.com')`;
    const failed = await register("unstorable@example.com").catch(errorCodeOf);
    await bed.owner.sql`alter table accounts drop constraint test_refuses`;
    expect(failed).toBe("23514");
    expect(await bed.mailsTo("unstorable@example.com")).toEqual([]);
  });

  test("text that is not an address is refused and stores nothing", async () => {
    const bad = [
      "",
      "ada",
      "ada@localhost",
      "a b@example.com",
      "<ada@example.com>",
      "ada@example.com,eve@example.com",
      "ada@example.com\r\nBcc: eve@example.com",
      "ada@exa\u0000mple.com",
      `${"a".repeat(250)}@example.com`,
      "ada@example..com",
      "ädä@example.com",
    ];
    for (const email of bad) expect(await faultCodeOf(register(email))).toBe("invalid_value");
    const [row] = await bed.sql`select count(*)::int as n from persons where email like '%eve%'`;
    expect(row?.n).toBe(0);
  });

  test("a flood of sign-ups from one address is throttled, and other addresses are not", async () => {
    const auth = bed.reopen({ throttles: throttleLimits });
    const answers: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const input = { email: `flood-${n}@example.com`, password: goodPassword };
      answers.push(await faultCodeOf(registerPerson(bed.db, auth, callerAt("192.0.2.9"), input)));
    }
    expect(answers.filter((answer) => answer === "no fault")).toHaveLength(5);
    expect(answers.slice(5)).toEqual(["throttled", "throttled", "throttled"]);
    const neighbor = { email: "neighbor@example.com", password: goodPassword };
    const other = registerPerson(bed.db, auth, callerAt("192.0.2.10"), neighbor);
    expect(await faultCodeOf(other)).toBe("no fault");
  });
});

describe("verifyEmail", () => {
  test("the first click verifies, the second reports that the address is verified", async () => {
    await register("click@example.com");
    const token = await bed.tokenTo("click@example.com", "verify_email");
    expect(await verify(token)).toEqual({ status: "verified", email: "click@example.com" });
    expect(await verify(token)).toEqual({ status: "already_verified", email: "click@example.com" });
  });

  test("concurrent clicks verify once", async () => {
    await register("race@example.com");
    const token = await bed.tokenTo("race@example.com", "verify_email");
    const answers = await Promise.all([verify(token), verify(token), verify(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      "already_verified",
      "already_verified",
      "verified",
    ]);
  });

  test("a token that is expired, someone else's, changed or made up verifies nobody", async () => {
    await register("late@example.com");
    const token = await bed.tokenTo("late@example.com", "verify_email");
    const flipped = [...token]
      .map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
      .join("");
    for (const wrong of [flipped, `${token} `, token.slice(1), "x", "\u0000"]) {
      expect(await faultCodeOf(verify(wrong))).toBe("token_expired");
    }
    await requestPasswordReset(bed.db, bed.auth, caller, { email: "late@example.com" });
    const otherPurpose = await bed.tokenTo("late@example.com", "reset_password");
    expect(await faultCodeOf(verify(otherPurpose))).toBe("token_expired");
    await bed.sql`update email_tokens set expires_at = now() - interval '1 second'
                   where email = 'late@example.com'`;
    expect(await faultCodeOf(verify(token))).toBe("token_expired");
    expect(await faultCodeOf(signIn("late@example.com"))).toBe("email_not_verified");
  });

  test("guessing links is throttled; links that work cost nothing", async () => {
    const auth = bed.reopen({ throttles: throttleLimits });
    const guesser = callerAt("192.0.2.77");
    const { email } = await bed.signUp();
    const token = await bed.tokenTo(email, "verify_email");
    for (let n = 0; n < 9; n += 1)
      await verifyEmail(bed.db, auth, guesser, { token, password: goodPassword });
    const guesses: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      guesses.push(
        await faultCodeOf(
          verifyEmail(bed.db, auth, guesser, { token: `guess-${n}`, password: "x" }),
        ),
      );
    }
    expect(guesses).toEqual([...Array(5).fill("token_expired"), "throttled", "throttled"]);
  });
});

describe("verifyHere", () => {
  /** The caller as the browser that got these cookies. */
  const withCookies = (setCookies: readonly string[]) =>
    callerAt("203.0.113.1", cookieHeader(setCookies));
  const here = (browser: Caller, token: string) => verifyHere(bed.db, bed.auth, browser, { token });

  test("the browser that registered needs no password again, and is signed in", async () => {
    const email = "here@example.com";
    const browser = withCookies((await register(email)).setCookies);
    const token = await bed.tokenTo(email, "verify_email");
    const verified = await here(browser, token);
    expect(verified).toMatchObject({ status: "verified", email });
    const session = cookieHeader(verified.setCookies);
    expect((await bed.auth.sessions.authenticate(session))?.person.email).toBe(email);
    expect(await here(browser, token)).toEqual({
      status: "already_verified",
      email,
      setCookies: [],
    });
    expect((await bed.mailsTo(email)).map(({ kind }) => kind)).toEqual(["verify_email"]);
  });

  test("another browser, and one whose registration was replaced, needs the password", async () => {
    const email = "elsewhere@example.com";
    const impostor = withCookies((await register(email, "the password of an impostor")).setCookies);
    const owner = withCookies((await register(email)).setCookies);
    const token = await bed.tokenTo(email, "verify_email");
    for (const browser of [caller, impostor]) {
      expect(await here(browser, token)).toEqual({
        status: "password_needed",
        email,
        setCookies: [],
      });
    }
    expect(await faultCodeOf(signIn(email))).toBe("email_not_verified");
    expect((await here(owner, token)).status).toBe("verified");
  });

  test("a registration of a known address gets a cookie like any other, which proves nothing", async () => {
    const { email } = await bed.signUp();
    const other = (await register(email, "another password entirely")).setCookies;
    const newcomer = (await register("newcomer@example.com")).setCookies;
    const shapeOf = ([cookie = ""]: readonly string[]) => cookie.replace(/=[^;]+/, "=");
    expect(shapeOf(other)).toBe(shapeOf(newcomer));
    const token = await bed.tokenTo("newcomer@example.com", "verify_email");
    expect((await here(withCookies(other), token)).status).toBe("password_needed");
  });

  test("after a new password by the link, the browser that registered is unknown", async () => {
    const email = "replaced@example.com";
    const impostor = withCookies((await register(email, "the password of an impostor")).setCookies);
    await requestPasswordReset(bed.db, bed.auth, caller, { email });
    const token = await bed.tokenTo(email, "verify_email");
    const reset = await bed.tokenTo(email, "reset_password");
    await resetPassword(bed.db, bed.auth, caller, { token: reset, password: goodPassword });
    expect(await here(impostor, token)).toMatchObject({
      status: "already_verified",
      setCookies: [],
    });
    const devices = await bed.sql`
      select 1 from devices d join persons p on p.id = d.person_id where p.email = ${email}`;
    expect(devices).toHaveLength(0);
  });
});

describe("resendVerification", () => {
  test("only the newest link works; unknown and verified addresses get the same answer and no mail", async () => {
    await register("again@example.com");
    const first = await bed.tokenTo("again@example.com", "verify_email");
    const known = await resendVerification(bed.db, bed.auth, caller, {
      email: "again@example.com",
    });
    const unknown = await resendVerification(bed.db, bed.auth, caller, {
      email: "nobody@example.com",
    });
    expect(known).toEqual({ retryAfterSeconds: 60 });
    expect(unknown).toEqual(known);
    expect(await bed.mailsTo("again@example.com")).toHaveLength(2);
    expect(await bed.mailsTo("nobody@example.com")).toHaveLength(0);
    expect(await faultCodeOf(verify(first))).toBe("token_expired");
    const second = await bed.tokenTo("again@example.com", "verify_email");
    expect((await verify(second)).status).toBe("verified");
    await resendVerification(bed.db, bed.auth, caller, { email: "again@example.com" });
    expect(await bed.mailsTo("again@example.com")).toHaveLength(2);
  });

  test("one mail a minute to one address, known or not", async () => {
    const auth = bed.reopen({ throttles: throttleLimits });
    for (const email of ["minute@example.com", "unknown@example.com"]) {
      const ask = () => resendVerification(bed.db, auth, callerAt("192.0.2.30"), { email });
      expect(await faultCodeOf(ask())).toBe("no fault");
      expect(await faultCodeOf(ask())).toBe("throttled");
    }
  });
});
