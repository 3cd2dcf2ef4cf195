// Signing in at a real provider: who gets in, as whom, and which answers of a provider are not believed.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type OpenidProvider, startOpenidProvider } from "@turnpike/testing";
import { beginTotp, confirmTotp } from "../factor/enroll-totp.ts";
import { totpCode, totpPeriod } from "../factor/totp.ts";
import {
  callerAt,
  cookieHeader,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { registerPerson } from "../person/register-person.ts";
import { logInWithFactor } from "../session/log-in-with-factor.ts";
import { finishAtProvider } from "./finish-at-provider.ts";
import { startAtProvider } from "./start-at-provider.ts";

let acme: OpenidProvider;
let bed: TestAuth;
let people = 0;

beforeAll(async () => {
  acme = await startOpenidProvider();
  const { issuer, clientId, clientSecret } = acme;
  const provider = { id: "acme", name: "Acme", kind: "openid", issuer } as const;
  bed = await openTestAuth({ providers: [{ ...provider, clientId, clientSecret }] });
});
afterAll(async () => {
  await bed.close();
  await acme.close();
});

/** Someone the provider knows, by default with a verified address. */
function addPerson(more: { email?: string; email_verified?: boolean; sub?: string } = {}) {
  people += 1;
  const sub = more.sub ?? `subject-${people}`;
  const person = { sub, email: `acme-${people}@example.com`, email_verified: true, ...more };
  acme.people.set(sub, person);
  return person;
}

async function start(caller = callerAt("203.0.113.1"), next = "/keys") {
  const { url, setCookies } = await startAtProvider(bed.db, bed.auth, caller, {
    provider: "acme",
    next,
  });
  return { url, browser: callerAt("203.0.113.1", cookieHeader(setCookies)) };
}

type Browser = ReturnType<typeof callerAt>;

async function finish(browser: Browser, callback: URL) {
  const authenticated = await bed.auth.sessions.authenticate(browser.cookies);
  const returning = { ...browser, authenticated };
  const query = callback.searchParams;
  const finished = await finishAtProvider(bed.db, bed.auth, returning, { provider: "acme", query });
  const { person } =
    (await bed.auth.sessions.authenticate(cookieHeader(finished.setCookies))) ?? {};
  return { ...finished, email: person?.email, person };
}

async function signIn(sub: string) {
  const { url, browser } = await start();
  return finish(browser, await acme.signIn(url, sub));
}

function reasonIn(path: string): string | null {
  return new URL(path, "http://console.test").searchParams.get("refused");
}

describe("whoever the provider vouches for", () => {
  test("gets a new account with the verified address, and is the same person the next time", async () => {
    const { sub, email } = addPerson();
    const first = await signIn(sub);
    expect(first).toMatchObject({ path: "/keys", email });
    const again = await signIn(sub);
    expect(again.person?.id).toBe(first.person?.id as never);
  });

  test("is asked for the second factor they have, in a fragment that no server sees", async () => {
    const { sub, email } = addPerson();
    const { setCookies } = await signIn(sub);
    const owner = await bed.auth.sessions.authenticate(cookieHeader(setCookies));
    if (owner === undefined) throw new Error("Nobody is signed in.");
    const { id, secret } = await beginTotp(bed.db, bed.auth, owner);
    const code = totpCode(secret, totpPeriod());
    await confirmTotp(bed.db, bed.auth, owner, { id, code, name: "Phone" });
    const { path, person } = await signIn(sub);
    expect(person).toBeUndefined();
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
    const { sub } = addPerson({ email });
    const { person } = await signIn(sub);
    expect(person?.id).toBe(authenticated.person.id);
    expect((await bed.mailsTo(email))[0]).toMatchObject({ kind: "new_sign_in" });
    expect((await bed.mailsTo(email))[1]).toMatchObject({
      kind: "identity_linked",
      provider: "Acme",
    });
  });

  test("locks out the one who registered the address and never proved it", async () => {
    const { sub, email } = addPerson();
    await registerPerson(bed.db, bed.auth, callerAt("203.0.113.9"), {
      email,
      password: goodPassword,
    });
    expect(await signIn(sub)).toMatchObject({ path: "/keys", email });
    const [row] = await bed.sql`select password_hash from persons where email = ${email}`;
    expect(row?.password_hash).toBeNull();
  });

  test("stays the same person when the address changes at the provider", async () => {
    const { sub } = addPerson();
    const first = await signIn(sub);
    addPerson({ sub, email: "moved@example.com" });
    const again = await signIn(sub);
    expect(again.person?.id).toBe(first.person?.id as never);
    expect(again.email).toBe(first.email as never);
  });
});

describe("refused", () => {
  test("an address that the provider has not verified, known here or not", async () => {
    const { email } = await bed.signUp();
    const known = addPerson({ email, email_verified: false });
    const unknown = addPerson({ email_verified: false });
    for (const { sub } of [known, unknown]) {
      const { path, setCookies } = await signIn(sub);
      expect(reasonIn(path)).toBe("unverified");
      expect(setCookies).toEqual([]);
    }
    expect(await bed.sql`select 1 from identities where email = ${email}`).toHaveLength(0);
  });

  test("another subject with an address that the provider gave to someone before", async () => {
    const { sub, email } = addPerson();
    await signIn(sub);
    const successor = addPerson({ email });
    const { path, setCookies } = await signIn(successor.sub);
    expect(reasonIn(path)).toBe("other_subject");
    expect(setCookies).toEqual([]);
  });

  test("a callback that is used a second time", async () => {
    const { sub } = addPerson();
    const { url, browser } = await start();
    const callback = await acme.signIn(url, sub);
    expect(reasonIn((await finish(browser, callback)).path)).toBeNull();
    expect(reasonIn((await finish(browser, callback)).path)).toBe("expired");
  });

  test("a state that is older than ten minutes", async () => {
    const { sub } = addPerson();
    const { url, browser } = await start();
    const callback = await acme.signIn(url, sub);
    await bed.sql`update provider_attempts set expires_at = now() - interval '1 second'`;
    expect(reasonIn((await finish(browser, callback)).path)).toBe("expired");
  });

  test("a callback in a browser that did not begin the sign-in", async () => {
    const { sub } = addPerson();
    const { url } = await start();
    const callback = await acme.signIn(url, sub);
    const other = await start();
    expect(reasonIn((await finish(other.browser, callback)).path)).toBe("expired");
    expect(reasonIn((await finish(callerAt("203.0.113.1"), callback)).path)).toBe("expired");
  });

  test("a state that was made up", async () => {
    const { browser } = await start();
    const callback = new URL("http://console.test/auth/callback/acme?code=a&state=b");
    expect(reasonIn((await finish(browser, callback)).path)).toBe("expired");
  });
});
