// Reads what is stored of a call. Whether the reader may see the call at all is decided before.
import type { AccountId, GenerationId, Sealer } from "@turnpike/base";
import { type Db, projects, storedPrompts } from "@turnpike/db";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PromptContent } from "./prompt-content.ts";

export type StoredPrompt = PromptContent & {
  readonly storedAt: Date;
  readonly deletedAfter: Date;
};

/** Undefined if nothing is stored of it, or no longer. Throws SealBroken. */
export async function queryPrompt(
  db: Db,
  sealer: Sealer,
  accountId: AccountId,
  id: GenerationId,
): Promise<StoredPrompt | undefined> {
  const [row] = await db
    .select({
      sealed: storedPrompts.sealed,
      storedAt: storedPrompts.createdAt,
      days: projects.promptDays,
    })
    .from(storedPrompts)
    .innerJoin(
      projects,
      and(
        eq(projects.accountId, storedPrompts.accountId),
        eq(projects.id, storedPrompts.projectId),
        isStillKept,
      ),
    )
    .where(and(eq(storedPrompts.accountId, accountId), eq(storedPrompts.generationId, id)));
  if (row === undefined) return undefined;
  const deletedAfter = new Date(row.storedAt);
  deletedAfter.setUTCDate(deletedAfter.getUTCDate() + (row.days ?? 0));
  const content = openStoredPrompt(sealer, accountId, id, row.sealed);
  return { ...content, storedAt: row.storedAt, deletedAfter };
}

/** As its project says now: null, and so false, for one that stores nothing. */
const isStillKept: SQL = sql`
  ${storedPrompts.createdAt} > now() - make_interval(days => ${projects.promptDays})
  and ${storedPrompts.createdAt} > coalesce(${projects.promptsVoidBefore}, '-infinity')`;

/** Throws SealBroken. */
export function openStoredPrompt(
  sealer: Sealer,
  accountId: AccountId,
  id: GenerationId,
  sealed: Uint8Array,
): PromptContent {
  return JSON.parse(sealer.open(placeOf(accountId, id), sealed));
}

export function sealPrompt(
  sealer: Sealer,
  accountId: AccountId,
  id: GenerationId,
  content: PromptContent,
): Uint8Array {
  return sealer.seal(placeOf(accountId, id), JSON.stringify(content));
}

/** Bound to its row: what was said in one call does not open in the row of another. */
function placeOf(accountId: AccountId, id: GenerationId): string {
  return `stored_prompts ${accountId} ${id}`;
}
