// Login: who is admitted, who is not, and refusals that do not reveal why.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  callerAt,
  cookieHeader,
  faultCodeOf,
  faultIn,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { requestPasswordReset } from "../password/request-password-reset.ts";
import { resetPassword } from "../password/reset-password.ts";
import { throttleLimits } from "../throttle/throttle-limits.ts";
import { logIn } from "./log-in.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.1");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

describe("logIn", () => {
  test("the cookie is hidden from scripts, and its token is not in the database", async () => {
    const { email } = await bed.signUp();
    const given = { email: ` ${email.toUpperCase()}`, password: goodPassword };
    const { setCookies } = await logIn(bed.db, bed.auth, caller, given);
    const [session = "", device = ""] = setCookies;
    expect(session).toMatch(/^turnpike_session=\w+; HttpOnly; Max-Age=\d+; Path=\/; SameSite=Lax$/);
    expect(device).toMatch(/^turnpike_device=[\w-]+; HttpOnly; .*SameSite=Lax$/);
    const token = /=(\w+);/.exec(session)?.[1] ?? "missing";
    const rows = await bed.sql`
      select s::text as all, encode(hash, 'escape') as hash from sessions s`;
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("over https the cookies are secure and bound to the host", async () => {
    const { email } = await bed.signUp();
    const auth = bed.reopen({ publicUrl: "https://console.test" });
    const { setCookies } = await logIn(bed.db, auth, caller, { email, password: goodPassword });
    expect(setCookies[0]).toMatch(/^__Host-turnpike_session=.*Path=\/.*; Secure$/);
    expect(setCookies[1]).toMatch(/^__Host-turnpike_device=.*Path=\/.*; Secure$/);
  });

  test("a wrong password and an unknown address get the same refusal", async () => {
    const { email } = await bed.signUp();
    const wrong = await faultIn(
      logIn(bed.db, bed.auth, caller, { email, password: "not the right one" }),
    );
    const unknown = await faultIn(
      logIn(bed.db, bed.auth, caller, { email: "nobody@example.com", password: goodPassword }),
    );
    expect(wrong?.code).toBe("wrong_credentials");
    expect(unknown).toEqual(wrong as never);
  });

  test("a person without a password cannot sign in with any password", async () => {
    await bed.sql`insert into persons (id, email, email_verified_at)
                  values (${Bun.randomUUIDv7()}, 'operator-made@example.com', now())`;
    for (const password of ["", " ", goodPassword]) {
      const attempt = logIn(bed.db, bed.auth, caller, {
        email: "operator-made@example.com",
        password,
      });
      expect(await faultCodeOf(attempt)).toBe("wrong_credentials");
    }
  });

  test("a password in another Unicode normal form is the same password", async () => {
    const { email } = await bed.signUp();
    const composed = "caf\u00e9 au lait, please";
    await requestPasswordReset(bed.db, bed.auth, caller, { email });
    const token = await bed.tokenTo(email, "reset_password");
    await resetPassword(bed.db, bed.auth, caller, { token, password: composed });
    const decomposed = { email, password: composed.normalize("NFD") };
    expect(await faultCodeOf(logIn(bed.db, bed.auth, caller, decomposed))).toBe("no fault");
  });

  test("a hash with outdated parameters is replaced by the next login", async () => {
    const { email } = await bed.signUp();
    const strict = bed.reopen({ passwordCost: undefined });
    const hashOf = async () =>
      (await bed.sql`select password_hash from persons where email = ${email}`)[0]?.password_hash;
    expect(await hashOf()).toContain("m=8,t=1,p=1");
    await logIn(bed.db, strict, caller, { email, password: goodPassword });
    expect(await hashOf()).toContain("m=19456,t=2,p=1");
    const again = logIn(bed.db, strict, caller, { email, password: goodPassword });
    expect(await faultCodeOf(again)).toBe("no fault");
  });
});

describe("a new device", () => {
  test("is reported by mail, except at the first login and when it is used again", async () => {
    const { email, cookies } = await bed.signUp();
    const mailKinds = async () => (await bed.mailsTo(email)).map(({ kind }) => kind);
    expect(await mailKinds()).toEqual(["verify_email"]);
    const known = callerAt("203.0.113.1", cookies);
    await logIn(bed.db, bed.auth, known, { email, password: goodPassword });
    expect(await mailKinds()).toEqual(["verify_email"]);
    const { setCookies } = await logIn(bed.db, bed.auth, callerAt("192.0.2.1"), {
      email,
      password: goodPassword,
    });
    const [mail] = await bed.mailsTo(email);
    expect(mail).toMatchObject({
      kind: "new_sign_in",
      device: "Firefox on Linux",
      address: "192.0.2.1",
    });
    const second = callerAt("192.0.2.1", cookieHeader(setCookies));
    await logIn(bed.db, bed.auth, second, { email, password: goodPassword });
    expect(await bed.mailsTo(email)).toHaveLength(2);
  });
});

test("a sign-in from a new device names the approximate place, where it is known", async () => {
  const findPlace = (address: string) => (address === "192.0.2.1" ? "Vienna, Austria" : "");
  const auth = bed.reopen({ findPlace });
  const { email } = await bed.signUp();
  for (const address of ["192.0.2.1", "192.0.2.2"]) {
    await logIn(bed.db, auth, callerAt(address), { email, password: goodPassword });
  }
  const [unknown, known] = await bed.mailsTo(email);
  expect(known).toMatchObject({ kind: "new_sign_in", place: "Vienna, Austria" });
  expect(unknown).toMatchObject({ kind: "new_sign_in", address: "192.0.2.2" });
  expect(unknown).not.toHaveProperty("place");
});

describe("guessing", () => {
  test("from one address stops after 20 attempts in five minutes, for any person", async () => {
    const auth = bed.reopen({ throttles: throttleLimits });
    const from = callerAt("192.0.2.200");
    const codes: string[] = [];
    for (let n = 0; n < 22; n += 1) {
      const given = { email: `guess-${n}@example.com`, password: "some password" };
      codes.push(await faultCodeOf(logIn(bed.db, auth, from, given)));
    }
    expect(codes).toEqual([...Array(20).fill("wrong_credentials"), "throttled", "throttled"]);
    const [row] = await bed.sql`
      select bucket from throttles where bucket = 'login:address:192.0.2.200'`;
    expect(row).toBeDefined();
  });

  test("of one person from many addresses is slowed, and even the right password waits", async () => {
    const { email } = await bed.signUp();
    // A wait long enough to be observed on a busy machine.
    const loginPerPerson = { ...throttleLimits.loginPerPerson, delayMinMs: 60_000 };
    const auth = bed.reopen({ throttles: { ...throttleLimits, loginPerPerson } });
    const attempt = (n: number, password: string) =>
      faultIn(logIn(bed.db, auth, callerAt(`10.${n}.0.1`), { email, password }));
    for (let n = 0; n < 10; n += 1) {
      expect((await attempt(n, "not the right one"))?.code).toBe("wrong_credentials");
    }
    const refused = await attempt(11, goodPassword);
    expect(refused?.code).toBe("throttled");
    expect(refused?.details.retryAfterMs).toBeGreaterThan(1_000);
    expect(refused?.details.retryAfterMs).toBeLessThanOrEqual(60_000);
    // Time passes.
    await bed.sql`update throttles set blocked_until = now() - interval '1 second'
                   where bucket like 'login:person:%' and count >= 10`;
    expect((await attempt(12, "not the right one"))?.code).toBe("wrong_credentials");
    const longer = await attempt(13, goodPassword);
    expect(longer?.details.retryAfterMs).toBeGreaterThan(60_000);
    expect(longer?.details.retryAfterMs).toBeLessThanOrEqual(120_000);
  });

  test("concurrent attempts are counted before any password is checked", async () => {
    const { email } = await bed.signUp();
    const loginPerPerson = { ...throttleLimits.loginPerPerson, delayMinMs: 60_000 };
    const auth = bed.reopen({ throttles: { ...throttleLimits, loginPerPerson } });
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        faultCodeOf(
          logIn(bed.db, auth, callerAt(`10.99.${n}.1`), { email, password: "wrong one, sorry" }),
        ),
      ),
    );
    expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(10);
    expect(codes.filter((code) => code === "throttled")).toHaveLength(20);
  });

  test("the right password, or a reset, clears the count", async () => {
    const { email } = await bed.signUp();
    const auth = bed.reopen({
      throttles: {
        ...throttleLimits,
        loginPerPerson: { ...throttleLimits.loginPerPerson, free: 3, delayMinMs: 60_000 },
      },
    });
    const attempt = (password: string) =>
      faultCodeOf(logIn(bed.db, auth, callerAt("10.7.0.1"), { email, password }));
    await attempt("wrong one, sorry");
    await attempt("wrong one, sorry");
    expect(await attempt(goodPassword)).toBe("no fault");
    for (let n = 0; n < 3; n += 1) await attempt("wrong one, sorry");
    expect(await attempt(goodPassword)).toBe("throttled");
    await requestPasswordReset(bed.db, bed.auth, caller, { email });
    const token = await bed.tokenTo(email, "reset_password");
    await resetPassword(bed.db, bed.auth, caller, { token, password: "a fresh long secret" });
    expect(await attempt("a fresh long secret")).toBe("no fault");
  });
});
