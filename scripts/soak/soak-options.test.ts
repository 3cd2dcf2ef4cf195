// The command line of a soak: a bound is always set, and nonsense is refused.
import { expect, test } from "bun:test";
import { readSoakOptions } from "./soak-options.ts";

test("without options it lasts ten minutes, and with a number of calls as long as they take", () => {
  expect(readSoakOptions([])).toEqual({
    minutes: 10,
    calls: Infinity,
    seed: 1,
    callers: 32,
    citus: false,
    models: false,
  });
  const options = { minutes: Infinity, calls: 1_000, seed: 1, callers: 32 };
  expect(readSoakOptions(["--calls", "1000"])).toMatchObject(options);
  expect(readSoakOptions(["--models"])).toMatchObject({ models: true });
});

test.each([
  ["--minutes", "none"],
  ["--seed", "0"],
  ["--callers", "-1"],
  ["--rounds", "3"],
])("%s %s is refused", (option, value) => {
  expect(readSoakOptions([option, value])).toBeString();
});
