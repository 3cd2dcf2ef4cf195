// Signing in at a real provider: who gets in, as whom, and who does not.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { beginTotp, confirmTotp } from "../factor/enroll-totp.ts";
import { totpCode, totpPeriod } from "../factor/totp.ts";
import { callerAt, cookieHeader, goodPassword } from "../open-test-auth.fixture.ts";
import { registerPerson } from "../person/register-person.ts";
import { logInWithFactor } from "../session/log-in-with-factor.ts";
import {
  openTestProviders,
  openTrip,
  settingsOf,
  type TestProviders,
  withCookies,
} from "./open-test-providers.fixture.ts";
import { startAtProvider } from "./start-at-provider.ts";

let bed: TestProviders;

beforeAll(async () => {
  bed = await openTestProviders();
});
afterAll(() => bed.close());

describe("people the provider vouches for", () => {
  test("gets a new account with the verified address, and is the same person the next time", async () => {
    const { sub, email } = bed.addPerson();
    const first = await bed.signIn(sub);
    expect(first).toMatchObject({ path: "/keys", email });
    expect((await bed.signIn(sub)).personId).toBe(first.personId as never);
  });

  test("has the name that the provider states, without what cannot be seen, cut between characters", async () => {
    const name = `\u202e${"a".repeat(98)}\u200b \u{1f600}`;
    const { sub } = bed.addPerson({ name });
    const { personId = "" } = await bed.signIn(sub);
    const [person] = await bed.sql`select name from persons where id = ${personId}`;
    expect(person?.name).toBe("a".repeat(98));
  });

  test("is asked for the second factor they have, in a fragment that no server sees", async () => {
    const { sub, email } = bed.addPerson();
    const { setCookies } = await bed.signIn(sub);
    const owner = await bed.auth.sessions.authenticate(cookieHeader(setCookies));
    if (owner === undefined) throw new Error("Nobody is signed in.");
    const { id, secret } = await beginTotp(bed.db, bed.auth, owner);
    const code = totpCode(secret, totpPeriod());
    await confirmTotp(bed.db, bed.auth, owner, { id, code, name: "Phone" });
    const { path, personId } = await bed.signIn(sub);
    expect(personId).toBeUndefined();
    const { pathname, searchParams, hash } = new URL(path, "http://console.test");
    expect([pathname, searchParams.get("next")]).toEqual(["/login", "/keys"]);
    const asked = new URLSearchParams(hash.slice(1));
    expect(asked.get("methods")).toBe("totp,recovery_code");
    const signedIn = await logInWithFactor(bed.db, bed.auth, callerAt("203.0.113.1"), {
      challenge: asked.get("factor") ?? "",
      proof: { method: "totp", code: totpCode(secret, totpPeriod() + 1) },
    });
    const session = await bed.auth.sessions.authenticate(cookieHeader(signedIn.setCookies));
    expect(session?.person.email).toBe(email);
  });

  test("is the person who has the address already, who gets a mail that can undo it", async () => {
    const { email, authenticated } = await bed.signUp();
    const { sub } = bed.addPerson({ email: email.toUpperCase() });
    expect((await bed.signIn(sub)).personId).toBe(authenticated.person.id);
    const [newest, before] = await bed.mailsTo(email);
    expect(newest).toMatchObject({ kind: "new_sign_in" });
    expect(before).toMatchObject({ kind: "identity_linked", provider: "Acme" });
  });

  test("locks out the one who registered the address and never proved it", async () => {
    const { sub, email } = bed.addPerson();
    const given = { email, password: goodPassword };
    await registerPerson(bed.db, bed.auth, callerAt("203.0.113.9"), given);
    expect(await bed.signIn(sub)).toMatchObject({ path: "/keys", email });
    const [row] = await bed.sql`select password_hash from persons where email = ${email}`;
    expect(row?.password_hash).toBeNull();
  });

  test("stays the same person when the address changes, also to one that is not verified", async () => {
    const { sub, email } = bed.addPerson();
    const first = await bed.signIn(sub);
    bed.addPerson({ sub, email: "moved@example.com" });
    expect(await bed.signIn(sub)).toMatchObject({ personId: first.personId, email });
    bed.addPerson({ sub, email: "again@example.com", email_verified: false });
    expect(await bed.signIn(sub)).toMatchObject({ personId: first.personId, email });
  });

  test("has one identity for each provider that vouches for the address", async () => {
    const { sub, email } = bed.addPerson();
    const { personId } = await bed.signIn(sub);
    const there = bed.addPerson({ email }, bed.other);
    const { url, browser } = await bed.start("other");
    const returned = await bed.finish(browser, await bed.other.signIn(url, there.sub), "other");
    expect(returned.personId).toBe(personId as never);
    const rows = await bed.sql`select provider from identities where person_id = ${personId ?? ""}`;
    expect(rows.map(({ provider }) => provider).sort()).toEqual(["acme", "other"]);
  });
});

