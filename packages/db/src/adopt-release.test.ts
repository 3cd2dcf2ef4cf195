// A database of the last migration before release 0.1.0 continues with the release, and one of an older migration is told how
// to get there. Both are made by the migrations of their commits.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { lastBeforeRelease } from "./adopt-release.ts";
import { type Connection, connectDatabase } from "./connect.ts";
import { describeSchema } from "./describe-schema.fixture.ts";
import { journalBeforeRelease } from "./journal-before-release.fixture.ts";
import { migrate } from "./migrate.ts";
import { MigrationRefused, queryAppliedVersion, schemaVersion } from "./schema-version.ts";

/** Of migration 71. */
const olderCommit = "8cfd55361671c47167b569a42265f143469854ed";
const root = join(import.meta.dir, "../../..");

let database: TestDatabase;
let owner: Connection;
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterEach(async () => {
  await owner.close();
  await database.drop();
});

const migrateNow = () => migrate({ url: database.ownerUrl });
const readJournal = () => owner.sql`select * from drizzle.__drizzle_migrations order by id`;

async function expectRefused(sentence: string): Promise<void> {
  const before = await readJournal();
  const refused = migrateNow();
  await expect(refused).rejects.toThrow(MigrationRefused);
  await expect(refused).rejects.toThrow(sentence);
  expect(await readJournal()).toEqual(before);
}

const sentenceOf = (version: number) =>
  `the database has the schema of migration ${version}, and release 0.1.0 can only upgrade from migration 73. Check out commit ${lastBeforeRelease.commit}`;
const ofAnotherBuild = "another build made it, and no version can upgrade it";

const hasCommit = (commit: string) =>
  spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).status === 0;
const hasHistory = hasCommit(lastBeforeRelease.commit) && hasCommit(olderCommit);
if (!hasHistory) {
  console.log("skipped: this clone has no history, so that no database of an older commit is made");
}

describe.skipIf(!hasHistory)("a database that the migrations of", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "turnpike-older-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs them as the migrator of that commit did. */
  async function migrateAt(commit: string, version: number): Promise<void> {
    const archive = join(folder, "drizzle.tar");
    for (const command of [
      ["git", "archive", "--output", archive, commit, "drizzle"],
      ["tar", "-xf", archive, "-C", folder],
    ]) {
      const { status, stderr } = spawnSync(command[0] ?? "", command.slice(1), { cwd: root });
      if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
    }
    await migrate({ url: database.ownerUrl, migrationsFolder: join(folder, "drizzle") });
    await owner.sql`update schema_state set oldest_served = ${version}`;
    expect(await queryAppliedVersion(owner.sql)).toBe(version);
  }

  test("the commit before the release made keeps its journal, and becomes like a new one", async () => {
    await migrateAt(lastBeforeRelease.commit, lastBeforeRelease.number);
    const journal = await readJournal();
    expect(await migrateNow()).toEqual({ from: 73, to: schemaVersion });
    expect((await readJournal()).slice(0, journal.length)).toEqual(journal);
    expect(await migrateNow()).toEqual({ from: schemaVersion, to: schemaVersion });

    const fresh = await createTestDatabase();
    const other = connectDatabase({ url: fresh.ownerUrl, max: 1 });
    try {
      const expected = await describeSchema(other.sql);
      expect(expected.length).toBeGreaterThan(1_000);
      expect(await describeSchema(owner.sql)).toEqual(expected);
    } finally {
      await other.close();
      await fresh.drop();
    }
  });

  test("an older commit made is refused, and stays as it is", async () => {
    await migrateAt(olderCommit, 71);
    await expectRefused(sentenceOf(71));
  });
});

test("one of any older migration is refused", async () => {
  await migrateNow();
  await journalBeforeRelease(owner.sql, { number: 72 });
  await expectRefused(sentenceOf(72));
});

describe("one that another build made is refused, and not sent in circles:", () => {
  beforeEach(migrateNow);

  test("migration 73 is another one", async () => {
    await journalBeforeRelease(owner.sql, { sha256: "another build's" });
    await expectRefused(ofAnotherBuild);
  });

  test("migration 74 is another one", async () => {
    await journalBeforeRelease(owner.sql, { number: 74 });
    await expectRefused(ofAnotherBuild);
  });

  test("the journal is empty beside tables", async () => {
    await owner.sql`truncate drizzle.__drizzle_migrations`;
    await expectRefused(ofAnotherBuild);
  });

  test("there are tables without a journal", async () => {
    await owner.sql`drop table drizzle.__drizzle_migrations`;
    await expect(migrateNow()).rejects.toThrow(ofAnotherBuild);
  });
});
