// Someone invited who has no account: the link proves the address, once, for the invited address only, and makes them a
// member in the same step. A person who registered the address before without proving it is locked out.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  acceptInvitation,
  chooseAccount,
  createOrganization,
  inviteMember,
  listOwnInvitations,
  type Member,
  queryInvitation,
  requireAccount,
  resendInvitation,
  revokeInvitation,
} from "@turnpike/accounts";
import type { Role } from "@turnpike/terms";
import { verifyEmail } from "../email-link/verify-email.ts";
import { makeSoftPasskey } from "../factor/soft-passkey.fixture.ts";
import { askPasskey } from "../factor/use-passkey.ts";
import {
  callerAt,
  cookieHeader,
  faultCodeOf,
  faultIn,
  goodPassword,
  openTestAuth,
  type TestAuth,
} from "../open-test-auth.fixture.ts";
import { logIn } from "../session/log-in.ts";
import { logInWithPasskey } from "../session/log-in-with-passkey.ts";
import { beginInvitedPasskey, registerInvited } from "./register-invited.ts";
import { registerPerson } from "./register-person.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.90");
let addresses = 0;

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

function newAddress(): string {
  addresses += 1;
  return `invited-${addresses}@example.com`;
}

async function openOrganization() {
  const { authenticated, cookies } = await bed.signUp();
  const by = { person: authenticated.person, address: caller.address };
  const { slug } = await createOrganization(bed.db, bed.auth, by, { name: "Acme" });
  const again = await bed.auth.sessions.authenticate(cookies);
  const account = await chooseAccount(bed.db, again?.person ?? { accounts: [] }, slug);
  return { slug, by: { ...by, account: requireAccount(account) } };
}

async function invite(by: Member, email: string, role: Role = "developer") {
  const id = await inviteMember(bed.db, bed.auth, by, { email, role });
  return { id, token: await bed.tokenTo(email, "invitation") };
}

const withPassword = (token: string, password = "a long enough secret") =>
  registerInvited(bed.db, bed.auth, caller, {
    token,
    name: "Ada",
    proof: { method: "password", password },
  });

const signIn = (email: string, password: string) =>
  faultCodeOf(logIn(bed.db, bed.auth, caller, { email, password }));

test("with a name and a password one is signed in and a member, without a second mail", async () => {
  const { by, slug } = await openOrganization();
  const email = newAddress();
  const { token } = await invite(by, email, "viewer");
  expect(await queryInvitation(bed.db, bed.auth, caller, token)).toMatchObject({
    email,
    hasAccount: false,
  });
  const joined = await withPassword(token);
  expect(joined).toMatchObject({ accountName: "Acme", slug, recoveryCodes: [] });
  const session = await bed.auth.sessions.authenticate(cookieHeader(joined.setCookies));
  expect(session?.person).toMatchObject({ email, name: "Ada" });
  expect(session?.person.accounts.map(({ kind, role }) => [kind, role])).toEqual([
    ["personal", "owner"],
    ["organization", "viewer"],
  ]);
  expect((await bed.mailsTo(email)).map(({ kind }) => kind)).toEqual(["invitation"]);
  expect(await signIn(email, "a long enough secret")).toBe("no fault");
  const rows = await bed.sql<{ action: string; actor: string }[]>`
    select action, actor_name as actor from audit_log where account_id = ${by.account.id} order by id`;
  expect(rows.at(-1)).toEqual({ action: "member.join", actor: email });
});

test("reading the link, as scanners of mail do, uses nothing up", async () => {
  const { by } = await openOrganization();
  const { token } = await invite(by, newAddress());
  for (let n = 0; n < 3; n += 1) await queryInvitation(bed.db, bed.auth, caller, token);
  expect(await faultCodeOf(withPassword(token))).toBe("no fault");
});

test("a link that was used, revoked, sent again, or has expired registers nobody", async () => {
  const { by } = await openOrganization();
  const used = await invite(by, newAddress());
  await withPassword(used.token);
  expect(await faultCodeOf(withPassword(used.token))).toBe("token_expired");

  const revoked = await invite(by, newAddress());
  await revokeInvitation(bed.db, by, revoked.id);
  expect(await faultCodeOf(withPassword(revoked.token))).toBe("token_expired");

  const renewed = await invite(by, newAddress());
  await resendInvitation(bed.db, bed.auth, by, renewed.id);
  expect(await faultCodeOf(withPassword(renewed.token))).toBe("token_expired");

  const email = newAddress();
  const late = await invite(by, email);
  await bed.owner.sql`update invitations set expires_at = now() where id = ${late.id}`;
  expect(await faultCodeOf(withPassword(late.token))).toBe("token_expired");
  expect(await bed.sql`select id from persons where email = ${email}`).toHaveLength(0);
});

test("two clicks at the same moment make one person", async () => {
  const { by } = await openOrganization();
  const { token } = await invite(by, newAddress());
  const codes = await Promise.all([
    faultCodeOf(withPassword(token)),
    faultCodeOf(withPassword(token)),
  ]);
  expect(codes.sort()).toEqual(["no fault", "token_expired"]);
});

