// The version of the SQL functions and rights in `drizzle/`: `functions.json` has the hash of their texts in each
// version, oldest first, so that the number says which of two builds is newer, whatever migrations they have. A
// database never goes back to older ones, and never from one build's to another's of the same number.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sql } from "./connect.ts";
import { type FunctionFile, readFunctions } from "./read-functions.ts";
import { MigrationRefused } from "./schema-version.ts";

/** Which texts a build or a database has. */
export type FunctionsVersion = {
  readonly version: number;
  /** Of all texts; null where they are those of no version, because somebody is editing them. */
  readonly sha256: string | null;
};

export type FunctionSet = FunctionsVersion & {
  readonly files: readonly FunctionFile[];
  readonly rights: string;
};

const ownFolder = fileURLToPath(new URL("../../../drizzle", import.meta.url));

export async function readFunctionSet(folder = ownFolder): Promise<FunctionSet> {
  const files = await readFunctions(join(folder, "functions"));
  const rights = await readFile(join(folder, "rights.sql"), "utf8");
  const landed = parseVersions(await readFile(join(folder, "functions.json"), "utf8"));
  const sha256 = hashTexts(files, rights);
  return {
    files,
    rights,
    version: landed.length,
    sha256: landed.at(-1) === sha256 ? sha256 : null,
  };
}

export function hashTexts(files: readonly FunctionFile[], rights: string): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const { name, sha256 } of files) hasher.update(`${name} ${sha256}\n`);
  return hasher.update(rights).digest("hex");
}

export function parseVersions(text: string): readonly string[] {
  const versions: unknown = JSON.parse(text);
  const isList = Array.isArray(versions) && versions.every((one) => /^[0-9a-f]{64}$/.test(one));
  if (!isList || versions.length === 0) throw new Error("drizzle/functions.json lists no versions");
  return versions;
}

/** What a database has; undefined where nothing was applied yet. */
export async function queryFunctionsVersion(sql: Sql): Promise<FunctionsVersion | undefined> {
  const [state] = await sql<{ version: number | null; sha256: string | null }[]>`
    select functions_version as version, functions_sha256 as sha256 from schema_state`;
  if (typeof state?.version !== "number") return undefined;
  return { version: state.version, sha256: state.sha256 };
}

/**
 * Whether a build's texts may be brought to a database: not older ones. Throws MigrationRefused where nothing says
 * which are newer.
 */
export function mayApply(own: FunctionsVersion, applied: FunctionsVersion | undefined): boolean {
  if (applied === undefined || own.version > applied.version) return true;
  if (own.version < applied.version) return false;
  const isSame = own.sha256 === applied.sha256;
  if (isSame || own.sha256 === null || applied.sha256 === null) return true;
  throw new MigrationRefused(
    `the database has the SQL functions of another build that calls them version ${own.version}, too: neither is newer. Run that build, or give the functions of this one the next version in drizzle/functions.json.`,
  );
}

/** Before the texts change: from then on no older build replaces them (`refuse_older_functions.sql`). */
export async function announceFunctions(sql: Sql, own: FunctionsVersion): Promise<void> {
  await sql`
    update schema_state set functions_version = ${own.version}, functions_sha256 = ${own.sha256}`;
}
