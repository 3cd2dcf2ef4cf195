// Whether a project stores the responses of its keys that do not refuse it, and how long. What is stored already stays as long as it was to.
import { type AccountId, Fault, type ProjectId } from "@turnpike/base";
import { type AuditActor, type Db, projects, recordAudit } from "@turnpike/db";
import { responseHoursMax } from "@turnpike/terms";
import { and, eq } from "drizzle-orm";
import { notifyKeyChange } from "../changes/notify-key-change.ts";
import { requireProject } from "./project.ts";

/** `hours` null: only those that ask for it. Throws `invalid_value`, `not_found`. */
export async function setResponseStorage(
  db: Db,
  { accountId, by }: { readonly accountId: AccountId; readonly by: AuditActor },
  { id, hours }: { readonly id: ProjectId; readonly hours: number | null },
): Promise<void> {
  if (hours !== null && !(Number.isInteger(hours) && hours >= 1 && hours <= responseHoursMax)) {
    throw new Fault("invalid_value", `Responses are kept for 1 to ${responseHoursMax} hours.`, {
      param: "hours",
    });
  }
  await db.transaction(async (tx) => {
    const { name, responseHours } = await requireProject(tx, accountId, id);
    await tx
      .update(projects)
      .set({ responseHours: hours })
      .where(and(eq(projects.accountId, accountId), eq(projects.id, id)));
    const object = { id, name };
    const changes = { hours: [textOf(responseHours), textOf(hours)] } as const;
    await recordAudit(tx, { accountId, by, action: "project.responses", object, changes });
  });
  await notifyKeyChange(db, accountId);
}

function textOf(hours: number | null): string | null {
  return hours === null ? null : String(hours);
}
