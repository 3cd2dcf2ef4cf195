// Emailed links after the account changed: no earlier link works, whatever its purpose, and for each
// purpose only the newest works.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../harness/index.ts";
import { type Browser, faultOf, password } from "./browser.fixture.ts";
import { freshPassword, newEmail, openPeople, type People } from "./people.fixture.ts";

let server: TestServer;
let people: People;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
  people = openPeople(server.url);
});
afterAll(() => server.close());

describe("every pending link of every purpose is invalid, and every other session ended, after", () => {
  type Pending = { email: string; browser: Browser; links: Record<string, string> };

  /** A person with one pending link of each purpose, and a second session. */
  async function fillMailbox(): Promise<Pending & { other: Browser }> {
    const { email, browser } = await people.join("owner");
    await people.anybody().mutate("auth.requestUnlock", { email });
    const moved = newEmail("moved");
    const links = {
      reset: await people.askReset(email),
      unlock: await people.tokenOf(email, "unlock_sign_in"),
      change: await people.askMove(browser, moved),
    };
    return { email, browser, links, other: await people.logIn(email) };
  }

  async function expectAllDead({ links }: Pending, except: string[] = []): Promise<void> {
    const anybody = people.anybody();
    const uses: Record<string, () => Promise<unknown>> = {
      reset: async () =>
        faultOf(
          await anybody.mutate("auth.resetPassword", {
            token: links.reset,
            password: "yet another long one",
          }),
        ),
      unlock: async () =>
        faultOf(await anybody.mutate("auth.unlockBrowser", { token: links.unlock })),
      change: async () => faultOf(await people.confirmMove(links.change ?? "")),
    };
    for (const [purpose, use] of Object.entries(uses)) {
      if (except.includes(purpose)) continue;
      expect([purpose, await use()]).toEqual([purpose, "token_expired"]);
    }
  }

  test("a change of the password", async () => {
    const pending = await fillMailbox();
    const change = { currentPassword: password, newPassword: freshPassword };
    expect((await pending.browser.mutate("profile.changePassword", change)).status).toBe(200);
    await expectAllDead(pending);
    expect(await people.isSignedIn(pending.other)).toBe(false);
    expect(await people.isSignedIn(pending.browser)).toBe(true);
  });

  test("a change of the address", async () => {
    const pending = await fillMailbox();
    const moved = await people.confirmMove(pending.links.change ?? "", pending.browser);
    expect(moved.status).toBe(200);
    await expectAllDead(pending, ["change"]);
    expect(await people.isSignedIn(pending.other)).toBe(false);
    expect(await people.isSignedIn(pending.browser)).toBe(true);
  });

  test("a reset", async () => {
    const pending = await fillMailbox();
    const given = { token: pending.links.reset, password: freshPassword };
    await people.anybody().mutate("auth.resetPassword", given);
    await expectAllDead(pending);
    for (const session of [pending.browser, pending.other]) {
      expect(await people.isSignedIn(session)).toBe(false);
    }
  });

  test("an undone change", async () => {
    const pending = await fillMailbox();
    await people.undo(pending.email, "email_change_requested");
    await expectAllDead(pending);
    for (const session of [pending.browser, pending.other]) {
      expect(await people.isSignedIn(session)).toBe(false);
    }
  });
});

test("for each purpose only the newest link works", async () => {
  const { email, browser } = await people.join("owner");
  const oldReset = await people.askReset(email);
  await people.askReset(email);
  const given = { token: oldReset, password: freshPassword };
  expect(faultOf(await browser.mutate("auth.resetPassword", given))).toBe("token_expired");
  await browser.mutate("auth.requestUnlock", { email });
  const oldUnlock = await people.tokenOf(email, "unlock_sign_in");
  await browser.mutate("auth.requestUnlock", { email });
  const unlock = { token: oldUnlock };
  expect(faultOf(await people.anybody().mutate("auth.unlockBrowser", unlock))).toBe(
    "token_expired",
  );
  const oldMove = await people.askMove(browser, newEmail("moved"));
  await people.askMove(browser, newEmail("moved"));
  expect(faultOf(await people.confirmMove(oldMove))).toBe("token_expired");
  const unverified = newEmail("unverified");
  await browser.mutate("auth.register", { email: unverified, password });
  const oldVerify = await people.tokenOf(unverified, "verify_email");
  await browser.mutate("auth.resendVerification", { email: unverified });
  const verify = { token: oldVerify, password };
  expect(faultOf(await browser.mutate("auth.verifyEmail", verify))).toBe("token_expired");
});
