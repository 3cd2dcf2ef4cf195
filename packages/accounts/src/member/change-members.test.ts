// Members of an account: roles, removal, leaving, and the ownership, which nobody gets or loses by surprise.

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PersonId } from "@turnpike/base";
import type { Role } from "@turnpike/terms";
import { changeAccount, createOrganization } from "../account/organization.ts";
import {
  testAddress as address,
  faultCodeOf,
  openTestAccounts,
  type TestAccounts,
  type TestPerson,
} from "../open-test-accounts.fixture.ts";
import { accountLimits } from "../throttle/account-limits.ts";
import type { Member } from "./actor.ts";
import { changeRole, leaveAccount, listMembers, removeMember } from "./change-members.ts";
import { answerOwnership, offerOwnership, withdrawOwnership } from "./offer-ownership.ts";

let bed: TestAccounts;

beforeAll(async () => {
  bed = await openTestAccounts();
});
afterAll(() => bed.close());

const idOf = ({ person }: TestPerson): PersonId => person.id;

const memberOf = (one: TestPerson, slug: string) => bed.memberOf(one, slug);

async function openOrganization(name = "Acme") {
  const grace = await bed.signUp();
  const { person } = grace;
  const { slug, id } = await createOrganization(bed.db, bed.context, { person, address }, { name });
  const add = async (role: Role): Promise<TestPerson> => {
    const added = await bed.signUp();
    await bed.owner.sql`
      insert into memberships (account_id, person_id, role) values (${id}, ${idOf(added)}, ${role})`;
    return added;
  };
  return { grace, slug, id, add, owner: await memberOf(grace, slug) };
}

const remove = (by: Member, personId: PersonId) =>
  removeMember(bed.db, by, { personId, keys: "keep" }, async () => undefined);

const rolesIn = async (by: Member) =>
  (await listMembers(bed.db, by.account.id)).map(({ role }) => role);

test("a new organization has its creator as owner and a URL made of its name", async () => {
  const first = await openOrganization("  Søren & Söhne   GmbH ");
  expect(first.owner.account).toMatchObject({ name: "Søren & Söhne GmbH", role: "owner" });
  expect(first.slug).toBe("s-ren-sohne-gmbh");
  const second = await openOrganization("Søren & Söhne GmbH");
  expect(second.slug).toBe("s-ren-sohne-gmbh-2");
  expect((await openOrganization("日本")).slug).toMatch(/^team(-\d+)?$/);
  const { person } = first.grace;
  const named = (name: string) =>
    faultCodeOf(createOrganization(bed.db, bed.context, { person, address }, { name }));
  expect(await named("  ")).toBe("invalid_value");
  expect(await named("x".repeat(81))).toBe("invalid_value");
});

test("a former URL still leads to its organization and is never given to another one", async () => {
  const { grace, owner, slug } = await openOrganization("Old Name");
  await changeAccount(bed.db, bed.context, owner, { name: "New Name", slug: "new-name" });
  expect((await memberOf(grace, slug)).account).toMatchObject({
    name: "New Name",
    slug: "new-name",
  });
  expect((await openOrganization("Old Name")).slug).not.toBe(slug);
  const other = await openOrganization("Another");
  const change = (given: string) =>
    faultCodeOf(changeAccount(bed.db, bed.context, other.owner, { slug: given }));
  expect(await change(slug)).toBe("conflict");
  expect(await change("new-name")).toBe("conflict");
  for (const bad of ["Upper", "a", "-a-b", "a--b", "u-123", "1st-team", "x".repeat(41)]) {
    expect([bad, await change(bad)]).toEqual([bad, "invalid_value"]);
  }
  // Back to a former one of its own.
  const renamed = await memberOf(grace, "new-name");
  await changeAccount(bed.db, bed.context, renamed, { slug });
  expect((await memberOf(grace, "new-name")).account.slug).toBe(slug);
});

test("a personal account is not renamed, left or shared", async () => {
  const ada = await bed.signUp();
  const own = await memberOf(ada, ada.account.slug);
  expect(await faultCodeOf(changeAccount(bed.db, bed.context, own, { name: "Ada Ltd" }))).toBe(
    "permission_denied",
  );
  expect(await faultCodeOf(leaveAccount(bed.db, own))).toBe("conflict");
});

test("the last owner can neither leave, be removed nor lose the role", async () => {
  const { owner, grace, add, slug } = await openOrganization();
  await add("admin");
  expect(await faultCodeOf(leaveAccount(bed.db, owner))).toBe("conflict");
  expect(await faultCodeOf(remove(owner, idOf(grace)))).toBe("conflict");
  const demote = { personId: idOf(grace), role: "admin" } as const;
  expect(await faultCodeOf(changeRole(bed.db, owner, demote))).toBe("conflict");
  expect((await memberOf(grace, slug)).account.role).toBe("owner");
});

test("two owners who leave at the same moment leave one behind, also past the application", async () => {
  const { owner, add, slug, id } = await openOrganization();
  const second = await add("owner");
  const left = await Promise.all(
    [owner, await memberOf(second, slug)].map((one) => faultCodeOf(leaveAccount(bed.db, one))),
  );
  expect(left.toSorted()).toEqual(["conflict", "no fault"]);
  expect(await rolesIn(owner)).toEqual(["owner"]);
  const removed = bed.sql`delete from memberships where account_id = ${id}`;
  const message = await removed.then(String, (error: unknown) => String(error));
  expect(message).toContain("would have no owner");
});

