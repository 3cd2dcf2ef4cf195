// Linking further identities and unlinking them: for the session that asked, to verified addresses, and never the last
// way to sign in.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { undoChange } from "../email-link/undo-change.ts";
import { callerAt, faultCodeOf, undoing } from "../open-test-auth.fixture.ts";
import { listIdentities, unlinkIdentity } from "./identities.ts";
import {
  type Browser,
  openTestProviders,
  type TestProviders,
  withCookies,
} from "./open-test-providers.fixture.ts";
import { startAtProvider } from "./start-at-provider.ts";

let bed: TestProviders;

beforeAll(async () => {
  bed = await openTestProviders();
});
afterAll(() => bed.close());

type Person = Awaited<ReturnType<TestProviders["signUp"]>>;

/** Sends the browser of someone who is signed in to Acme, to link an identity. */
async function startLink({ cookies, authenticated }: Pick<Person, "cookies" | "authenticated">) {
  const browser = callerAt("203.0.113.1", cookies);
  const sessionId = authenticated.session.publicId;
  const given = { provider: "acme", next: "/settings/security", sessionId };
  const { url, setCookies } = await startAtProvider(bed.db, bed.auth, browser, given);
  return { url, browser: withCookies(browser, setCookies) };
}

async function link(person: Person, subject: string) {
  const { url, browser } = await startLink(person);
  return bed.finish(browser, await bed.acme.signIn(url, subject));
}

const asCaller = ({ cookies, authenticated }: Pick<Person, "cookies" | "authenticated">) => ({
  ...callerAt("203.0.113.1", cookies),
  ...authenticated,
});

const listOf = ({ authenticated }: Pick<Person, "authenticated">) =>
  listIdentities(bed.db, bed.auth, authenticated);

async function sessionOf(browser: Browser) {
  const authenticated = await bed.auth.sessions.authenticate(browser.cookies);
  if (authenticated === undefined) throw new Error("Nobody is signed in.");
  return authenticated;
}

describe("linking", () => {
  test("several identities of one provider sign in as the same person, with a mail for each", async () => {
    const person = await bed.signUp();
    const identities = [bed.addPerson(), bed.addPerson()];
    for (const { sub } of identities) {
      expect((await link(person, sub)).path).toBe("/settings/security?linked=acme");
      expect((await bed.mailsTo(person.email))[0]?.kind).toBe("identity_linked");
      expect((await bed.signIn(sub)).personId).toBe(person.authenticated.person.id);
    }
    const list = await listOf(person);
    expect(list.map(({ email, provider, isLast }) => [email, provider, isLast])).toEqual(
      identities.map(({ email }) => [email, "Acme", false]),
    );
  });

  test("an address that is not verified there is refused, on the page that asked", async () => {
    const { sub } = bed.addPerson({ email_verified: false });
    const { path } = await link(await bed.signUp(), sub);
    expect(path).toBe("/settings/security?provider=acme&refused=unverified");
  });

  test("an identity of someone else stays theirs", async () => {
    const { sub } = bed.addPerson();
    const { personId } = await bed.signIn(sub);
    expect((await link(await bed.signUp(), sub)).reason).toBe("taken");
    expect((await bed.signIn(sub)).personId).toBe(personId as never);
  });

  test("a link is for the session that asked: not for the person who is signed in when the browser is back", async () => {
    const [ada, eve] = [await bed.signUp(), await bed.signUp()];
    const { sub } = bed.addPerson();
    const { url, browser } = await startLink(ada);
    const callback = await bed.acme.signIn(url, sub);
    const cookies = `${eve.cookies}; ${browser.cookies}`;
    expect((await bed.finish({ ...browser, cookies }, callback)).reason).toBe("expired");
    for (const person of [ada, eve]) expect(await listOf(person)).toEqual([]);
  });

  test("undoing it from the mail removes every identity and ends every session", async () => {
    const person = await bed.signUp();
    const { sub } = bed.addPerson();
    await link(person, sub);
    const token = await bed.undoTokenTo(person.email);
    await undoChange(bed.db, bed.auth, callerAt("203.0.113.1"), undoing(token));
    expect(await bed.auth.sessions.authenticate(person.cookies)).toBeUndefined();
    expect((await bed.signIn(sub)).personId).not.toBe(person.authenticated.person.id);
  });
});

describe("unlinking", () => {
  test("removes the identity and the other sessions it opened, with a mail", async () => {
    const person = await bed.signUp();
    const { sub } = bed.addPerson();
    await link(person, sub);
    const elsewhere = await bed.signIn(sub);
    const [identity] = await listOf(person);
    if (identity === undefined) throw new Error("Nothing is linked.");
    await unlinkIdentity(bed.db, bed.auth, asCaller(person), identity.id);
    expect(await listOf(person)).toEqual([]);
    const cookies = withCookies(callerAt("203.0.113.1"), elsewhere.setCookies);
    expect(await bed.auth.sessions.authenticate(cookies.cookies)).toBeUndefined();
    expect(await bed.auth.sessions.authenticate(person.cookies)).toBeDefined();
    expect((await bed.mailsTo(person.email))[0]).toMatchObject({ kind: "identity_unlinked" });
  });

  test("the last way to sign in is refused, also to two who unlink different ones at once", async () => {
    const { sub, email } = bed.addPerson();
    const { setCookies } = await bed.signIn(sub);
    const browser = withCookies(callerAt("203.0.113.1"), setCookies);
    const authenticated = await sessionOf(browser);
    const owner = { email, cookies: browser.cookies ?? "", authenticated };
    const [only] = await listOf(owner);
    expect(only?.isLast).toBe(true);
    const unlink = (id: typeof only) =>
      faultCodeOf(unlinkIdentity(bed.db, bed.auth, asCaller(owner), (id ?? raise()).id));
    expect(await unlink(only)).toBe("conflict");
    const { url, browser: there } = await startLink(owner);
    await bed.finish(there, await bed.acme.signIn(url, bed.addPerson().sub));
    const both = await listOf(owner);
    expect(both.map(({ isLast }) => isLast)).toEqual([false, false]);
    const outcomes = await Promise.all(both.map(unlink));
    expect(outcomes.sort()).toEqual(["conflict", "no fault"]);
    expect(await listOf(owner)).toHaveLength(1);
  });

  test("an identity whose provider is no longer configured is no way to sign in", async () => {
    const { sub } = bed.addPerson();
    const { setCookies } = await bed.signIn(sub);
    const browser = withCookies(callerAt("203.0.113.1"), setCookies);
    const authenticated = await sessionOf(browser);
    await bed.sql`
      insert into identities (id, person_id, provider, issuer, subject, email)
      values (${Bun.randomUUIDv7()}, ${authenticated.person.id}, 'gone', 'https://gone.example', 's', 'e')`;
    const list = await listIdentities(bed.db, bed.auth, authenticated);
    expect(list.map(({ provider, isLast }) => [provider, isLast])).toEqual([
      ["Acme", true],
      ["gone", false],
    ]);
  });

  test("nobody unlinks an identity of someone else", async () => {
    const ada = await bed.signUp();
    await link(ada, bed.addPerson().sub);
    const [identity] = await listOf(ada);
    const eve = await bed.signUp();
    const attempt = unlinkIdentity(bed.db, bed.auth, asCaller(eve), (identity ?? raise()).id);
    expect(await faultCodeOf(attempt)).toBe("not_found");
    expect(await listOf(ada)).toHaveLength(1);
  });
});

function raise(): never {
  throw new Error("Nothing is linked.");
}
