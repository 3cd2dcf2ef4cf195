// Authenticator apps and recovery codes: added, asked for at sign-in, used once, limited, removed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { undoChange } from "../email-link/undo-change.ts";
import {
  cookieHeader,
  faultCodeOf,
  goodPassword,
  type TestAuth,
  undoing,
} from "../open-test-auth.fixture.ts";
import { changePassword } from "../password/change-password.ts";
import { logIn } from "../session/log-in.ts";
import { throttleLimits } from "../throttle/throttle-limits.ts";
import { removeFactor, renameFactor, renewRecoveryCodes } from "./change-factors.ts";
import { beginTotp, confirmTotp } from "./enroll-totp.ts";
import { listFactors } from "./list-factors.ts";
import {
  caller,
  openTestFactors,
  recovery,
  type TestFactors,
  totp,
} from "./open-test-factors.fixture.ts";

let opened: TestFactors;
let bed: TestAuth;

beforeAll(async () => {
  opened = await openTestFactors();
  bed = opened.bed;
});
afterAll(() => opened.close());

describe("an authenticator app", () => {
  test("counts once its first code was given, and then signing in asks for one", async () => {
    const { email, authenticated } = await bed.signUp();
    const { id, secret, uri } = await beginTotp(bed.db, bed.auth, authenticated);
    expect(uri).toContain(`secret=${secret}&`);
    expect(await opened.ask(email)).toBe("");
    const confirm = (code: string) =>
      confirmTotp(bed.db, bed.auth, authenticated, { id, code, name: " My  phone " });
    expect(await faultCodeOf(confirm("000000"))).toBe("wrong_credentials");
    const { recoveryCodes } = await confirm(opened.nextCode(secret));
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await faultCodeOf(confirm(opened.nextCode(secret)))).toBe("not_found");
    const listed = await listFactors(bed.db, bed.auth, authenticated.person.id);
    expect(listed).toMatchObject({
      factors: [{ id, kind: "totp", name: "My phone" }],
      recoveryCodesLeft: 10,
    });
    const { factor } = await logIn(bed.db, bed.auth, caller, { email, password: goodPassword });
    expect(factor?.methods).toEqual(["totp", "recovery_code"]);
    const { setCookies } = await opened.answer(
      factor?.challenge ?? "",
      totp(opened.nextCode(secret)),
    );
    const session = await bed.auth.sessions.authenticate(cookieHeader(setCookies));
    expect(session?.person).toMatchObject({ email, factors: ["totp"] });
  });

  test("signs out the sessions that never gave it, and mails its owner a way to undo it", async () => {
    const { email, cookies, authenticated } = await bed.signUp();
    const { setCookies } = await logIn(bed.db, bed.auth, caller, { email, password: goodPassword });
    const other = cookieHeader(setCookies);
    const app = await opened.enroll(authenticated);
    expect(await bed.auth.sessions.authenticate(cookies)).toBeDefined();
    expect(await bed.auth.sessions.authenticate(other)).toBeUndefined();
    const [mail] = await bed.mailsTo(email);
    expect(mail).toMatchObject({ kind: "factor_added", name: "Phone" });
    await undoChange(bed.db, bed.auth, caller, undoing(await bed.undoTokenTo(email)));
    expect(await bed.auth.sessions.authenticate(cookies)).toBeUndefined();
    const { person } = authenticated;
    expect(await listFactors(bed.db, bed.auth, person.id)).toMatchObject({ factors: [] });
    expect(app.recoveryCodes).toHaveLength(10);
  });

  test("is stored sealed: neither secret nor recovery codes are in the database", async () => {
    const { app } = await opened.signUpWithApp();
    const [row] = await bed.sql`select secret from factors where id = ${app.id}`;
    expect(Buffer.from(row?.secret).toString("latin1")).not.toContain(app.secret);
    const dump = JSON.stringify(
      await bed.sql`
      select f::text, (select string_agg(encode(hash, 'escape'), ' ') from recovery_codes) from factors f`,
    );
    for (const secret of [app.secret, ...app.recoveryCodes]) expect(dump).not.toContain(secret);
  });

  test("is off without a key to seal its secret", async () => {
    const { authenticated } = await bed.signUp();
    const auth = bed.reopen({ sealer: undefined });
    expect(await faultCodeOf(beginTotp(bed.db, auth, authenticated))).toBe("conflict");
    const { canAddTotp } = await listFactors(bed.db, auth, authenticated.person.id);
    expect(canAddTotp).toBe(false);
  });

  test("is one of several, each with its own codes, until the last is removed", async () => {
    const { email, authenticated, app } = await opened.signUpWithApp();
    const second = await opened.enroll(authenticated);
    expect(second.recoveryCodes).toEqual([]);
    for (const { secret } of [app, second]) {
      await opened.answer(await opened.ask(email), totp(opened.nextCode(secret)));
    }
    await renameFactor(bed.db, authenticated.person.id, { id: app.id, name: "Old phone" });
    await removeFactor(bed.db, bed.auth, authenticated, app.id);
    expect((await bed.mailsTo(email))[0]).toMatchObject({
      kind: "factor_removed",
      name: "Old phone",
    });
    const challenge = await opened.ask(email);
    const gone = opened.answer(challenge, totp(opened.nextCode(app.secret)));
    expect(await faultCodeOf(gone)).toBe("wrong_credentials");
    await removeFactor(bed.db, bed.auth, authenticated, second.id);
    expect(await opened.ask(email)).toBe("");
    const { recoveryCodesLeft } = await listFactors(bed.db, bed.auth, authenticated.person.id);
    expect(recoveryCodesLeft).toBe(0);
  });

  test("is not confirmed beside as many as one may have, which were added meanwhile", async () => {
    const { authenticated } = await bed.signUp();
    const { id, secret } = await beginTotp(bed.db, bed.auth, authenticated);
    await bed.sql`insert into factors (id, person_id, kind, name, secret, confirmed_at)
      select gen_random_uuid(), person_id, kind, 'Another ' || n, secret, now()
        from factors, generate_series(1, 10) n where id = ${id}`;
    const code = opened.nextCode(secret);
    const confirmed = confirmTotp(bed.db, bed.auth, authenticated, { id, code, name: "Phone" });
    expect(await faultCodeOf(confirmed)).toBe("conflict");
  });

  test("of someone else can be neither renamed, removed nor confirmed", async () => {
    const { app } = await opened.signUpWithApp();
    const eve = await bed.signUp();
    const { id } = app;
    const { person } = eve.authenticated;
    expect(await faultCodeOf(renameFactor(bed.db, person.id, { id, name: "mine" }))).toBe(
      "not_found",
    );
    expect(await faultCodeOf(removeFactor(bed.db, bed.auth, eve.authenticated, id))).toBe(
      "not_found",
    );
    const begun = await beginTotp(bed.db, bed.auth, (await bed.signUp()).authenticated);
    const confirm = confirmTotp(bed.db, bed.auth, eve.authenticated, {
      id: begun.id,
      code: opened.nextCode(begun.secret),
      name: "mine",
    });
    expect(await faultCodeOf(confirm)).toBe("not_found");
  });
});

