// Every fault that an upstream (FU) or a client (FC) can cause has a test that names it, so that none of
// the list is forgotten when tests are moved or rewritten.
import { expect, test } from "bun:test";
import { readSources } from "./tidy/read-sources.ts";

const faults = { FU: 26, FC: 15 };

/** The ids at the beginning of the titles of tests and of their cases: `"FU14: …"`, `"FC1, FC3: …"`. */
function readIds(text: string): readonly string[] {
  const titles = text.matchAll(/["'`]((?:F[UC]\d+(?:, )?)+): /g);
  return [...titles].flatMap(([, ids = ""]) => ids.split(", "));
}

test("every fault of an upstream and of a client is named by a test", () => {
  const named = new Set(
    readSources()
      .filter(({ path }) => /\.test\.tsx?$/.test(path) && path !== "scripts/tidy-faults.test.ts")
      .flatMap(({ text }) => readIds(text)),
  );
  const wanted = Object.entries(faults).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => `${kind}${index + 1}`),
  );
  expect(wanted.filter((id) => !named.has(id))).toEqual([]);
  expect([...named].filter((id) => !wanted.includes(id))).toEqual([]);
});

test("an id is read if a title begins with it, alone or with others", () => {
  expect(readIds('test("FU1: a"); test(`FC1, FC3: b`); test("not FU2: c"); // FU3: d')).toEqual([
    "FU1",
    "FC1",
    "FC3",
  ]);
});
