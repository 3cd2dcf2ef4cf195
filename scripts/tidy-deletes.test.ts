// No statement deletes without a bound: it names the rows it is about, or has a limit. What is over is deleted in
// slices (`deleteInSlices`), so that no job holds many locks, or takes minutes once a table has grown.
import { expect, test } from "bun:test";
import { listFiles, readSource } from "./tidy/read-sources.ts";

/** Statements whose rows another rule bounds. */
const bounded: Readonly<Record<string, string>> = {
  "drizzle/functions/ensure_request_partitions.sql":
    "what a wrong clock wrote to the default partition",
  "packages/db/src/ledger-keys.ts": "the keys of one variable",
};

/** A row or a few by their keys, or at most so many. */
const names =
  /\blimit\b|\beq\(|\binArray\(|\.where\((row\)|(by|is)[A-Z]\w*\(|\w+Of\()|= (any ?\(|\$\{|NEW\.|OLD\.|v_|p_|\w+\.id\b)/i;

function findUnbounded(text: string): string[] {
  const drizzle = text.matchAll(
    /\.delete\((?!\w*(?:[iI]d|[kK]ey|[nN]ame)\b)\w+\)\s*\.where\([^;]*;/g,
  );
  const plain = text.matchAll(/\bdelete from [^`;]*[`;]/gi);
  return [...drizzle, ...plain].map(([found]) => found).filter((found) => !names.test(found));
}

test("every statement that deletes is bounded", () => {
  const sources = [
    ...listFiles("{packages,apps}/*/src/**/*.ts").filter(
      (path) => !/\.(test|fixture)\.ts$/.test(path),
    ),
    ...listFiles("drizzle/functions/*.sql"),
  ];
  expect(sources.length).toBeGreaterThan(500);
  const unbounded = sources.filter((path) => findUnbounded(readSource(path).text).length > 0);
  expect(unbounded.toSorted()).toEqual(Object.keys(bounded).toSorted());
});

test("a delete by time alone is found, with and without the query builder", () => {
  expect(
    findUnbounded("await db.delete(sessions).where(lt(sessions.expiresAt, now));"),
  ).toHaveLength(1);
  expect(findUnbounded("sql`delete from outbox where sent_at < now()`")).toHaveLength(1);
  expect(findUnbounded("await db.delete(sessions).where(eq(sessions.id, id));")).toEqual([]);
});
