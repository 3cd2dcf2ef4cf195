// Projects: the groups of keys that usage, logs and budgets are shown and set for. The default project of an
// account always exists; an archived project keeps its history and has no key that works.
import {
  type AccountId,
  defaultProjectOf,
  Fault,
  newId,
  type ProjectId,
  parseName,
} from "@turnpike/base";
import { type AuditActor, apiKeys, type Db, projects, recordAudit } from "@turnpike/db";
import { nameCharsMax } from "@turnpike/terms";
import { and, asc, count, eq, isNull, type SQL, sql } from "drizzle-orm";
import { revokeKeysWhere } from "../api-key/settle-member-keys.ts";
import { notifyKeyChange } from "../changes/notify-key-change.ts";

export const projectsMax = 200;

/** What happens to the keys of a project that is archived: `move` makes them keys of the default project. */
export const archivedKeyFates = ["revoke", "move"] as const;
export type ArchivedKeyFate = (typeof archivedKeyFates)[number];

export type Project = {
  readonly id: ProjectId;
  readonly name: string;
  readonly isDefault: boolean;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
  /** Not revoked. */
  readonly liveKeys: number;
  /** How long prompts and answers are stored; null: they are not. */
  readonly promptDays: number | null;
  readonly redactsPrompts: boolean;
  /** How long responses are stored that do not refuse it; null: only those that ask for it are. */
  readonly responseHours: number | null;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
};

type Editor = { readonly accountId: AccountId; readonly by: AuditActor };

/** Of `only`, if given. The default project first, then by name. */
export async function listProjects(
  db: Db,
  accountId: AccountId,
  only?: readonly ProjectId[],
): Promise<readonly Project[]> {
  const rows = await db
    .select({
      id: projects.id,
      name: projects.name,
      createdAt: projects.createdAt,
      archivedAt: projects.archivedAt,
      requestsPerMinute: projects.requestsPerMinute,
      tokensPerMinute: projects.tokensPerMinute,
      concurrency: projects.concurrency,
      liveKeys: count(apiKeys.id),
      promptDays: projects.promptDays,
      redactsPrompts: projects.redactsPrompts,
      responseHours: projects.responseHours,
    })
    .from(projects)
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.accountId, projects.accountId),
        eq(projectOfKey, projects.id),
        isNull(apiKeys.revokedAt),
      ),
    )
    .where(eq(projects.accountId, accountId))
    .groupBy(projects.accountId, projects.id)
    .orderBy(sql`${projects.id} <> ${accountId}`, asc(sql`lower(${projects.name})`));
  const isDefault = (id: ProjectId) => id === defaultProjectOf(accountId);
  return rows
    .filter(({ id }) => only === undefined || only.includes(id))
    .map((row) => ({ ...row, isDefault: isDefault(row.id) }));
}

/** The project a row of `api_keys` belongs to. */
export const projectOfKey = sql<ProjectId>`coalesce(${apiKeys.projectId}, ${apiKeys.accountId})`;

/** Throws `invalid_value` for a name, and `conflict` for one that is taken and beyond 200 projects. */
export async function createProject(
  db: Db,
  { accountId, by }: Editor,
  input: { readonly name: string },
): Promise<ProjectId> {
  const name = parseProjectName(input.name);
  const id = newId<ProjectId>();
  await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const [found] = await tx
      .select({ total: count(projects.id) })
      .from(projects)
      .where(eq(projects.accountId, accountId));
    if ((found?.total ?? 0) >= projectsMax) {
      throw new Fault("conflict", `An account has at most ${projectsMax} projects.`);
    }
    const inserted = await tx
      .insert(projects)
      .values({ accountId, id, name })
      .onConflictDoNothing()
      .returning({ id: projects.id });
    if (inserted.length === 0) throw nameTaken(name);
    await recordAudit(tx, { accountId, by, action: "project.create", object: { id, name } });
  });
  return id;
}

