// The SQL functions of a database are never replaced by older ones, nor by those of another build that is not newer:
// also not by a build from before functions had a version.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  copyMigrations,
  createTestDatabase,
  type MigrationsCopy,
  type TestDatabase,
} from "@turnpike/testing";
import { checkSchema, SchemaUnfit } from "./check-schema.ts";
import { type Connection, connectDatabase } from "./connect.ts";
import { hashTexts, parseVersions, readFunctionSet } from "./functions-version.ts";
import { migrate } from "./migrate.ts";
import { MigrationRefused } from "./schema-version.ts";

const folder = join(import.meta.dir, "../../../drizzle");

test("the functions and rights of the repository are the last version in drizzle/functions.json", async () => {
  const own = await readFunctionSet();
  const versions = parseVersions(await Bun.file(join(folder, "functions.json")).text());
  // A text was changed: add the hash below as the next version. A line that has landed stays as it is.
  expect(versions.at(-1)).toBe(hashTexts(own?.files ?? [], own?.rights ?? ""));
  expect(new Set(versions).size).toBe(versions.length);
});

describe("a database", () => {
  let database: TestDatabase;
  let owner: Connection;
  let copies: MigrationsCopy[];
  beforeEach(async () => {
    copies = [];
    database = await createTestDatabase({ empty: true });
    owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  });
  afterEach(async () => {
    await owner.close();
    await database.drop();
    for (const copy of copies) await copy.remove();
  });

  /** The repository as another build has it: of as many versions, with this comment in a function. */
  async function copyBuild(versions: number, comment: string): Promise<string> {
    const copy = await copyMigrations();
    copies.push(copy);
    const file = join(copy.folder, "functions/post_movement.sql");
    const text = await Bun.file(file).text();
    await Bun.write(file, text.replace("BEGIN\n", `BEGIN\n  -- ${comment}\n`));
    const set = await readFunctionSet(copy.folder);
    const own = hashTexts(set?.files ?? [], set?.rights ?? "");
    const others = Array.from({ length: versions - 1 }, (_, index) =>
      String(index).padStart(64, "0"),
    );
    await Bun.write(join(copy.folder, "functions.json"), JSON.stringify([...others, own]));
    return copy.folder;
  }

  const migrateWith = (migrationsFolder: string) =>
    migrate({ url: database.ownerUrl, migrationsFolder });

  async function queryComment(): Promise<string | undefined> {
    const [row] = await owner.sql<{ source: string }[]>`
      select prosrc as source from pg_proc where proname = 'post_movement'`;
    return /-- (\w+ build)/.exec(row?.source ?? "")?.[1];
  }

  test("gets the functions of a newer build and keeps them when an older one of the same schema starts", async () => {
    const older = await copyBuild(900, "older build");
    await migrateWith(older);
    await migrateWith(await copyBuild(901, "newer build"));
    expect(await queryComment()).toBe("newer build");
    await migrateWith(older);
    expect(await queryComment()).toBe("newer build");
    // The repository's own are older, too, and are served by those.
    await checkSchema(database.url);
  });

  test("is not changed by another build of the same version, which is told what to do", async () => {
    await migrateWith(await copyBuild(900, "first build"));
    const refused = migrateWith(await copyBuild(900, "second build"));
    await expect(refused).rejects.toThrow(MigrationRefused);
    await expect(refused).rejects.toThrow("give the functions of this one the next version");
    expect(await queryComment()).toBe("first build");
  });

  test("follows texts while they are edited, and refuses those once a newer version is there", async () => {
    const edited = await copyBuild(900, "first build");
    await migrateWith(edited);
    const file = join(edited, "functions/post_movement.sql");
    await Bun.write(file, (await Bun.file(file).text()).replace("first build", "edited build"));
    await migrateWith(edited);
    expect(await queryComment()).toBe("edited build");
    await migrateWith(await copyBuild(901, "newer build"));
    await migrateWith(edited);
    expect(await queryComment()).toBe("newer build");
  });

  test("refuses what a build from before versions does, and tells it that it is too old", async () => {
    await migrate({ url: database.ownerUrl });
    // As such a build brings each file to its own text.
    const replaced = owner.sql.begin(async (transaction) => {
      await transaction.unsafe(
        "create or replace function uuid7_floor(p_at timestamptz) returns uuid language sql immutable as 'select null::uuid'",
      );
      await transaction`
        insert into schema_functions (name, sha256) values ('charge_calls.sql', 'old')
        on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`;
    });
    await expect(replaced).rejects.toThrow("this version of Turnpike is too old for the database");
    const [row] = await owner.sql<{ works: boolean }[]>`
      select uuid7_floor(now()) is not null as works`;
    expect(row?.works).toBe(true);
  });

  test("tells the server's role, by either variable, why it cannot start", async () => {
    await migrate({ url: database.ownerUrl });
    await expect(migrate({ url: database.url })).rejects.toThrow(
      "does not own the tables and may not migrate them. Set DATABASE_MIGRATION_URL to that of their owner",
    );
    await owner.sql`update schema_state set oldest_served = 9999`;
    const tooOld = "this version is too old: the database has the schema of a later version";
    const started = checkSchema(database.url);
    await expect(started).rejects.toThrow(SchemaUnfit);
    await expect(started).rejects.toThrow(tooOld);
    await expect(migrate({ url: database.url })).rejects.toThrow(tooOld);
    await expect(migrate({ url: database.ownerUrl })).rejects.toThrow(tooOld);
  });
});