describe("refused", () => {
  test("an address that the provider has not verified, known here or not", async () => {
    const { email } = await bed.signUp();
    for (const given of [{ email }, {}]) {
      const { sub } = bed.addPerson({ ...given, email_verified: false });
      expect(await bed.signIn(sub)).toMatchObject({ reason: "unverified", setCookies: [] });
    }
    expect(await bed.sql`select 1 from identities where email = ${email}`).toHaveLength(0);
  });

  test("another subject with an address that the provider gave to someone before", async () => {
    const { sub, email } = bed.addPerson();
    await bed.signIn(sub);
    const successor = bed.addPerson({ email });
    const returned = await bed.signIn(successor.sub);
    expect(returned).toMatchObject({ reason: "other_subject", setCookies: [] });
  });

  test("a callback that is used a second time", async () => {
    const { sub } = bed.addPerson();
    const { url, browser } = await bed.start();
    const callback = await bed.acme.signIn(url, sub);
    expect((await bed.finish(browser, callback)).reason).toBeUndefined();
    expect((await bed.finish(browser, callback)).reason).toBe("expired");
  });

  test("one of many concurrent uses of a callback, except one", async () => {
    const { sub } = bed.addPerson();
    const { url, browser } = await bed.start();
    const callback = await bed.acme.signIn(url, sub);
    const all = await Promise.all(Array.from({ length: 5 }, () => bed.finish(browser, callback)));
    expect(all.filter(({ reason }) => reason === undefined)).toHaveLength(1);
    expect(all.filter(({ reason }) => reason === "expired")).toHaveLength(4);
  });

  test("a state that is older than ten minutes", async () => {
    const { sub } = bed.addPerson();
    const { url, browser } = await bed.start();
    const callback = await bed.acme.signIn(url, sub);
    const [row] = await bed.sql`
      select extract(epoch from max(expires_at) - now())::int as seconds from provider_attempts`;
    expect(row?.seconds).toBeLessThanOrEqual(600);
    await bed.sql`update provider_attempts set expires_at = now() - interval '1 second'`;
    expect((await bed.finish(browser, callback)).reason).toBe("expired");
  });

  test("a callback in a browser that did not begin the sign-in", async () => {
    const { sub } = bed.addPerson();
    const { url } = await bed.start();
    const callback = await bed.acme.signIn(url, sub);
    const { browser } = await bed.start();
    expect((await bed.finish(browser, callback)).reason).toBe("expired");
    expect((await bed.finish(callerAt("203.0.113.1"), callback)).reason).toBe("expired");
  });

  test("someone who declines", async () => {
    const { url, browser } = await bed.start();
    const callback = await bed.acme.decline(url);
    const { reason, path } = await bed.finish(browser, callback);
    expect(reason).toBe("declined");
    expect(path).toContain("next=%2Fkeys");
  });
});

test("signing in again makes the provider ask, and the proof is as old as the provider says", async () => {
  const { sub } = bed.addPerson();
  const given = { provider: "acme", isAgain: true };
  const caller = callerAt("203.0.113.1");
  const { url, setCookies } = await startAtProvider(bed.db, bed.auth, caller, given);
  const { searchParams: query } = new URL(url);
  expect([query.get("prompt"), query.get("max_age")]).toEqual(["login", "0"]);
  const callback = await bed.acme.signIn(url, sub);
  const returned = await bed.finish(withCookies(caller, setCookies), callback);
  const opened = await bed.auth.sessions.authenticate(cookieHeader(returned.setCookies));
  // `auth_time` is in whole seconds.
  expect(opened?.session.passwordAt.getMilliseconds()).toBe(0);
});

test("no secret of a sign-in is in the database", async () => {
  const { url, browser } = await bed.start();
  const { searchParams: query } = new URL(url);
  const rows = JSON.stringify(
    await bed.sql`
    select a::text, encode(hash, 'escape') e, encode(browser_hash, 'escape') b from provider_attempts a`,
  );
  const [, cookie = "missing"] = /turnpike_provider=([\w-]+)/.exec(browser.cookies ?? "") ?? [];
  for (const secret of [query.get("state"), query.get("nonce"), cookie]) {
    expect(secret?.length).toBeGreaterThan(40);
    expect(rows).not.toContain(secret ?? "");
  }
});

describe("of Google", () => {
  test.each([
    ["its own mailbox", { email: "someone@gmail.com" }, undefined],
    ["a Workspace's own domain", { email: "a@work.example", hd: "work.example" }, undefined],
    ["another domain, verified once", { email: "a@elsewhere.example" }, "unverified"],
    [
      "another domain than the Workspace's",
      { email: "b@x.example", hd: "y.example" },
      "unverified",
    ],
  ])("%s: only an address that Google answers for counts", async (_, claims, reason) => {
    const kind = "google" as const;
    const auth = bed.reopen({ providers: [{ ...settingsOf("acme", bed.acme), kind }] });
    const { sub } = bed.addPerson(claims);
    const trip = openTrip({ db: bed.db, auth });
    const { url, browser } = await trip.start();
    const returned = await trip.finish(browser, await bed.acme.signIn(url, sub));
    expect(returned.reason).toBe(reason as never);
  });
});
