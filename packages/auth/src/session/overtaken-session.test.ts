// Sessions that are opened while something ends all sessions of their person: none survives, however close
// the race.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { untilWaiting } from "@turnpike/testing";
import type { Auth } from "../auth.ts";
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
import { logIn } from "./log-in.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.1");
const freshPassword = "a fresh long secret";

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

/** Waits at one point until the test goes on. */
function openGate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    pass() {
      reached.resolve();
      return opened.promise;
    },
  };
}

type Gate = ReturnType<typeof openGate>;

function waitingAfterVerify(gate: Gate): Auth {
  const { auth } = bed;
  return {
    ...auth,
    passwords: {
      ...auth.passwords,
      async verify(password, hash) {
        const verdict = await auth.passwords.verify(password, hash);
        await gate.pass();
        return verdict;
      },
    },
  };
}

function waitingBeforeOpen(gate: Gate): Auth {
  const { auth } = bed;
  return {
    ...auth,
    sessions: {
      ...auth.sessions,
      async open(...given) {
        await gate.pass();
        return auth.sessions.open(...given);
      },
    },
  };
}

async function countRows(table: "sessions" | "devices", email: string): Promise<number> {
  const rows = await bed.sql`
    select 1 from ${bed.sql(table)} t join persons p on p.id = t.person_id where p.email = ${email}`;
  return rows.length;
}

test("a login opens no session, and makes no browser known, after a reset of the password it used", async () => {
  const { email } = await bed.signUp();
  await requestPasswordReset(bed.db, bed.auth, caller, { email });
  const token = await bed.tokenTo(email, "reset_password");
  const gate = openGate();
  const slow = waitingAfterVerify(gate);
  const login = faultCodeOf(logIn(bed.db, slow, caller, { email, password: goodPassword }));
  await gate.reached;
  await resetPassword(bed.db, bed.auth, caller, { token, password: freshPassword });
  gate.open();
  expect(await login).toBe("wrong_credentials");
  expect(await countRows("sessions", email)).toBe(0);
  expect(await countRows("devices", email)).toBe(0);
});

test("a login by the old address opens no session once the new one is confirmed", async () => {
  const { email, authenticated } = await bed.signUp();
  const newEmail = `new-${email}`;
  const owner = { ...caller, ...authenticated };
  await requestEmailChange(bed.db, bed.auth, owner, { newEmail, password: goodPassword });
  const token = await bed.tokenTo(newEmail, "confirm_new_email");
  const devicesBefore = await countRows("devices", email);
  const gate = openGate();
  const slow = waitingAfterVerify(gate);
  const login = faultCodeOf(logIn(bed.db, slow, caller, { email, password: goodPassword }));
  await gate.reached;
  await confirmEmailChange(bed.db, bed.auth, caller, { token, password: goodPassword });
  gate.open();
  expect(await login).toBe("wrong_credentials");
  expect(await countRows("sessions", newEmail)).toBe(0);
  expect(await countRows("devices", newEmail)).toBe(devicesBefore);
});

test("a change of password that is undone immediately leaves no session", async () => {
  const { email, authenticated } = await bed.signUp();
  const gate = openGate();
  const thief = { ...caller, ...authenticated };
  const given = { currentPassword: goodPassword, newPassword: freshPassword };
  const changed = changePassword(bed.db, waitingBeforeOpen(gate), thief, given);
  await gate.reached;
  const undone = undoChange(bed.db, bed.auth, caller, undoing(await bed.undoTokenTo(email)));
  await untilWaiting(bed.owner.sql, { over: undone });
  gate.open();
  await Promise.all([changed, undone]);
  expect(await countRows("sessions", email)).toBe(0);
});

test("a change of address that is undone immediately leaves no session", async () => {
  const { email, authenticated } = await bed.signUp();
  const newEmail = `stolen-${email}`;
  const thief = { ...caller, ...authenticated };
  await requestEmailChange(bed.db, bed.auth, thief, { newEmail, password: goodPassword });
  const given = {
    token: await bed.tokenTo(newEmail, "confirm_new_email"),
    password: goodPassword,
  };
  const undoToken = await bed.undoTokenTo(email);
  const gate = openGate();
  const moved = confirmEmailChange(
    bed.db,
    waitingBeforeOpen(gate),
    { ...caller, authenticated },
    given,
  );
  await gate.reached;
  const undone = undoChange(bed.db, bed.auth, caller, undoing(undoToken));
  await untilWaiting(bed.owner.sql, { over: undone });
  gate.open();
  await Promise.all([moved, undone]);
  expect(await countRows("sessions", email)).toBe(0);
  expect(await countRows("sessions", newEmail)).toBe(0);
});

test("an address change that was requested with a password from before a reset gets no link", async () => {
  const { email, authenticated } = await bed.signUp();
  await requestPasswordReset(bed.db, bed.auth, caller, { email });
  const token = await bed.tokenTo(email, "reset_password");
  const newEmail = `late-${email}`;
  const gate = openGate();
  const thief = { ...caller, ...authenticated };
  const requested = faultCodeOf(
    requestEmailChange(bed.db, waitingAfterVerify(gate), thief, {
      newEmail,
      password: goodPassword,
    }),
  );
  await gate.reached;
  await resetPassword(bed.db, bed.auth, caller, { token, password: freshPassword });
  gate.open();
  expect(await requested).toBe("conflict");
  expect(await bed.mailsTo(newEmail)).toEqual([]);
});
