// Invitations: mailed, valid for 7 days, accepted once, by the invited address or by another one that a member
// has confirmed; and nobody who invites learns from them who has an account.

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Role } from "@turnpike/terms";
import { createOrganization } from "../account/organization.ts";
import type { Member } from "../member/actor.ts";
import { changeRole, removeMember } from "../member/change-members.ts";
import {
  faultCodeOf,
  openTestAccounts,
  type TestAccounts,
  type TestPerson,
  testAddress,
} from "../open-test-accounts.fixture.ts";
import { acceptInvitation, confirmClaim } from "./accept-invitation.ts";
import { inviteMember, listInvitations, resendInvitation, revokeInvitation } from "./invitation.ts";
import { queryInvitation } from "./open-invitation.ts";

let bed: TestAccounts;
const caller = { address: testAddress };

beforeAll(async () => {
  bed = await openTestAccounts();
});
afterAll(() => bed.close());

const actorOf = ({ person }: TestPerson) => ({ person, address: testAddress });

const memberOf = (one: TestPerson, slug: string) => bed.memberOf(one, slug);

async function openOrganization() {
  const grace = await bed.signUp();
  const { slug } = await createOrganization(bed.db, bed.context, actorOf(grace), { name: "Acme" });
  return { grace, slug, by: await memberOf(grace, slug) };
}

const invite = async (by: Member, email: string, role: Role = "developer") => ({
  id: await inviteMember(bed.db, bed.context, by, { email, role }),
  token: await bed.tokenTo(email, "invitation"),
});

const accept = (signedUp: TestPerson, token: string) =>
  acceptInvitation(bed.db, bed.context, caller, actorOf(signedUp), { token });

async function actionsIn({ account }: Member): Promise<string[]> {
  const rows = await bed.sql<{ action: string }[]>`
    select action from audit_log where account_id = ${account.id} order by id`;
  return rows.map(({ action }) => action);
}

test("the invited person joins in the invited role, once", async () => {
  const { by, slug } = await openOrganization();
  const ada = await bed.signUp();
  await inviteMember(bed.db, bed.context, by, {
    email: ` ${ada.email.toUpperCase()} `,
    role: "developer",
  });
  const token = await bed.tokenTo(ada.email, "invitation");
  expect(await queryInvitation(bed.db, bed.context, caller, token)).toEqual({
    accountName: "Acme",
    role: "developer",
    email: ada.email,
    inviter: by.person.email,
    hasAccount: true,
    requiredProvider: null,
    requiresFactor: false,
  });
  expect(await accept(ada, token)).toEqual({ joined: true, accountName: "Acme", slug });
  expect((await memberOf(ada, slug)).account.role).toBe("developer");
  expect(await faultCodeOf(accept(ada, token))).toBe("token_expired");
  expect(await listInvitations(bed.db, by.account.id)).toEqual([]);
  expect(await actionsIn(by)).toEqual(["account.create", "invitation.create", "member.join"]);
});

test("two clicks at the same moment make one member", async () => {
  const { by } = await openOrganization();
  const ada = await bed.signUp();
  const { token } = await invite(by, ada.email);
  const codes = await Promise.all([
    faultCodeOf(accept(ada, token)),
    faultCodeOf(accept(ada, token)),
  ]);
  // The second is refused as a member already, or as using a link that was used.
  expect(codes).toContain("no fault");
  expect(codes.filter((code) => code === "conflict" || code === "token_expired")).toHaveLength(1);
});

test("with another address one joins only once a member has confirmed that address", async () => {
  const { by, slug } = await openOrganization();
  const ada = await bed.signUp();
  const { id, token } = await invite(by, "ada@work.example");
  expect(await accept(ada, token)).toMatchObject({ joined: false });
  expect(await faultCodeOf(memberOf(ada, slug))).toBe("not_found");
  const mails = await bed.mailsTo(by.person.email);
  expect(mails.find((mail) => mail.kind === "invitation_claimed")).toMatchObject({
    invited: "ada@work.example",
    claimer: ada.email,
  });
  expect(await listInvitations(bed.db, by.account.id)).toMatchObject([{ claimedBy: ada.email }]);
  // Asking again sends no second mail.
  expect(await accept(ada, token)).toMatchObject({ joined: false });
  const claims = (await bed.mailsTo(by.person.email)).filter(
    ({ kind }) => kind === "invitation_claimed",
  );
  expect(claims).toHaveLength(1);
  // Someone else took the link meanwhile: what the member saw is not what they would confirm.
  const confirm = (email: string) => confirmClaim(bed.db, bed.context, by, { id, email });
  expect(await faultCodeOf(confirm("eve@example.com"))).toBe("not_found");
  await confirm(ada.email);
  expect((await memberOf(ada, slug)).account.role).toBe("developer");
  expect(await faultCodeOf(confirm(ada.email))).toBe("not_found");
});

