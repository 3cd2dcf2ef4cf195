// No exception of a repeating timer ends the process: they are started by `startInterval` and `tick`, which log what their task
// throws, or by the two files below, which say why they need neither.
import { expect, test } from "bun:test";
import { findMatches, isTest, readSources } from "./tidy/read-sources.ts";

const starters = [
  // Reports an error as uncaught after all other deadlines were checked: a call must not lose its deadline silently.
  "packages/base/src/deadline.ts",
  "packages/telemetry/src/start-interval.ts",
  // Subtracts two numbers, and the metrics have no log.
  "packages/telemetry/src/watch-event-loop.ts",
];

test("every repeating timer of a server survives what its task throws", () => {
  const found = readSources()
    .filter(({ path }) => path.includes("/src/") && !isTest(path))
    .filter(({ path }) => !/^(apps\/console|packages\/testing)\//.test(path))
    .flatMap((source) => findMatches(source, /\bsetInterval\(/g));
  const files = [...new Set(found.map((at) => at.split(":")[0]))].toSorted();
  expect(files).toEqual(starters);
});