test("someone who can sign in already keeps their password and signs in to join", async () => {
  const { by } = await openOrganization();
  const ada = await bed.signUp();
  const { token } = await invite(by, ada.email);
  expect(await queryInvitation(bed.db, bed.auth, caller, token)).toMatchObject({
    hasAccount: true,
  });
  expect(await faultIn(withPassword(token, "the password of a thief"))).toMatchObject({
    code: "conflict",
    message: `${ada.email} has an account already. Sign in to join.`,
  });
  expect(await faultCodeOf(beginInvitedPasskey(bed.db, bed.auth, caller, { token }))).toBe(
    "conflict",
  );
  expect(await signIn(ada.email, goodPassword)).toBe("no fault");
  const by2 = { person: ada.authenticated.person, address: caller.address };
  const accepted = await acceptInvitation(bed.db, bed.auth, caller, by2, { token });
  expect(accepted.joined).toBe(true);
});

test("who registered the address before without proving it is locked out", async () => {
  const { by } = await openOrganization();
  const email = newAddress();
  await registerPerson(bed.db, bed.auth, callerAt("203.0.113.91"), {
    email,
    password: goodPassword,
  });
  const verification = await bed.tokenTo(email, "verify_email");
  const { token } = await invite(by, email);
  expect(await faultCodeOf(withPassword(token))).toBe("no fault");
  expect(await signIn(email, goodPassword)).toBe("wrong_credentials");
  const verified = await verifyEmail(bed.db, bed.auth, caller, {
    token: verification,
    password: goodPassword,
  });
  expect(verified.status).toBe("already_verified");
  expect(await signIn(email, goodPassword)).toBe("wrong_credentials");
});

test("who registered by themselves meanwhile finds the invitation once the address is proven", async () => {
  const { by, slug } = await openOrganization();
  const email = newAddress();
  const { id } = await invite(by, email);
  const other = await invite(by, newAddress());
  const { authenticated } = await bed.signUp(email);
  const { person } = authenticated;
  expect(await listOwnInvitations(bed.db, person)).toEqual([
    { id, accountName: "Acme", role: "developer", email, inviter: by.person.email },
  ]);
  const actor = { person, address: caller.address };
  const accept = (which: typeof id) =>
    acceptInvitation(bed.db, bed.auth, caller, actor, { id: which });
  expect(await faultCodeOf(accept(other.id))).toBe("not_found");
  expect(await accept(id)).toEqual({ joined: true, accountName: "Acme", slug });
  expect(await listOwnInvitations(bed.db, person)).toEqual([]);
  expect(await faultCodeOf(accept(id))).toBe("not_found");
});

test("a passkey alone registers: it must verify its user, and signs in afterwards", async () => {
  const { by } = await openOrganization();
  const { token } = await invite(by, newAddress());
  const register = (credential: string) =>
    registerInvited(bed.db, bed.auth, caller, {
      token,
      name: "",
      proof: { method: "passkey", credential },
    });
  const begin = () => beginInvitedPasskey(bed.db, bed.auth, caller, { token });
  const passkey = makeSoftPasskey();
  const options = await begin();
  expect(options.authenticatorSelection).toMatchObject({
    residentKey: "required",
    userVerification: "required",
  });
  const place = { origin: "http://console.test", host: "console.test" };
  const unverified = passkey.create(options.challenge, { ...place, isVerified: false });
  expect(await faultCodeOf(register(unverified))).toBe("wrong_credentials");
  expect(await faultCodeOf(register(passkey.create("made up")))).toBe("wrong_credentials");
  const { recoveryCodes } = await register(passkey.create(options.challenge));
  expect(recoveryCodes).toHaveLength(10);
  const { challenge } = await askPasskey(bed.db, bed.auth, caller, undefined);
  const signedIn = logInWithPasskey(bed.db, bed.auth, caller, {
    credential: passkey.answer(challenge),
  });
  expect(await faultCodeOf(signedIn)).toBe("no fault");
});

test("where the domain requires a provider, neither a password nor a passkey registers", async () => {
  const { by } = await openOrganization();
  const email = "ada@managed.example";
  const { token } = await invite(by, email);
  await bed.owner.sql`
    insert into domains (account_id, id, domain, token, proven_at, provider)
    values (${by.account.id}, gen_random_uuid(), 'managed.example', 'proof', now(), 'acme')`;
  expect(await queryInvitation(bed.db, bed.auth, caller, token)).toMatchObject({
    requiredProvider: "acme",
  });
  expect(await faultCodeOf(withPassword(token))).toBe("permission_denied");
  const begun = beginInvitedPasskey(bed.db, bed.auth, caller, { token });
  expect(await faultCodeOf(begun)).toBe("permission_denied");
  expect(await bed.sql`select id from persons where email = ${email}`).toHaveLength(0);
});
