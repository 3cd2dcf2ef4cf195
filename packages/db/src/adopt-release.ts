// Release 0.1.0 begins with one migration, the baseline. A database of the migration before it has the same schema and is
// adopted: only its journal changes. Any other is refused, and told which commit brings it there, if one does.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "./connect.ts";
import { baseline, MigrationRefused } from "./schema-version.ts";

/** The last migration before the baseline, as databases record it, and the commit whose newest migration it is. */
export const lastBeforeRelease = {
  number: 73,
  sha256: "6a944e36091dd575c62efff88f36f99d0b5b3e530ae9dbe19e097716069c4abc",
  commit: "80865914dc2aa42979e405617d20d0d107b37dcf",
} as const;

/** What an older database needs first. */
export function describeBeforeRelease(applied: number): string {
  const { number, commit } = lastBeforeRelease;
  return `the database has the schema of migration ${applied}, and release 0.1.0 can only upgrade from migration ${number}. Check out commit ${commit}, run \`bun run admin migrate\` there once, and then this version again (docs/operations.md, Upgrade).`;
}

/**
 * Whether the database is of the last migration before the release and has to be adopted. Throws MigrationRefused for one
 * that this version can neither use nor adopt. Changes nothing.
 */
export async function mustAdopt(sql: Sql, applied: number): Promise<boolean> {
  const { number, sha256, commit } = lastBeforeRelease;
  const foreign = new MigrationRefused(
    `the journal of the database is neither that of release 0.1.0 nor that of migration ${number} of commit ${commit}: another build made it, and no version can upgrade it. Restore a backup of one of them.`,
  );
  if (applied < 0) throw foreign;
  if (applied < number) throw new MigrationRefused(describeBeforeRelease(applied));
  const rows = await sql<{ hash: string; isBaseline: boolean }[]>`
    select hash, created_at = ${baseline.createdAtMs}::bigint as "isBaseline"
      from drizzle.__drizzle_migrations order by created_at`;
  if (rows.some(({ isBaseline }) => isBaseline)) return false;
  if (applied === number && rows.at(-1)?.hash === sha256) return true;
  throw foreign;
}

/** Records in the journal of such a database that it has the baseline. */
export async function adoptRelease(sql: Sql, migrationsFolder: string): Promise<void> {
  const text = await readFile(join(migrationsFolder, `${baseline.tag}.sql`));
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  await sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${baseline.createdAtMs})`;
}
