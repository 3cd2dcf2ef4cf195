// Release 0.1.0 begins with one migration, the baseline. A database of the migration before it has the same schema and is
// adopted: only its journal changes. An older one is refused, and told which commit brings it there.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "./connect.ts";
import { baseline, MigrationRefused } from "./schema-version.ts";

/** The last migration before the baseline, as databases note it, and a commit of which it is the newest. */
export const lastBeforeRelease = {
  number: 73,
  sha256: "6a944e36091dd575c62efff88f36f99d0b5b3e530ae9dbe19e097716069c4abc",
  commit: "80865914dc2aa42979e405617d20d0d107b37dcf",
} as const;

/** Throws MigrationRefused for a database that this version can neither use nor adopt. Changes nothing. */
export async function refuseBeforeRelease(sql: Sql, applied: number): Promise<void> {
  if (applied >= baseline.number) return;
  const { number, sha256, commit } = lastBeforeRelease;
  const [newest] = await sql<{ hash: string }[]>`
    select hash from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  if (applied === number && newest?.hash === sha256) return;
  throw new MigrationRefused(
    `the database has the schema of migration ${applied}, and release 0.1.0 begins where migration ${number} ended. Check out commit ${commit}, run \`bun run admin migrate\` there once, and then this version again (docs/operations.md, Upgrade).`,
  );
}

/** Notes in the journal of such a database that it has the baseline. */
export async function adoptRelease(sql: Sql, migrationsFolder: string): Promise<void> {
  const text = await readFile(join(migrationsFolder, `${baseline.tag}.sql`));
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  await sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${baseline.createdAtMs})`;
}
