// Ways around a provider that a domain requires: moving in or out of the domain, a second step that was begun before,
// a passkey, a change of password, and another provider that vouches for the address.

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AccountId, DomainId } from "@turnpike/base";
import { confirmEmailChange } from "../email-link/confirm-email-change.ts";
import { requestEmailChange } from "../email-link/request-email-change.ts";
import { issueChallenge } from "../factor/factor-challenge.ts";
import { replaceRecoveryCodes } from "../factor/recovery-codes.ts";
import { callerAt, cookieHeader, faultCodeOf, goodPassword } from "../open-test-auth.fixture.ts";
import { changePassword } from "../password/change-password.ts";
import { logInWithFactor } from "../session/log-in-with-factor.ts";
import { openSession } from "../session/open-session.ts";
import { openTestProviders, type TestProviders } from "./open-test-providers.fixture.ts";
import { setRequiredProvider } from "./required-provider.ts";

let bed: TestProviders;
let domains = 0;
const caller = callerAt("203.0.113.1");

beforeAll(async () => {
  bed = await openTestProviders();
});
afterAll(() => bed.close());

/** A proven domain; `require` makes it require Acme, as its owner does. */
async function openDomain() {
  const domain = `managed-${++domains}.example`;
  const { sub } = bed.addPerson({ email: `owner@${domain}` });
  const { setCookies } = await bed.signIn(sub);
  const owner = await bed.auth.sessions.authenticate(cookieHeader(setCookies));
  if (owner === undefined) throw new Error("Nobody is signed in.");
  const accountId = Bun.randomUUIDv7() as AccountId;
  const id = Bun.randomUUIDv7() as DomainId;
  await bed.owner.sql`
    insert into accounts (id, kind, name) values (${accountId}, 'organization', ${domain})`;
  await bed.owner.sql`
    insert into domains (account_id, id, domain, token, proven_at, proven_by)
    values (${accountId}, ${id}, ${domain}, 'token', now(), 'operator')`;
  const account = { id: accountId, kind: "organization", slug: "s", name: domain } as const;
  const by = { ...owner, account: { ...account, role: "owner" }, address: "" } as const;
  const require = () => setRequiredProvider(bed.db, bed.auth, by, { id, provider: "acme" });
  return { domain, owner, sub, require };
}

async function move(person: Awaited<ReturnType<typeof bed.signUp>>, newEmail: string) {
  const signedIn = { ...caller, ...person.authenticated };
  const change = { newEmail, password: goodPassword };
  await requestEmailChange(bed.db, bed.auth, signedIn, change);
  const token = await bed.tokenTo(newEmail, "confirm_new_email");
  const { authenticated } = person;
  return () =>
    confirmEmailChange(
      bed.db,
      bed.auth,
      { ...caller, authenticated },
      { token, password: goodPassword },
    );
}

const sessionsAt = (email: string) => bed.sql`
  select provider from sessions join persons on persons.id = person_id where email = ${email}`;

test("moving to an address of the domain opens no session: that is done at the provider", async () => {
  const { domain, require } = await openDomain();
  await require();
  const email = `newcomer@${domain}`;
  const confirm = await move(await bed.signUp(), email);
  expect(await confirm()).toEqual({ email, setCookies: [] });
  expect(await sessionsAt(email)).toHaveLength(0);
  const { sub } = bed.addPerson({ email });
  expect((await bed.signIn(sub)).email).toBe(email);
});

test("moving there while the provider is being required leaves no session either", async () => {
  const { domain, require } = await openDomain();
  const emails = Array.from({ length: 4 }, (_, n) => `racer-${n}@${domain}`);
  const moves: (() => Promise<unknown>)[] = [];
  for (const email of emails) moves.push(await move(await bed.signUp(), email));
  await Promise.all([require(), ...moves.map((confirm) => confirm())]);
  for (const email of emails) expect(await sessionsAt(email)).toHaveLength(0);
});

test("a link to another address that was mailed before does not lead out of the domain", async () => {
  const { domain, require } = await openDomain();
  const ada = await bed.signUp(`ada@${domain}`);
  const confirm = await move(ada, "ada@elsewhere.example");
  await require();
  expect(await faultCodeOf(confirm())).toBe("permission_denied");
  const [person] = await bed.sql`
    select email from persons where id = ${ada.authenticated.person.id}`;
  expect(person?.email).toBe(ada.email);
});

test("a second step that was begun before is not enough, also one of that provider", async () => {
  const { domain, require } = await openDomain();
  const ada = await bed.signUp(`ada@${domain}`);
  const { id: personId } = ada.authenticated.person;
  const [code = ""] = await replaceRecoveryCodes(bed.db, personId);
  // Acme itself, but with an address elsewhere, when nothing was required yet.
  const challenge = await issueChallenge(bed.db, "sign_in", personId, "acme");
  await require();
  const proof = { method: "recovery_code", code } as const;
  const answer = logInWithFactor(bed.db, bed.auth, caller, { challenge, proof });
  expect(await faultCodeOf(answer)).toBe("token_expired");
  expect(await sessionsAt(ada.email)).toHaveLength(0);
});

test("proving a passkey, which needs no first step, is refused as well", async () => {
  const { domain, require } = await openDomain();
  const ada = await bed.signUp(`ada@${domain}`);
  await require();
  // What `logInWithPasskey` does once the answer of the passkey was right.
  const open = openSession(bed.db, bed.auth, caller, ada.authenticated.person);
  expect(await faultCodeOf(open)).toBe("permission_denied");
});

test("a changed password continues the session of the provider, and not as one of a password", async () => {
  const { owner, require } = await openDomain();
  const password_hash = await bed.auth.passwords.hash(goodPassword);
  await bed.sql`update persons set password_hash = ${password_hash} where id = ${owner.person.id}`;
  await require();
  await changePassword(
    bed.db,
    bed.auth,
    { ...caller, ...owner },
    { currentPassword: goodPassword, newPassword: "another long secret of hers" },
  );
  expect(await sessionsAt(owner.person.email)).toMatchObject([{ provider: "acme" }]);
});

test("another provider that vouches for the address is refused, and links and creates nothing", async () => {
  const { domain, require } = await openDomain();
  const ada = await bed.signUp(`ada@${domain}`);
  await require();
  for (const email of [ada.email, `nobody@${domain}`]) {
    const { sub } = bed.addPerson({ email }, bed.other);
    const { url, browser } = await bed.start("other");
    const returned = await bed.finish(browser, await bed.other.signIn(url, sub), "other");
    expect(returned).toMatchObject({ reason: "required", setCookies: [] });
  }
  const linked =
    await bed.sql`select 1 from identities where email like ${`%@${domain}`} and provider = 'other'`;
  expect(linked).toHaveLength(0);
  expect(await bed.sql`select 1 from persons where email = ${`nobody@${domain}`}`).toHaveLength(0);
  expect(await bed.mailsTo(ada.email)).not.toContainEqual(
    expect.objectContaining({ kind: "identity_linked" }),
  );
});