describe("a code", () => {
  test("works once: neither it nor an earlier one is accepted again", async () => {
    const { email, app } = await opened.signUpWithApp();
    expect(await faultCodeOf(opened.answer(await opened.ask(email), totp(app.code)))).toBe(
      "wrong_credentials",
    );
    const earlier = opened.nextCode(app.secret);
    const code = opened.nextCode(app.secret);
    await opened.answer(await opened.ask(email), totp(code));
    for (const used of [code, earlier]) {
      expect(await faultCodeOf(opened.answer(await opened.ask(email), totp(used)))).toBe(
        "wrong_credentials",
      );
    }
  });

  test("with a character that only looks like its own, or any other, is refused", async () => {
    const { email, authenticated, app } = await opened.signUpWithApp();
    let codes: readonly string[] = app.recoveryCodes;
    const withK = () => codes.find((code) => code.includes("k"));
    while (withK() === undefined) {
      codes = (await renewRecoveryCodes(bed.db, bed.auth, authenticated)).recoveryCodes;
    }
    const code = withK() ?? "";
    for (const typed of [code.replace("k", "\u212a"), `${code}.`, `\u200b${code}`]) {
      const answered = opened.answer(await opened.ask(email), recovery(typed));
      expect([typed, await faultCodeOf(answered)]).toEqual([typed, "wrong_credentials"]);
    }
    await opened.answer(await opened.ask(email), recovery(code.replaceAll("-", "\u2013")));
  });

  test("given twice at the same moment signs in once", async () => {
    const { email, app } = await opened.signUpWithApp();
    const challenges = await Promise.all(Array.from({ length: 5 }, () => opened.ask(email)));
    const code = opened.nextCode(app.secret);
    const outcomes = await Promise.all(
      challenges.map((challenge) => faultCodeOf(opened.answer(challenge, totp(code)))),
    );
    expect(outcomes.sort()).toEqual(["no fault", ...Array(4).fill("wrong_credentials")]);
  });

  test("is worth nothing without the password that was given before it", async () => {
    const { email, authenticated, app } = await opened.signUpWithApp();
    const code = () => totp(opened.nextCode(app.secret));
    expect(await faultCodeOf(opened.answer("no such challenge", code()))).toBe("token_expired");
    const used = await opened.ask(email);
    await opened.answer(used, code());
    expect(await faultCodeOf(opened.answer(used, code()))).toBe("token_expired");
    const late = await opened.ask(email);
    await bed.sql`update factor_challenges set expires_at = now() - interval '1 second'`;
    expect(await faultCodeOf(opened.answer(late, code()))).toBe("token_expired");
    const outdated = await opened.ask(email);
    const change = { currentPassword: goodPassword, newPassword: "a fresh long secret" };
    await changePassword(bed.db, bed.auth, { ...caller, ...authenticated }, change);
    expect(await faultCodeOf(opened.answer(outdated, code()))).toBe("token_expired");
  });

  test("is guessed five times at most before waiting, whatever is tried and from wherever", async () => {
    const { email, app } = await opened.signUpWithApp();
    const factorPerPerson = { ...throttleLimits.factorPerPerson, delayMinMs: 60_000 };
    const auth = bed.reopen({ throttles: { ...bed.auth.throttles, factorPerPerson } });
    const codes: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const proof = n % 2 ? totp("000000") : recovery("aaaa-aaaa-aaaa-aaaa");
      codes.push(await faultCodeOf(opened.answer(await opened.ask(email), proof, auth)));
    }
    expect(codes).toEqual([...Array(5).fill("wrong_credentials"), "throttled", "throttled"]);
    const right = totp(opened.nextCode(app.secret));
    expect(await faultCodeOf(opened.answer(await opened.ask(email), right, auth))).toBe(
      "throttled",
    );
    await bed.sql`update throttles set blocked_until = now() - interval '1 second'
                   where bucket = ${`login:factor:${(await bed.signUp()).authenticated.person.id}`}
                      or bucket like 'login:factor:%'`;
    expect(await faultCodeOf(opened.answer(await opened.ask(email), right, auth))).toBe("no fault");
    for (let n = 0; n < 4; n += 1) {
      expect(await faultCodeOf(opened.answer(await opened.ask(email), totp("000000"), auth))).toBe(
        "wrong_credentials",
      );
    }
  });
});

