// Account takeover over HTTP: every change notifies the owner before it takes effect and can be undone, and
// no session or link from before a change works after it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { at, getPath, startTestServer, type TestServer } from "../harness/index.ts";
import { type Browser, faultOf, password } from "./browser.fixture.ts";
import { freshPassword, newEmail, openPeople, type People } from "./people.fixture.ts";

let server: TestServer;
let people: People;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
  people = openPeople(server.url);
});
afterAll(() => server.close());

async function makeKey(browser: Browser, name: string): Promise<{ id: string; key: string }> {
  const { data } = await browser.mutate("keys.create", { name, attemptId: crypto.randomUUID() });
  return { id: String(at(data, "id")), key: String(at(data, "key")) };
}

async function statusOf(key: string): Promise<number> {
  const answer = await getPath(server, key, "/models/user");
  await answer.text();
  return answer.status;
}

describe("a thief who knows the password", () => {
  test("cannot confirm a pending change of address once the owner changed the password", async () => {
    const { email, browser: owner } = await people.join("owner");
    const evil = newEmail("evil");
    const token = await people.askMove(await people.logIn(email), evil);
    const change = { currentPassword: password, newPassword: freshPassword };
    expect((await owner.mutate("profile.changePassword", change)).status).toBe(200);
    for (const secret of [password, freshPassword]) {
      expect(faultOf(await people.confirmMove(token, undefined, secret))).toBe("token_expired");
    }
    expect(await people.signInFault(email, freshPassword)).toBe("no fault");
  });

  test("loses the account again: the old address undoes the change, sessions and password included", async () => {
    const { email } = await people.join("owner");
    const evil = newEmail("evil");
    const thief = await people.logIn(email);
    expect(await people.kindsTo(email)).not.toContain("email_change_requested");
    const token = await people.askMove(thief, evil);
    expect(await people.kindsTo(email)).toContain("email_change_requested");
    expect((await people.confirmMove(token, thief)).data).toEqual({ email: evil });
    expect(await people.isSignedIn(thief)).toBe(true);
    expect(await people.kindsTo(email)).toContain("email_changed");

    expect((await people.undo(email, "email_changed")).data).toEqual({ email });
    expect(await people.isSignedIn(thief)).toBe(false);
    expect(await people.signInFault(evil)).toBe("wrong_credentials");
    expect(await people.signInFault(email)).toBe("wrong_credentials");
    expect(await people.kindsTo(evil)).toContain("email_removed");
    const reset = await people.tokenOf(email, "change_undone");
    const given = { token: reset, password: freshPassword };
    expect((await people.anybody().mutate("auth.resetPassword", given)).status).toBe(200);
    expect(await people.signInFault(email, freshPassword)).toBe("no fault");
  });

  test("loses with the undo the keys made since the change, new secrets of older keys included", async () => {
    const { email, browser: owner } = await people.join("owner");
    const [kept, rotated] = [await makeKey(owner, "kept"), await makeKey(owner, "rotated")];
    const thief = await people.logIn(email);
    await people.confirmMove(await people.askMove(thief, newEmail("evil")), thief);
    const made = await makeKey(thief, "made");
    const { data } = await thief.mutate("keys.rotate", { id: rotated.id, graceSeconds: 0 });
    const stolen = [made.key, String(at(data, "key"))];
    for (const key of stolen) expect(await statusOf(key)).toBe(200);

    expect((await people.undo(email, "email_changed")).data).toEqual({ email });
    // Other instances are notified within a second.
    for (const key of stolen) while ((await statusOf(key)) !== 401) await Bun.sleep(20);
    expect(await statusOf(kept.key)).toBe(200);
  });

  test("is stopped by the first email before the change takes effect", async () => {
    const { email, browser } = await people.join("owner");
    const evil = newEmail("evil");
    const token = await people.askMove(await people.logIn(email), evil);
    expect((await people.undo(email, "email_change_requested")).data).toEqual({ email });
    expect(await people.isSignedIn(browser)).toBe(false);
    expect(faultOf(await people.confirmMove(token))).toBe("token_expired");
    expect(await people.signInFault(email)).toBe("wrong_credentials");
  });

  test("cannot revert the undo from the new address, nor avoid it by changing the address again", async () => {
    const { email } = await people.join("owner");
    const [first, second] = [newEmail("evil"), newEmail("evil")];
    const thief = await people.logIn(email);
    await people.confirmMove(await people.askMove(thief, first), thief);
    await people.confirmMove(await people.askMove(thief, second), thief);
    expect((await people.undo(email, "email_changed")).data).toEqual({ email });
    for (const kind of ["email_changed", "email_change_requested"]) {
      expect(faultOf(await people.undo(first, kind))).toBe("token_expired");
    }
    const given = {
      token: await people.tokenOf(email, "change_undone"),
      password: freshPassword,
    };
    await people.anybody().mutate("auth.resetPassword", given);
    expect(await people.signInFault(email, freshPassword)).toBe("no fault");
  });

  test("cannot take the old address for another account while it may be returned to", async () => {
    const { email } = await people.join("owner");
    const thief = await people.logIn(email);
    await people.confirmMove(await people.askMove(thief, newEmail("evil")), thief);
    const register = { email, password: "the password of a thief" };
    expect((await people.anybody().mutate("auth.register", register)).data).toEqual({});
    expect((await people.kindsTo(email))[0]).toBe("address_reserved");
    const { browser: other } = await people.join("other");
    await other.mutate("profile.changeEmail", { newEmail: email, password });
    expect((await people.kindsTo(email))[0]).toBe("address_reserved");
    const rows = await server.owner.sql`select 1 from persons where email = ${email}`;
    expect(rows).toHaveLength(0);
    expect((await people.undo(email, "address_reserved")).data).toEqual({ email });
  });

  test("who changed the password can be undone for 72 hours, and not a second longer", async () => {
    const { email } = await people.join("owner");
    const thief = await people.logIn(email);
    const change = { currentPassword: password, newPassword: freshPassword };
    await thief.mutate("profile.changePassword", change);
    const token = await people.tokenOf(email, "password_changed");
    const expire = (hours: string) =>
      server.owner.sql`
        update email_tokens set expires_at = created_at + '72 hours'::interval - ${hours}::interval
         where email = ${email} and purpose = 'undo'`;
    const [row] = await server.owner.sql`
      select round(extract(epoch from expires_at - created_at)) as seconds from email_tokens
       where email = ${email} and purpose = 'undo'`;
    expect(Number(row?.seconds)).toBe(72 * 3_600);
    await expire("72 hours");
    expect(faultOf(await people.anybody().mutate("auth.undoChange", { token }))).toBe(
      "token_expired",
    );
    await expire("71 hours 30 minutes");
    expect((await people.anybody().mutate("auth.undoChange", { token })).data).toEqual({
      email,
    });
    expect(await people.isSignedIn(thief)).toBe(false);
    expect(await people.signInFault(email, freshPassword)).toBe("wrong_credentials");
  });
});

