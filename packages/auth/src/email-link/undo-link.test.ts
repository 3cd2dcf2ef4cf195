// How long and for which account a former address stays reserved, and the mails that each of the two
// addresses gets when a change is undone.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount, findReservation } from "@turnpike/accounts";
import {
  callerAt,
  faultCodeOf,
  goodPassword,
  openTestAuth,
  type TestAuth,
  undoing,
} from "../open-test-auth.fixture.ts";
import { confirmEmailChange } from "./confirm-email-change.ts";
import { requestEmailChange } from "./request-email-change.ts";
import { undoChange } from "./undo-change.ts";
import { mailReservation } from "./undo-link.ts";

let bed: TestAuth;
let addresses = 0;
const caller = callerAt("203.0.113.50");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

function newAddress(name: string): string {
  addresses += 1;
  return `${name}-${addresses}@example.com`;
}

/** A person who requested an address change, with the token that confirms it. */
async function askToMove() {
  const { email, authenticated } = await bed.signUp(newAddress("before"));
  const newEmail = newAddress("after");
  const given = { newEmail, password: goodPassword };
  await requestEmailChange(bed.db, bed.auth, { ...caller, ...authenticated }, given);
  const token = await bed.tokenTo(newEmail, "confirm_new_email");
  return { email, newEmail, token, personId: authenticated.person.id };
}

async function move() {
  const asked = await askToMove();
  const { token } = asked;
  await confirmEmailChange(bed.db, bed.auth, caller, { token, password: goodPassword });
  return asked;
}

const isReserved = async (email: string) => (await findReservation(bed.db, email)) !== undefined;
const kindsTo = async (email: string) => (await bed.mailsTo(email)).map(({ kind }) => kind);
const undosOf = (email: string) => bed.sql`email = ${email} and purpose = 'undo'`;

describe("a former address", () => {
  test("gets no account of its own while its account may return to it", async () => {
    const { email } = await move();
    const countPeople = async () => {
      const [row] = await bed.sql`
        select (select count(*)::int from persons) as persons,
               (select count(*)::int from accounts) as accounts`;
      return row;
    };
    const before = await countPeople();
    expect(await faultCodeOf(createAccount(bed.db, { email }))).toBe("conflict");
    expect(await countPeople()).toEqual(before);
  });

  test("is reserved for its account, which may use it again", async () => {
    const { email, personId } = await move();
    expect(await findReservation(bed.db, email)).toMatchObject({ email, personId });
    expect(await findReservation(bed.db, email, personId)).toBeUndefined();
    const { authenticated } = await bed.signUp(newAddress("other"));
    expect(await findReservation(bed.db, email, authenticated.person.id)).toMatchObject({
      personId,
    });
  });

  test("is not reserved before the move is confirmed", async () => {
    const { email } = await askToMove();
    expect(await isReserved(email)).toBe(false);
  });

  test("is free once every undo link to it has expired", async () => {
    const { email } = await move();
    await bed.sql`update email_tokens set expires_at = now() where ${undosOf(email)}`;
    expect(await isReserved(email)).toBe(false);
  });

  test("is free once every undo link to it is used or revoked", async () => {
    const { email } = await move();
    await bed.sql`update email_tokens set consumed_at = now() where ${undosOf(email)}`;
    expect(await isReserved(email)).toBe(false);
  });

  test("is not reserved by links for other purposes", async () => {
    const { email } = await move();
    await bed.sql`update email_tokens set purpose = 'reset' where ${undosOf(email)}`;
    expect(await isReserved(email)).toBe(false);
  });

  test.each([
    [90, 2],
    [1, 1],
  ])(
    "with %d minutes left is mailed the time in hours, and its new link expires no later",
    async (minutes, undoHours) => {
      const { email } = await move();
      await bed.sql`update email_tokens
                     set expires_at = now() + ${minutes}::int * interval '1 minute'
                   where ${undosOf(email)}`;
      const reservation = await findReservation(bed.db, email);
      if (reservation === undefined) throw new Error("The address is not reserved.");
      await mailReservation(bed.db, bed.auth, reservation);
      const [mail] = await bed.mailsTo(email);
      expect(mail).toMatchObject({ kind: "address_reserved", undoHours });
      expect((await findReservation(bed.db, email))?.until).toEqual(reservation.until);
      const token = await bed.undoTokenTo(email);
      expect(await undoChange(bed.db, bed.auth, caller, undoing(token))).toEqual({ email });
    },
  );
});

describe("undoing a move", () => {
  test("mails both addresses, the removed one without a link into the account", async () => {
    const { email, newEmail } = await move();
    await undoChange(bed.db, bed.auth, caller, undoing(await bed.undoTokenTo(email)));
    expect((await kindsTo(email))[0]).toBe("change_undone");
    const [removed] = await bed.mailsTo(newEmail);
    expect(removed).toMatchObject({ kind: "email_removed" });
    expect(JSON.stringify(removed)).not.toContain("token=");
  });

  test("before it is confirmed mails the current address, and revokes the confirmation link", async () => {
    const { email, newEmail, token } = await askToMove();
    await undoChange(bed.db, bed.auth, caller, undoing(await bed.undoTokenTo(email)));
    expect((await kindsTo(email))[0]).toBe("change_undone");
    expect(await kindsTo(email)).not.toContain("email_removed");
    expect(await kindsTo(newEmail)).not.toContain("email_removed");
    const confirm = confirmEmailChange(bed.db, bed.auth, caller, { token, password: goodPassword });
    expect(await faultCodeOf(confirm)).toBe("token_expired");
  });

  test("leaves no browser known, because a thief may have signed in with one", async () => {
    const { email, personId } = await move();
    const known = () => bed.sql`select 1 from devices where person_id = ${personId}`;
    expect(await known()).toHaveLength(1);
    await undoChange(bed.db, bed.auth, caller, undoing(await bed.undoTokenTo(email)));
    expect(await known()).toHaveLength(0);
  });

  test("is refused while another account has the address, and the link still works later", async () => {
    const { email, newEmail } = await move();
    const other = Bun.randomUUIDv7();
    await bed.sql`insert into persons (id, email) values (${other}, ${email})`;
    const token = await bed.undoTokenTo(email);
    const undo = () => faultCodeOf(undoChange(bed.db, bed.auth, caller, undoing(token)));
    expect(await undo()).toBe("conflict");
    const people = await bed.sql`select 1 from persons where email = ${newEmail}`;
    expect(people).toHaveLength(1);
    await bed.owner.sql`delete from persons where id = ${other}`;
    expect(await undo()).toBe("no fault");
  });
});