describe("a recovery code", () => {
  test("signs in once, however it is typed, and its owner is told", async () => {
    const { email, authenticated, app } = await opened.signUpWithApp();
    const [first = "", second = ""] = app.recoveryCodes;
    const typed = recovery(` ${first.toUpperCase().replaceAll("-", " ")}`);
    await opened.answer(await opened.ask(email), typed);
    const mails = await bed.mailsTo(email);
    expect(mails).toContainEqual(expect.objectContaining({ kind: "recovery_code_used" }));
    expect(await faultCodeOf(opened.answer(await opened.ask(email), recovery(first)))).toBe(
      "wrong_credentials",
    );
    await opened.answer(await opened.ask(email), recovery(second));
    const { recoveryCodesLeft } = await listFactors(bed.db, bed.auth, authenticated.person.id);
    expect(recoveryCodesLeft).toBe(8);
  });

  test("given twice at the same moment signs in once", async () => {
    const { email, app } = await opened.signUpWithApp();
    const challenges = await Promise.all(Array.from({ length: 5 }, () => opened.ask(email)));
    const code = recovery(app.recoveryCodes[0] ?? "");
    const outcomes = await Promise.all(
      challenges.map((challenge) => faultCodeOf(opened.answer(challenge, code))),
    );
    expect(outcomes.sort()).toEqual(["no fault", ...Array(4).fill("wrong_credentials")]);
  });

  test("stops working when new ones are made", async () => {
    const { email, authenticated, app } = await opened.signUpWithApp();
    const { recoveryCodes } = await renewRecoveryCodes(bed.db, bed.auth, authenticated);
    const old = recovery(app.recoveryCodes[0] ?? "");
    expect(await faultCodeOf(opened.answer(await opened.ask(email), old))).toBe(
      "wrong_credentials",
    );
    await opened.answer(await opened.ask(email), recovery(recoveryCodes[9] ?? ""));
    const nobody = await bed.signUp();
    const refused = renewRecoveryCodes(bed.db, bed.auth, nobody.authenticated);
    expect(await faultCodeOf(refused)).toBe("conflict");
  });

  test("of someone else is refused", async () => {
    const { email } = await opened.signUpWithApp();
    const eve = await opened.signUpWithApp();
    const stolen = recovery(eve.app.recoveryCodes[0] ?? "");
    expect(await faultCodeOf(opened.answer(await opened.ask(email), stolen))).toBe(
      "wrong_credentials",
    );
  });
});
