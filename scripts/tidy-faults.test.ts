// Every fault that an upstream (FU), a client (FC), the database (FD), shared rate limits (FR), the process (FX) or
// another service (FS) can cause, and every way in which the money is tested (T), has a test that names it, so that
// none is forgotten when tests are moved or rewritten. docs/reliability.md names a test for each row of its table. The T are: 1 a
// model, 2 races near zero, 3 kill -9, 4 faults of PostgreSQL, 5 lost answers, 6 histories of payments,
// 7 clocks, 8 answers cut at any byte.
import { expect, test } from "bun:test";
import { readSource, readSources } from "./tidy/read-sources.ts";

const documented = { FD: 13, FR: 3, FX: 10, FS: 7 };
const named = { FU: 26, FC: 15, ...documented, T: 8 };

/** The ids at the beginning of the titles of tests and of their cases: `"FU14: …"`, `"FC1, FC3: …"`. */
function readIds(text: string): readonly string[] {
  const titles = text.matchAll(/["'`]((?:(?:F[UCDRXS]|T)\d+(?:, )?)+): /g);
  return [...titles].flatMap(([, ids = ""]) => ids.split(", "));
}

const idsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => `${kind}${index + 1}`),
  );

test("every fault and every way to test the money is named by a test", () => {
  const found = new Set(
    readSources()
      .filter(({ path }) => /\.test\.tsx?$/.test(path) && path !== "scripts/tidy-faults.test.ts")
      .flatMap(({ text }) => readIds(text)),
  );
  const wanted = idsOf(named);
  expect(wanted.filter((id) => !found.has(id))).toEqual([]);
  expect([...found].filter((id) => !wanted.includes(id))).toEqual([]);
});

test("docs/reliability.md has a row for each fault, with a test that names it", () => {
  const { text } = readSource("docs/reliability.md");
  const rows = [...text.matchAll(/^\| (F[A-Z]\d+) +\|.*\| `(\S+)` +\|$/gm)];
  expect(rows.map(([, id]) => id)).toEqual(idsOf(documented));
  const unnamed = rows.filter(
    ([, id = "", path = ""]) => !readIds(readSource(path).text).includes(id),
  );
  expect(unnamed.map(([row]) => row)).toEqual([]);
});

test("an id is read if a title begins with it, alone or with others", () => {
  const text = 'test("FU1: a"); test(`FC1, FC3: b`); test("not FU2: c"); test("T2: d"); // FU3: e';
  expect(readIds(text)).toEqual(["FU1", "FC1", "FC3", "T2"]);
});
