// What a person sees of their sign-in: everything that ends or opens sessions or changes how they sign in, by whose
// browser, and only their own.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { confirmEmailChange } from "../email-link/confirm-email-change.ts";
import { requestEmailChange } from "../email-link/request-email-change.ts";
import { undoChange } from "../email-link/undo-change.ts";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
  undoing,
} from "../open-test-auth.fixture.ts";
import { changePassword } from "../password/change-password.ts";
import { requestPasswordReset } from "../password/request-password-reset.ts";
import { resetPassword } from "../password/reset-password.ts";
import { endOtherSessions, endSession, logOut } from "../session/end-session.ts";
import { logIn } from "../session/log-in.ts";
import { listPersonEvents, recordPersonEvent } from "./person-event.ts";

let bed: TestAuth;
const here = callerAt("203.0.113.7");
const there = callerAt("192.0.2.7");
const freshPassword = "a fresh long secret";

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

type SignedUp = Awaited<ReturnType<TestAuth["signUp"]>>;

async function kindsOf({ authenticated }: Pick<SignedUp, "authenticated">) {
  const { rows } = await listPersonEvents(bed.db, authenticated.person.id);
  return rows.map(({ kind }) => kind);
}

async function signInThere(email: string, password = goodPassword) {
  const { setCookies } = await logIn(bed.db, bed.auth, there, { email, password });
  const authenticated = await bed.auth.sessions.authenticate(setCookies[0]?.split(";")[0] ?? null);
  if (authenticated === undefined) throw new Error("not signed in");
  return authenticated;
}

test("signing in and out and ending sessions are listed, newest first, with the browser that did it", async () => {
  const ada = await bed.signUp();
  const { authenticated } = ada;
  const second = await signInThere(ada.email);
  await endSession(bed.db, { ...here, authenticated }, second.session.publicId);
  await signInThere(ada.email);
  await endOtherSessions(bed.db, { ...here, authenticated });
  // Nothing ended, so nothing happened.
  await endOtherSessions(bed.db, { ...here, authenticated });
  await logOut(bed.db, bed.auth, { ...here, authenticated });
  expect(await kindsOf(ada)).toEqual([
    "sign_out",
    "sessions_end",
    "sign_in",
    "session_end",
    "sign_in",
    "sign_in",
  ]);
  const { rows } = await listPersonEvents(bed.db, authenticated.person.id);
  expect(rows.map(({ address }) => address).slice(0, 3)).toEqual([
    "203.0.113.7",
    "203.0.113.7",
    "192.0.2.7",
  ]);
  expect(rows[0]?.device).toBe("Firefox on Linux");
});

test("a wrong password, and ending someone else's session, leave nothing", async () => {
  const ada = await bed.signUp();
  const eve = await bed.signUp();
  const wrong = { email: ada.email, password: "not the right one" };
  await faultCodeOf(logIn(bed.db, bed.auth, there, wrong));
  const { publicId } = ada.authenticated.session;
  await faultCodeOf(endSession(bed.db, { ...there, ...eve }, publicId));
  expect(await kindsOf(ada)).toEqual(["sign_in"]);
  expect(await kindsOf(eve)).toEqual(["sign_in"]);
});

test("changes of the password and of the address are listed, and are no sign-ins", async () => {
  const ada = await bed.signUp();
  const { authenticated, email } = ada;
  const { person, session } = authenticated;
  const caller = { ...here, authenticated, person, session };
  const change = { currentPassword: goodPassword, newPassword: freshPassword };
  await changePassword(bed.db, bed.auth, caller, change);
  const again = await signInThere(email, freshPassword);
  const newEmail = `new-${email}`;
  const asked = { ...there, authenticated: again, person: again.person, session: again.session };
  await requestEmailChange(bed.db, bed.auth, asked, { newEmail, password: freshPassword });
  const token = await bed.tokenTo(newEmail, "confirm_new_email");
  await confirmEmailChange(bed.db, bed.auth, asked, { token, password: freshPassword });
  await undoChange(bed.db, bed.auth, here, undoing(await bed.undoTokenTo(email)));
  await requestPasswordReset(bed.db, bed.auth, here, { email });
  const reset = await bed.tokenTo(email, "reset_password");
  await resetPassword(bed.db, bed.auth, here, { token: reset, password: goodPassword });
  expect(await kindsOf(ada)).toEqual([
    "password_reset",
    "change_undone",
    "email_change",
    "sign_in",
    "password_change",
    "sign_in",
  ]);
});

test("a long log comes page by page", async () => {
  const ada = await bed.signUp();
  const { id } = ada.authenticated.person;
  for (let n = 0; n < 24; n += 1) await recordPersonEvent(bed.db, id, "sign_in", here);
  const first = await listPersonEvents(bed.db, id);
  expect(first.rows).toHaveLength(20);
  const second = await listPersonEvents(bed.db, id, first.nextCursor ?? undefined);
  expect(second.rows).toHaveLength(5);
  expect(second.nextCursor).toBeNull();
});