/** Throws `invalid_value`, `not_found`, and `conflict` for a name that is taken. */
export async function renameProject(
  db: Db,
  { accountId, by }: Editor,
  input: { readonly id: ProjectId; readonly name: string },
): Promise<void> {
  const name = parseProjectName(input.name);
  await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const project = await requireProject(tx, accountId, input.id);
    const [other] = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(
        and(
          eq(projects.accountId, accountId),
          sql`lower(${projects.name}) = lower(${name})`,
          sql`${projects.id} <> ${input.id}`,
        ),
      );
    if (other !== undefined) throw nameTaken(name);
    await tx.update(projects).set({ name }).where(ofAccount(accountId, input.id));
    const object = { id: input.id, name };
    const changes = { name: [project.name, name] } as const;
    await recordAudit(tx, { accountId, by, action: "project.rename", object, changes });
  });
}

/** Throws `not_found`, and `conflict` for the default project. */
export async function archiveProject(
  db: Db,
  { accountId, by }: Editor,
  input: { readonly id: ProjectId; readonly keys: ArchivedKeyFate },
): Promise<void> {
  if (input.id === defaultProjectOf(accountId)) {
    throw new Fault("conflict", "The default project cannot be archived.");
  }
  await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const { name, archivedAt } = await requireProject(tx, accountId, input.id);
    if (archivedAt !== null) return;
    const theirs = and(
      eq(apiKeys.accountId, accountId),
      eq(apiKeys.projectId, input.id),
      isNull(apiKeys.revokedAt),
    );
    if (input.keys === "revoke") await revokeKeysWhere(tx, accountId, theirs, by);
    else await tx.update(apiKeys).set({ projectId: null }).where(theirs);
    await tx.update(projects).set({ archivedAt: sql`now()` }).where(ofAccount(accountId, input.id));
    const object = { id: input.id, name };
    const changes = { keys: [null, input.keys] } as const;
    await recordAudit(tx, { accountId, by, action: "project.archive", object, changes });
  });
  await notifyKeyChange(db, accountId);
}

/** Throws `not_found`. Keys that were revoked stay revoked. */
export async function restoreProject(
  db: Db,
  { accountId, by }: Editor,
  id: ProjectId,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { name } = await requireProject(tx, accountId, id);
    await tx.update(projects).set({ archivedAt: null }).where(ofAccount(accountId, id));
    await recordAudit(tx, { accountId, by, action: "project.restore", object: { id, name } });
  });
}

/**
 * Locks the project until the transaction ends, so that it is not archived meanwhile; returns its name. Throws `not_found`, also
 * for one that is not among `only`, and `conflict` for an archived one.
 */
export async function requireOpenProject(
  tx: Db,
  accountId: AccountId,
  id: ProjectId,
  only?: readonly ProjectId[],
): Promise<string> {
  if (only !== undefined && !only.includes(id)) throw noSuchProject();
  const { name, archivedAt } = await requireProject(tx, accountId, id);
  if (archivedAt === null) return name;
  throw new Fault("conflict", `The project ${name} is archived. Restore it or choose another one.`);
}

/** Locked until the transaction ends. Throws `not_found`. */
export async function requireProject(tx: Db, accountId: AccountId, id: ProjectId) {
  const [found] = await tx
    .select({
      name: projects.name,
      archivedAt: projects.archivedAt,
      promptDays: projects.promptDays,
      redactsPrompts: projects.redactsPrompts,
      responseHours: projects.responseHours,
    })
    .from(projects)
    .where(ofAccount(accountId, id))
    .for("no key update");
  if (found === undefined) throw noSuchProject();
  return found;
}

function ofAccount(accountId: AccountId, id: ProjectId): SQL | undefined {
  return and(eq(projects.accountId, accountId), eq(projects.id, id));
}

export async function lockAccount(tx: Db, accountId: AccountId): Promise<void> {
  await tx.execute(sql`select 1 from accounts where id = ${accountId} for no key update`);
}

function parseProjectName(wished: string): string {
  const message = `A project's name has 1 to ${nameCharsMax.project} characters.`;
  return parseName(wished, { charsMax: nameCharsMax.project, message });
}

function nameTaken(name: string): Fault {
  return new Fault("conflict", `There is a project ${name} already.`, { param: "name" });
}

function noSuchProject(): Fault {
  return new Fault("not_found", "There is no such project.");
}