describe("the owner is notified before a new password takes effect", () => {
  /** Runs a change while the person's row is locked, so that it cannot take effect yet. */
  async function mailsDuring(email: string, change: () => Promise<unknown>): Promise<string[]> {
    const before = (await people.kindsTo(email)).length;
    let running: Promise<unknown> = Promise.resolve();
    const told = await server.owner.sql.begin(async (locked) => {
      await locked`select 1 from persons where email = ${email} for no key update`;
      running = change();
      for (;;) {
        const kinds = await people.kindsTo(email);
        if (kinds.length > before) return kinds.slice(0, kinds.length - before);
        await Bun.sleep(20);
      }
    });
    await running;
    return told;
  }

  test("by a change", async () => {
    const { email, browser } = await people.join("owner");
    const change = { currentPassword: password, newPassword: freshPassword };
    const told = await mailsDuring(email, () => browser.mutate("profile.changePassword", change));
    expect(told).toEqual(["password_changed"]);
    expect(await people.signInFault(email, freshPassword)).toBe("no fault");
  });

  test("by a reset", async () => {
    const { email } = await people.join("owner");
    const token = await people.askReset(email);
    const given = { token, password: freshPassword };
    const told = await mailsDuring(email, () =>
      people.anybody().mutate("auth.resetPassword", given),
    );
    expect(told).toEqual(["password_changed"]);
    expect(await people.signInFault(email, freshPassword)).toBe("no fault");
  });
});