test("a link works for 7 days, until it is revoked, or until it is sent again", async () => {
  const { by } = await openOrganization();
  const ada = await bed.signUp();
  const { id, token } = await invite(by, ada.email);
  const age = (of: string, by: string) => bed.owner.sql`
    update invitations set expires_at = expires_at - ${by}::interval where id = ${of}`;
  await age(id, "6 days 23 hours");
  expect(await faultCodeOf(accept(ada, token))).toBe("no fault");

  const eve = await bed.signUp();
  const second = await invite(by, eve.email);
  await age(second.id, "7 days");
  expect(await faultCodeOf(accept(eve, second.token))).toBe("token_expired");
  await resendInvitation(bed.db, bed.context, by, second.id);
  const renewed = await bed.tokenTo(eve.email, "invitation");
  expect(renewed).not.toBe(second.token);
  expect(await faultCodeOf(accept(eve, second.token))).toBe("token_expired");
  await revokeInvitation(bed.db, by, second.id);
  expect(await faultCodeOf(accept(eve, renewed))).toBe("token_expired");
  expect(await faultCodeOf(resendInvitation(bed.db, bed.context, by, second.id))).toBe("not_found");
});

test("whether the invited address has an account cannot be learned: answer and mail are the same", async () => {
  const { by } = await openOrganization();
  const known = await bed.signUp();
  const unknownEmail = "nobody-here@example.com";
  expect(await faultCodeOf(invite(by, known.email))).toBe("no fault");
  expect(await faultCodeOf(invite(by, unknownEmail))).toBe("no fault");
  const mailTo = async (email: string) => {
    const mail = (await bed.mailsTo(email)).find(({ kind }) => kind === "invitation");
    return { ...mail, link: "" };
  };
  expect(await mailTo(known.email)).toEqual(await mailTo(unknownEmail));
  const listed = await listInvitations(bed.db, by.account.id);
  const shown = listed.map(
    ({ id: _, email: __, createdAt: ___, expiresAt: ____, ...rest }) => rest,
  );
  expect(shown[0]).toEqual(shown[1] as (typeof shown)[number]);
});

test("a member, an address that is invited already, and the role of owner are refused", async () => {
  const { by, grace } = await openOrganization();
  expect(await faultCodeOf(invite(by, grace.email))).toBe("conflict");
  await invite(by, "twice@example.com");
  expect(await faultCodeOf(invite(by, "twice@example.com"))).toBe("conflict");
  expect(await faultCodeOf(invite(by, "heir@example.com", "owner"))).toBe("permission_denied");
  expect(await faultCodeOf(invite(by, "no address"))).toBe("invalid_value");
  const personal = await memberOf(grace, grace.account.slug);
  expect(await faultCodeOf(invite(personal, "friend@example.com"))).toBe("permission_denied");
});

test("an address that only looks like someone's is not invited, and they get no mail", async () => {
  const { by } = await openOrganization();
  const { email } = await bed.signUp("quack@example.com");
  const before = await bed.mailsTo(email);
  for (const given of [
    "quac\u212a@example.com",
    "quack@exampl\uff45.com",
    "\ufeffquack@example.com",
  ]) {
    expect(await faultCodeOf(invite(by, given))).toBe("invalid_value");
  }
  expect(await bed.mailsTo(email)).toEqual(before);
  expect(await listInvitations(bed.db, by.account.id)).toEqual([]);
});

test("invitations of a removed member stop working", async () => {
  const { by, slug } = await openOrganization();
  const admin = await bed.signUp();
  await accept(admin, (await invite(by, admin.email, "admin")).token);
  const eve = await bed.signUp();
  const { token } = await invite(await memberOf(admin, slug), eve.email);
  const personId = admin.person.id;
  await removeMember(bed.db, by, { personId, keys: "keep" }, async () => undefined);
  expect(await faultCodeOf(accept(eve, token))).toBe("token_expired");
});

test("invitations of someone who may no longer invite stop working", async () => {
  const { by, slug } = await openOrganization();
  const admin = await bed.signUp();
  await accept(admin, (await invite(by, admin.email, "admin")).token);
  const ada = await bed.signUp();
  const sent = await invite(await memberOf(admin, slug), ada.email, "admin");
  const personId = admin.person.id;
  await changeRole(bed.db, by, { personId, role: "viewer" });
  expect(await faultCodeOf(accept(ada, sent.token))).toBe("token_expired");
  expect((await listInvitations(bed.db, by.account.id)).map(({ email }) => email)).toEqual([]);
});

test("links that were made up are limited for an address; a link that was mailed is not", async () => {
  const { by } = await openOrganization();
  const ada = await bed.signUp();
  const { token } = await invite(by, ada.email);
  const guesser = { address: "203.0.113.81" };
  const max = 3;
  const throttles = { ...bed.context.throttles, tokenPerAddress: { max, windowMs: 3_600_000 } };
  const context = { ...bed.context, throttles };
  const read = (guess: string) => faultCodeOf(queryInvitation(bed.db, context, guesser, guess));
  for (let n = 0; n < max; n += 1) expect(await read(`guess-${n}`)).toBe("token_expired");
  expect(await read("one more")).toBe("throttled");
  expect(await read(token)).toBe("no fault");
});
