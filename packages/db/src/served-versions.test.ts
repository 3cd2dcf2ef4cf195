// A version that `oldestServed` promises to serve runs on the newest schema: since its migration nothing was removed
// that its statements name, and nothing is demanded that they do not give.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createTestDatabase } from "@turnpike/testing";
import { connectDatabase } from "./connect.ts";
import { baseline, oldestServed, schemaVersion } from "./schema-version.ts";

const folder = join(import.meta.dir, "../../../drizzle");

/**
 * What each migration that older versions cannot follow breaks, by its number: the last one is `oldestServed`. The
 * baseline breaks everything before it.
 */
const breaking: Readonly<Record<number, readonly string[]>> = {
  [baseline.number]: [],
};

type Column = { type: string; notNull: boolean; default?: unknown; generated?: unknown };
type Table = {
  columns: Record<string, Column>;
  checkConstraints: Record<string, { name: string; value: string }>;
  uniqueConstraints: Record<string, unknown>;
  foreignKeys: Record<string, unknown>;
  indexes: Record<string, { isUnique: boolean; where?: string }>;
};
type Snapshot = { tables: Record<string, Table>; enums: Record<string, unknown> };

/** What in `after` fails statements that were written for `before`. */
function findBreaks(before: Snapshot, after: Snapshot): string[] {
  const breaks: string[] = [];
  for (const [name, old] of Object.entries(before.tables)) {
    const table = after.tables[name];
    if (table === undefined) breaks.push(`table ${name} is dropped`);
    else breaks.push(...findBreaksOf(old, table).map((what) => `${name}: ${what}`));
  }
  return breaks;
}

function findBreaksOf(old: Table, table: Table): string[] {
  const breaks: string[] = [];
  for (const [name, column] of Object.entries(old.columns)) {
    const now = table.columns[name];
    if (now === undefined) breaks.push(`${name} is dropped`);
    else if (now.type !== column.type) breaks.push(`${name} has another type`);
    else if (now.notNull && !column.notNull) breaks.push(`${name} is required`);
    else if (column.default !== undefined && now.default === undefined) {
      breaks.push(`${name} has no default`);
    }
  }
  const added = Object.keys(table.columns).filter((name) => !(name in old.columns));
  for (const name of added) {
    const { notNull, default: given, generated } = table.columns[name] ?? {};
    if (notNull && given === undefined && generated === undefined)
      breaks.push(`${name} is required`);
  }
  // The default of a new column satisfies its constraints, or no row could be added.
  const ofOldColumns = <Constraint>(constraints: Record<string, Constraint>) =>
    Object.fromEntries(
      Object.entries(constraints).filter(
        ([, constraint]) => !added.some((name) => namesColumn(constraint, name)),
      ),
    );
  const stricter = [
    ...findNew(old.checkConstraints, ofOldColumns(table.checkConstraints)).filter(
      (name) => !isLongerList(old.checkConstraints[name], table.checkConstraints[name]),
    ),
    ...findNew(old.uniqueConstraints, ofOldColumns(table.uniqueConstraints)),
    ...findNew(old.foreignKeys, ofOldColumns(table.foreignKeys)),
    ...findNew(onlyUnique(old.indexes), coveringOld(onlyUnique(table.indexes), table, added)),
  ];
  return [...breaks, ...stricter.map((name) => `${name} is stricter`)];
}

/** Whether a check of a column against a list of words has only been given more words. */
function isLongerList(before: unknown, after: unknown): boolean {
  const [from, to] = [parseList(before), parseList(after)];
  if (from === undefined || to === undefined || from.column !== to.column) return false;
  return from.words.every((word) => to.words.includes(word));
}

function parseList(constraint: unknown) {
  const { value = "" } = (constraint ?? {}) as { readonly value?: string };
  const [, column, list = ""] = /^(\S+) in \(('[^()]*')\)$/.exec(value) ?? [];
  return column === undefined ? undefined : { column, words: list.split(", ") };
}

