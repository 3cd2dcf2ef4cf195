// Copies of drizzle/ for tests of upgrades: the set of migrations as an older version had it, or one
// whose functions a test changes.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const migrations = join(import.meta.dir, "../../../drizzle");

export type MigrationsCopy = { readonly folder: string; remove(): Promise<void> };

/** With `through`, the migrations up to that one and nothing that needs a later one. */
export async function copyMigrations(options: { through?: string } = {}): Promise<MigrationsCopy> {
  const folder = await mkdtemp(join(tmpdir(), "turnpike-migrations-"));
  await cp(migrations, folder, { recursive: true });
  if (options.through !== undefined) await cut(folder, options.through);
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

async function cut(folder: string, through: string): Promise<void> {
  await rm(join(folder, "functions"), { recursive: true });
  const journalFile = join(folder, "meta/_journal.json");
  const journal = await Bun.file(journalFile).json();
  const last = journal.entries.findIndex((entry: { tag: string }) => entry.tag === through);
  if (last === -1) throw new Error(`no migration ${through}`);
  const entries = journal.entries.slice(0, last + 1);
  await Bun.write(journalFile, JSON.stringify({ ...journal, entries }));
}
