// Whether the prompts and answers of a project are stored. Switching it off hides what is stored at once and has it
// deleted in slices; a shorter time applies to what is stored already.
import { type AccountId, Fault, type ProjectId, type Sealer } from "@turnpike/base";
import { type AuditActor, type Db, projects, recordAudit } from "@turnpike/db";
import { notifyKeyChange, type PromptStorage, requireProject } from "@turnpike/keys";
import { and, eq, isNotNull, sql } from "drizzle-orm";

export const promptDaysMax = 90;

export type PromptSetting = {
  readonly id: ProjectId;
  /** How long they are kept; null stores nothing. */
  readonly days: number | null;
  /** Whether secrets, addresses and numbers of people are replaced first. */
  readonly redacts: boolean;
};

/** Throws `invalid_value`, `not_found`, and `conflict` if this installation cannot seal them. */
export async function setPromptStorage(
  db: Db,
  { accountId, by, sealer }: PromptEditor,
  { id, days, redacts }: PromptSetting,
): Promise<void> {
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= promptDaysMax)) {
    throw new Fault("invalid_value", `Prompts are kept for 1 to ${promptDaysMax} days.`, {
      param: "days",
    });
  }
  if (days !== null && sealer === undefined) throw cannotSeal();
  await db.transaction(async (tx) => {
    const before = await requireProject(tx, accountId, id);
    const voidBefore = days === null ? sql`now()` : sql`${projects.promptsVoidBefore}`;
    await tx
      .update(projects)
      .set({ promptDays: days, redactsPrompts: redacts, promptsVoidBefore: voidBefore })
      .where(and(eq(projects.accountId, accountId), eq(projects.id, id)));
    await recordAudit(tx, {
      accountId,
      by,
      action: "project.prompts",
      object: { id, name: before.name },
      changes: {
        days: [textOf(before.promptDays), textOf(days)],
        redacts: [String(before.redactsPrompts), String(redacts)],
      },
    });
  });
  await notifyKeyChange(db, accountId);
}

function textOf(days: number | null): string | null {
  return days === null ? null : String(days);
}

export type PromptEditor = {
  readonly accountId: AccountId;
  readonly by: AuditActor;
  /** Undefined without SEALING_KEY. */
  readonly sealer: Sealer | undefined;
};

function cannotSeal(): Fault {
  return new Fault(
    "conflict",
    "Prompts cannot be stored: the operator of this installation has to set SEALING_KEY first.",
  );
}

/** Of a call that is made without a key. Undefined: nothing is stored. */
export async function queryPromptStorage(
  db: Db,
  accountId: AccountId,
  projectId: ProjectId,
): Promise<PromptStorage | undefined> {
  const [found] = await db
    .select({ redacts: projects.redactsPrompts })
    .from(projects)
    .where(
      and(
        eq(projects.accountId, accountId),
        eq(projects.id, projectId),
        isNotNull(projects.promptDays),
      ),
    );
  return found && { projectId, redacts: found.redacts };
}
