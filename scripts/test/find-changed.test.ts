// Run against this repository: its own imports, and a base that is the current commit.
import { expect, test } from "bun:test";
import { describeChanged, findChanged } from "./find-changed.ts";
import { readTestOptions } from "./test-options.ts";

test("what differs is chosen or reported, and everything else is counted as left out", () => {
  const { files, tests, untested, leftOut } = findChanged("HEAD");
  expect(tests.length + leftOut).toBeGreaterThan(800);
  if (files.length === 0) expect(tests).toEqual([]);
  expect(untested.every((file) => files.includes(file))).toBe(true);
});

test("a commit that does not exist is refused by its name", () => {
  expect(() => findChanged("no-such-commit")).toThrow(/no-such-commit/);
});

test("the report names the base, what was left out, and files that no test depends on", () => {
  const report = describeChanged({
    base: "abc",
    files: ["a.ts", "notes.txt"],
    tests: ["a.test.ts"],
    untested: ["notes.txt"],
    leftOut: 9,
  });
  expect(report).toBe(
    [
      "2 files differ from abc; 1 test files depend on them.",
      "Left out: 9 other test files. `bun run test` runs all of them.",
      "No test imports or names: notes.txt",
    ].join("\n"),
  );
});

test.each([
  [[], { files: [], changed: undefined, profile: false, long: false }],
  [["a", "b"], { files: ["a", "b"], changed: undefined, profile: false, long: false }],
  [["--changed"], { files: [], changed: { base: undefined }, profile: false, long: false }],
  [
    ["--changed", "v1", "--long"],
    { files: [], changed: { base: "v1" }, profile: false, long: true },
  ],
  [["--profile", "a"], { files: ["a"], changed: undefined, profile: true, long: false }],
])("the arguments %j are understood", (words, options) => {
  expect(readTestOptions(words)).toEqual(options);
});

test.each([
  [["--only", "a"], "no option --only"],
  [["--changed", "a", "b"], "takes one commit"],
])("the arguments %j are refused with the usage", (words, message) => {
  expect(() => readTestOptions(words)).toThrow(message);
  expect(() => readTestOptions(words)).toThrow("bun run test --changed [COMMIT]");
});
