// In which projects a member works. What they see and change of keys, usage and logs is narrowed to these,
// unless their role is owner or admin.
import { type AccountId, Fault, type PersonId, type ProjectId } from "@turnpike/base";
import { type Db, memberships, persons, projects, recordAudit } from "@turnpike/db";
import { and, eq, inArray } from "drizzle-orm";
import { auditActorOf, type Member } from "./actor.ts";
import { assertWithinKey } from "./change-members.ts";
import { lockMembers } from "./membership.ts";

/**
 * Null is all of them, also later ones. Throws `not_found` (member, project), `invalid_value` (none), and
 * `permission_denied` for a management key that would let the member do more than the key itself.
 */
export async function setMemberProjects(
  db: Db,
  by: Member,
  input: { readonly personId: PersonId; readonly projectIds: readonly ProjectId[] | null },
): Promise<void> {
  const accountId = by.account.id;
  await db.transaction(async (tx) => {
    const target = (await lockMembers(tx, accountId)).find(
      ({ personId }) => personId === input.personId,
    );
    const [person] = await tx
      .select({ email: persons.email })
      .from(persons)
      .where(eq(persons.id, input.personId));
    if (person === undefined || target === undefined) {
      throw new Fault("not_found", "There is no such member.");
    }
    const projectIds = await checkProjectIds(tx, accountId, input.projectIds);
    const [before] = await tx
      .select({ projectIds: memberships.projectIds })
      .from(memberships)
      .where(membershipOf(accountId, input.personId));
    if (widens(before?.projectIds ?? null, projectIds)) {
      const what = "This management key gives this member no further projects";
      assertWithinKey(by, target.role, { param: "projectIds", what });
    }
    await tx.update(memberships).set({ projectIds }).where(membershipOf(accountId, input.personId));
    await recordAudit(tx, {
      accountId,
      by: auditActorOf(by),
      action: "member.set_projects",
      object: { id: input.personId, name: person.email },
      changes: { projects: [describe(before?.projectIds ?? null), describe(projectIds)] },
    });
  });
}

/** Whether there is a project among those after that was not among those before. Null is all. */
function widens(before: readonly ProjectId[] | null, after: readonly ProjectId[] | null): boolean {
  if (before === null) return false;
  return after === null || after.some((id) => !before.includes(id));
}

/** Throws `invalid_value` for an empty list and `not_found` for a project of another account. */
export async function checkProjectIds(
  tx: Db,
  accountId: AccountId,
  ids: readonly ProjectId[] | null | undefined,
): Promise<ProjectId[] | null> {
  if (ids === undefined || ids === null) return null;
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) {
    throw new Fault("invalid_value", "Choose at least one project, or all of them.", {
      param: "projectIds",
    });
  }
  const found = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.accountId, accountId), inArray(projects.id, distinct)));
  if (found.length < distinct.length) throw new Fault("not_found", "There is no such project.");
  return distinct;
}

function describe(ids: readonly ProjectId[] | null): string {
  return ids === null ? "all" : ids.join(", ");
}

function membershipOf(accountId: AccountId, personId: PersonId) {
  return and(eq(memberships.accountId, accountId), eq(memberships.personId, personId));
}