test("an admin changes and removes everyone but owners", async () => {
  const { grace, add, slug } = await openOrganization();
  const admin = await memberOf(await add("admin"), slug);
  const viewer = await add("viewer");
  await changeRole(bed.db, admin, { personId: idOf(viewer), role: "billing" });
  expect((await memberOf(viewer, slug)).account.role).toBe("billing");
  const crown = { personId: idOf(viewer), role: "owner" } as const;
  expect(await faultCodeOf(changeRole(bed.db, admin, crown))).toBe("permission_denied");
  const demote = { personId: idOf(grace), role: "viewer" } as const;
  expect(await faultCodeOf(changeRole(bed.db, admin, demote))).toBe("permission_denied");
  expect(await faultCodeOf(remove(admin, idOf(grace)))).toBe("permission_denied");
  await remove(admin, idOf(viewer));
  expect(await faultCodeOf(memberOf(viewer, slug))).toBe("not_found");
  const [mail] = await bed.mailsTo(viewer.email);
  expect(mail).toMatchObject({ kind: "removed_from_account", accountName: "Acme" });
});

test("someone who was removed while their request ran changes nothing any more", async () => {
  const { owner, add, slug } = await openOrganization();
  const ada = await add("admin");
  const admin = await memberOf(ada, slug);
  const viewer = await add("viewer");
  await remove(owner, idOf(ada));
  expect(await faultCodeOf(remove(admin, idOf(viewer)))).toBe("not_found");
  const promote = { personId: idOf(viewer), role: "admin" } as const;
  expect(await faultCodeOf(changeRole(bed.db, admin, promote))).toBe("not_found");
});

test("ownership is offered, and passes only when the member accepts", async () => {
  const { owner, add, slug, grace } = await openOrganization();
  const heir = await add("admin");
  const offer = () => offerOwnership(bed.db, bed.context, owner, idOf(heir));
  const answer = async (accepts: boolean) =>
    faultCodeOf(answerOwnership(bed.db, await memberOf(heir, slug), accepts));
  expect(await answer(true)).toBe("not_found");
  await offer();
  expect((await memberOf(heir, slug)).account.role).toBe("admin");
  expect(await answer(false)).toBe("no fault");
  await offer();
  await withdrawOwnership(bed.db, owner, idOf(heir));
  expect(await answer(true)).toBe("not_found");
  await offer();
  expect(await answer(true)).toBe("no fault");
  expect((await memberOf(heir, slug)).account.role).toBe("owner");
  await leaveAccount(bed.db, owner);
  expect(await faultCodeOf(memberOf(grace, slug))).toBe("not_found");
  const rows = await bed.sql<{ action: string; actor_name: string }[]>`
    select action, actor_name from audit_log where account_id = ${owner.account.id} order by id`;
  expect(rows.map(({ action, actor_name }) => [action, actor_name])).toEqual([
    ["account.create", grace.email],
    ["ownership.offer", grace.email],
    ["ownership.decline", heir.email],
    ["ownership.offer", grace.email],
    ["ownership.withdraw", grace.email],
    ["ownership.offer", grace.email],
    ["ownership.accept", heir.email],
    ["member.leave", grace.email],
  ]);
});

test("a member is offered the ownership once, and at most ten times a day", async () => {
  const { owner, add } = await openOrganization();
  const heir = await add("admin");
  // The limit of production: that of this bed is a thousand times as high.
  const { invitationPerRecipient } = accountLimits;
  const throttles = { ...bed.context.throttles, invitationPerRecipient };
  const context = { ...bed.context, throttles };
  const offer = () => faultCodeOf(offerOwnership(bed.db, context, owner, idOf(heir)));
  expect(await Promise.all([offer(), offer(), offer()])).toEqual(
    expect.arrayContaining(["no fault", "conflict", "conflict"]),
  );
  for (let times = 1; times < invitationPerRecipient.max; times += 1) {
    await withdrawOwnership(bed.db, owner, idOf(heir));
    expect(await offer()).toBe("no fault");
  }
  await withdrawOwnership(bed.db, owner, idOf(heir));
  expect(await offer()).toBe("throttled");
});

test("an offer of someone who is no longer an owner is worth nothing", async () => {
  const { owner, add, slug, grace } = await openOrganization();
  const second = await memberOf(await add("owner"), slug);
  const heir = await add("admin");
  await offerOwnership(bed.db, bed.context, owner, idOf(heir));
  await changeRole(bed.db, second, { personId: idOf(grace), role: "viewer" });
  const member = await memberOf(heir, slug);
  expect(await faultCodeOf(answerOwnership(bed.db, member, true))).toBe("not_found");
});

test("the audit log cannot be changed or emptied, not even by the server's role", async () => {
  const { id } = await openOrganization();
  for (const statement of [
    `update audit_log set actor_name = 'eve' where account_id = '${id}'`,
    `delete from audit_log where account_id = '${id}'`,
    "truncate audit_log",
  ]) {
    const outcome = await bed.sql.unsafe(statement).then(String, (error: unknown) => String(error));
    expect(outcome).toMatch(/append-only|permission denied/);
    const byOwner = await bed.owner.sql
      .unsafe(statement)
      .then(String, (error: unknown) => String(error));
    expect(byOwner).toContain("append-only");
  }
});