/** As a name of its own in a list, or quoted within the text of a check. */
const namesColumn = (constraint: unknown, name: string) =>
  JSON.stringify(constraint).replaceAll("\\", "").includes(`"${name}"`);

const onlyUnique = (indexes: Table["indexes"]) =>
  Object.fromEntries(Object.entries(indexes).filter(([, { isUnique }]) => isUnique));

/** Without those that cover only rows in which a new column has a value: older statements leave it empty. */
const coveringOld = (indexes: Table["indexes"], { columns }: Table, added: readonly string[]) =>
  Object.fromEntries(
    Object.entries(indexes).filter(
      ([, { where = "" }]) =>
        !added.some(
          (name) =>
            columns[name]?.default === undefined &&
            new RegExp(`^(?:"\\w+"\\.)?"${name}" is not null and `).test(where),
        ),
    ),
  );

function findNew(old: Record<string, unknown>, now: Record<string, unknown>): string[] {
  return Object.keys(now).filter((name) => !Bun.deepEquals(old[name], now[name]));
}

const files = readdirSync(join(folder, "meta")).filter((name) => name.endsWith("_snapshot.json"));

async function readSnapshot(name: string | undefined): Promise<Snapshot> {
  return Bun.file(join(folder, "meta", name ?? "none")).json();
}

test("drizzle/meta has the snapshots of the newest migration and of the one before: remove the oldest", () => {
  const numbers = files.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b);
  expect(numbers).toEqual([schemaVersion - 1, schemaVersion]);
});

test("the newest migration breaks what is noted of it, and `oldestServed` is the last that breaks something", async () => {
  const [before, newest] = files.toSorted().slice(-2);
  const breaks = findBreaks(await readSnapshot(before), await readSnapshot(newest));
  // A migration that breaks statements of older versions is noted above with what this reports.
  expect(breaks).toEqual([...(breaking[schemaVersion] ?? [])]);
  // Nor is it higher than it must be: rolling upgrades would be refused for nothing.
  expect(oldestServed).toBe(Math.max(...Object.keys(breaking).map(Number)));
});

test("no migration after `oldestServed` drops, renames or revokes by hand what statements may name", async () => {
  const { entries } = await Bun.file(join(folder, "meta/_journal.json")).json();
  const found: string[] = [];
  for (const { idx, tag } of entries as { idx: number; tag: string }[]) {
    if (idx <= oldestServed) continue;
    const text = (await Bun.file(join(folder, `${tag}.sql`)).text()).replaceAll(/--.*$/gm, "");
    const breaking = /\b(DROP (?:TABLE|COLUMN|FUNCTION|VIEW|TYPE)|RENAME|REVOKE|SET NOT NULL)\b/gi;
    found.push(...[...text.matchAll(breaking)].map(([what]) => `${tag}: ${what}`));
  }
  expect(found).toEqual([]);
});

/**
 * What the version of `oldestServed` passes to each function, and reads of its answer. Raise `oldestServed` before you
 * change a line here; new arguments have defaults, and new results follow the old ones.
 */
const calls: Readonly<Record<string, { takes: string; gives: string }>> = {
  acquire_leases: {
    takes:
      "uuid boolean boolean uuid[] uuid[] uuid[] bigint[] bigint[] bigint[] bigint[] boolean[] boolean[] uuid[]",
    gives: "verdicts granted extra available elsewhere resets_ms hour_left_ms",
  },
  charge_calls: { takes: "integer text bigint[]", gives: "verdicts charged shortfalls" },
  charge_single_call: { takes: "integer text bigint", gives: "verdict charged shortfall" },
  log_calls: { takes: "integer text", gives: "" },
  release_leases: {
    takes: "uuid uuid[] uuid[] uuid[] bigint[] boolean[]",
    gives: "verdicts amounts",
  },
  post_movement: {
    takes: "uuid text text text text uuid bigint text bytea",
    gives: "posted transaction_id balance",
  },
  ensure_request_partitions: { takes: "integer", gives: "" },
  delete_unverified_persons: { takes: "integer", gives: "" },
};

