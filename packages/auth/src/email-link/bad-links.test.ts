// Invalid links, for each purpose of a mailed link: all get the same refusal, and nothing has changed
// afterwards.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { MailKind } from "@turnpike/mail";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
  undoing,
} from "../open-test-auth.fixture.ts";
import { requestPasswordReset } from "../password/request-password-reset.ts";
import { resetPassword } from "../password/reset-password.ts";
import { registerPerson } from "../person/register-person.ts";
import { requestUnlock, unlockBrowser } from "../throttle/unlock-browser.ts";
import { confirmEmailChange } from "./confirm-email-change.ts";
import type { TokenPurpose } from "./email-token.ts";
import { requestEmailChange } from "./request-email-change.ts";
import { undoChange } from "./undo-change.ts";
import { verifyEmail } from "./verify-email.ts";

let bed: TestAuth;
let people = 0;

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

const caller = callerAt("203.0.113.9");

type Purpose = {
  /** Has a link mailed, and returns its token and recipient. */
  readonly mail: () => Promise<{ readonly token: string; readonly recipient: string }>;
  readonly use: (token: string) => Promise<unknown>;
  /** The result of using the right link a second time. */
  readonly again: string;
};

const purposes: Readonly<Record<TokenPurpose, Purpose>> = {
  verify: {
    async mail() {
      const email = newEmail();
      await registerPerson(bed.db, bed.auth, caller, { email, password: goodPassword });
      return tokenTo(email, "verify_email");
    },
    use: (token) => verifyEmail(bed.db, bed.auth, caller, { token, password: goodPassword }),
    again: "no fault",
  },
  reset: {
    async mail() {
      const { email } = await bed.signUp(newEmail());
      await requestPasswordReset(bed.db, bed.auth, caller, { email });
      return tokenTo(email, "reset_password");
    },
    use: (token) =>
      resetPassword(bed.db, bed.auth, caller, { token, password: "a fresh long secret" }),
    again: "token_expired",
  },
  change: {
    async mail() {
      const { authenticated } = await bed.signUp(newEmail());
      const [newAddress, from] = [newEmail(), { ...caller, ...authenticated }];
      const input = { newEmail: newAddress, password: goodPassword };
      await requestEmailChange(bed.db, bed.auth, from, input);
      return tokenTo(newAddress, "confirm_new_email");
    },
    use: (token) => confirmEmailChange(bed.db, bed.auth, caller, { token, password: goodPassword }),
    again: "no fault",
  },
  unlock: {
    async mail() {
      const { email } = await bed.signUp(newEmail());
      await requestUnlock(bed.db, bed.auth, caller, { email });
      return tokenTo(email, "unlock_sign_in");
    },
    use: (token) => unlockBrowser(bed.db, bed.auth, caller, token),
    again: "token_expired",
  },
  undo: {
    async mail() {
      const { email, authenticated } = await bed.signUp(newEmail());
      const given = { newEmail: newEmail(), password: goodPassword };
      await requestEmailChange(bed.db, bed.auth, { ...caller, ...authenticated }, given);
      return { token: await bed.undoTokenTo(email), recipient: email };
    },
    use: (token) => undoChange(bed.db, bed.auth, caller, undoing(token)),
    again: "token_expired",
  },
};

describe.each(Object.keys(purposes).filter(isPurpose))("a link to %s", (name) => {
  const { mail, use, again } = purposes[name];

  test("works as it was mailed, and a second time changes nothing", async () => {
    const { token } = await mail();
    expect(await faultCodeOf(use(token))).toBe("no fault");
    const before = await readPeople();
    expect(await faultCodeOf(use(token))).toBe(again);
    expect(await readPeople()).toBe(before);
  });

  test("that is altered, cut, longer, made up or empty is refused, and the right one still works", async () => {
    const { token } = await mail();
    const before = await readPeople();
    const forged = [
      token.toUpperCase(),
      token.toLowerCase(),
      swapCase(token),
      token.slice(0, -1),
      `${token}A`,
      `${token} `,
      ` ${token}`,
      `${token}\n`,
      `${token}%00`,
      "",
      " ",
      "undefined",
      "../..",
      "x".repeat(10_000),
      crypto.randomUUID(),
    ];
    for (const each of forged) expect([each, await faultCodeOf(use(each))]).toEqual(dead(each));
    expect(await readPeople()).toBe(before);
    expect(await faultCodeOf(use(token))).toBe("no fault");
  });

  test("that has just expired is refused", async () => {
    const { token, recipient } = await mail();
    await bed.sql`update email_tokens set expires_at = now() where email = ${recipient}`;
    const before = await readPeople();
    expect(await faultCodeOf(use(token))).toBe("token_expired");
    expect(await readPeople()).toBe(before);
  });

  test("is refused for every other purpose, and still works for its own", async () => {
    const { token } = await mail();
    for (const other of Object.keys(purposes).filter(isPurpose)) {
      if (other === name) continue;
      expect(await faultCodeOf(purposes[other].use(token))).toBe("token_expired");
    }
    expect(await faultCodeOf(use(token))).toBe("no fault");
  });

  test("changes only the person it was mailed to", async () => {
    const [first, other] = [await mail(), await mail()];
    const before = await readPeople(other.recipient);
    expect(await faultCodeOf(use(first.token))).toBe("no fault");
    expect(await readPeople(other.recipient)).toBe(before);
  });
});

const dead = (token: string) => [token, "token_expired"];

function isPurpose(name: string): name is keyof typeof purposes {
  return name in purposes;
}

function newEmail(): string {
  people += 1;
  return `link-${people}@example.com`;
}

async function tokenTo(recipient: string, kind: MailKind) {
  return { token: await bed.tokenTo(recipient, kind), recipient };
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Everything that a link can change, of all people or of the link's recipient. */
async function readPeople(recipient?: string): Promise<string> {
  const [row] = await bed.sql<{ facts: string }[]>`
    select md5(string_agg(p::text, '' order by p.id)) as facts from persons p
     where ${recipient ?? null}::text is null or p.id in
       (select person_id from email_tokens where email = ${recipient ?? null})`;
  return row?.facts ?? "";
}
