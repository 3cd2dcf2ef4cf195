// Copies of drizzle/ for tests whose functions differ from those of the repository.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const migrations = join(import.meta.dir, "../../../drizzle");

export type MigrationsCopy = { readonly folder: string; remove(): Promise<void> };

export async function copyMigrations(): Promise<MigrationsCopy> {
  const folder = await mkdtemp(join(tmpdir(), "turnpike-migrations-"));
  await cp(migrations, folder, { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