test("functions are called as the version of `oldestServed` calls them", async () => {
  const database = await createTestDatabase();
  const owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  try {
    for (const [name, { takes, gives }] of Object.entries(calls)) {
      const rows = await owner.sql<{ takes: string; gives: string; required: number }[]>`
        select pronargs - pronargdefaults as required,
               (select coalesce(string_agg(format_type(t, null), ' ' order by n), '')
                  from unnest(proargtypes::oid[]) with ordinality as a (t, n)) as takes,
               (select coalesce(string_agg(argument, ' ' order by n), '')
                  from unnest(proargnames, proargmodes) with ordinality as a (argument, mode, n)
                 where mode in ('o', 't')) as gives
          from pg_proc where proname = ${name} and pronamespace = 'public'::regnamespace`;
      expect(rows).toHaveLength(1);
      expect(`${rows[0]?.takes} `).toStartWith(`${takes} `);
      expect(rows[0]?.required).toBeLessThanOrEqual(takes.split(" ").length);
      expect(`${rows[0]?.gives} `).toStartWith(`${gives} `);
    }
  } finally {
    await owner.close();
    await database.drop();
  }
});

const column = (notNull: boolean, more: object = {}): Column => ({
  type: "text",
  notNull,
  ...more,
});
const withColumns = (columns: Record<string, Column>, more: Partial<Table> = {}): Snapshot => ({
  tables: {
    t: {
      columns,
      checkConstraints: {},
      uniqueConstraints: {},
      foreignKeys: {},
      indexes: {},
      ...more,
    },
  },
  enums: {},
});

test("what breaks statements is found, and what they can live with is not", () => {
  const before = withColumns({ a: column(false), b: column(true, { default: "''" }) });
  const a = column(false);
  const b = column(true, { default: "''" });
  const breaksOf = (columns: Record<string, Column>, more: Partial<Table> = {}) =>
    findBreaks(before, withColumns(columns, more));
  const check = (value: string) => ({ checkConstraints: { c: { name: "c", value } } });
  const unique = (isUnique: boolean, where?: string) => ({
    indexes: { i: { isUnique, ...(where !== undefined && { where }) } },
  });

  expect(breaksOf({ a, b, c: column(false), d: column(true, { default: "1" }) })).toEqual([]);
  expect(breaksOf({ a, b, c: column(false) }, check('"t"."c" > 0'))).toEqual([]);
  expect(breaksOf({ a, b }, unique(false))).toEqual([]);
  const given = unique(true, '"t"."c" is not null and "t"."a" = 1');
  expect(breaksOf({ a, b, c: column(false) }, given)).toEqual([]);

  expect(findBreaks(before, { tables: {}, enums: {} })).toEqual(["table t is dropped"]);
  expect(breaksOf({ b })).toEqual(["t: a is dropped"]);
  expect(breaksOf({ a: { ...a, type: "uuid" }, b })).toEqual(["t: a has another type"]);
  expect(breaksOf({ a: column(true), b })).toEqual(["t: a is required"]);
  expect(breaksOf({ a, b: column(true) })).toEqual(["t: b has no default"]);
  expect(breaksOf({ a, b, c: column(true) })).toEqual(["t: c is required"]);
  expect(breaksOf({ a, b }, check('"t"."a" > 0'))).toEqual(["t: c is stricter"]);
  expect(breaksOf({ a, b }, unique(true))).toEqual(["t: i is stricter"]);
  const words = (list: string) =>
    withColumns(
      { a, b },
      { checkConstraints: { c: { name: "c", value: `"t"."a" in (${list})` } } },
    );
  expect(findBreaks(words("'x', 'y'"), words("'x', 'y', 'z'"))).toEqual([]);
  expect(findBreaks(words("'x', 'y'"), words("'x', 'z'"))).toEqual(["t: c is stricter"]);
  expect(breaksOf({ a, b, c: column(false, { default: "1" }) }, given)).toEqual([
    "t: i is stricter",
  ]);
});
