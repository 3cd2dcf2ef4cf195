// A test ends when what it waits for happens: no limit of its own is so short that a busy machine, on which everything
// takes many times longer, exceeds it.
import { expect, test } from "bun:test";
import { isFixture, readSources } from "./tidy/read-sources.ts";

const leastMs = 120_000;
/** What is shorter is a timer in a test. */
const limitsFromMs = 1_000;

/** With what the limit shows. */
const shorter: Readonly<Record<string, string>> = {
  "packages/db/src/connect.test.ts": "The driver alone would connect again after twenty seconds.",
};

/** The last argument of a test or a hook, and `setDefaultTimeout`. */
const limits = /^\s*\}, ?\n?\s*([\d_]+),?\n?\s*\);$|\bsetDefaultTimeout\(([\d_]+)/gm;

const tests = readSources().filter(({ path }) => /\.test\.tsx?$/.test(path) || isFixture(path));

test("no test has a limit that a busy machine could exceed", () => {
  const short = tests.flatMap(({ path, text }) =>
    [...text.matchAll(limits)]
      .map(([, limit, standard]) => toMs(limit ?? standard))
      .filter((ms) => ms >= limitsFromMs && ms < leastMs)
      .map(() => path),
  );
  expect(short).toEqual(Object.keys(shorter));
});

test("no test gives up waiting sooner than a busy machine may need", () => {
  const waits = /\bdeadline = performance\.now\(\) \+ ([\d_]+)|\.drain\(([\d_]+)\)/g;
  const short = tests.flatMap(({ path, text }) =>
    [...text.matchAll(waits)]
      .map(([, wait, drain]) => toMs(wait ?? drain))
      .filter((ms) => ms >= limitsFromMs && ms < 60_000)
      .map(() => path),
  );
  expect(short).toEqual([]);
});

function toMs(written = ""): number {
  return Number(written.replaceAll("_", ""));
}
