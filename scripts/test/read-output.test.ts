import { expect, test } from "bun:test";
import { describeFailure, readOutput } from "./read-output.ts";

const output = `bun test v1

packages/a/one.test.ts:
(pass) it adds [1.00ms]

packages/a/two.test.ts:
12 |   expect(1).toBe(2);
error: expect(received).toBe(expected)
(fail) it subtracts [2.00ms]
(skip) it waits
(fail) it divides

1 tests skipped:
(skip) it waits

2 tests failed:
(fail) it subtracts [2.00ms]
(fail) it divides

 1 pass
 2 fail
`;

test("an error that no test threw is a failure of its file, with what was printed of it", () => {
  const reader = readOutput();
  reader.read(`packages/a/three.test.ts:

# Unhandled error between tests
-------------------------------
3 | throw new Error("at import");
error: at import
-------------------------------


 0 pass
 1 fail
 1 error
`);
  expect(reader.results.map(describeFailure)).toEqual([
    'packages/a/three.test.ts: an error between tests (unnamed)\n3 | throw new Error("at import");\nerror: at import',
  ]);
});

test("each test is found with its file, outcome and time, wherever a chunk ends", () => {
  for (let cut = 0; cut <= output.length; cut++) {
    const reader = readOutput();
    reader.read(output.slice(0, cut));
    reader.read(output.slice(cut));
    const found = reader.results.map(({ file, name, outcome, elapsedMs }) =>
      [file, name, outcome, elapsedMs].join(" | "),
    );
    expect(found).toEqual([
      "packages/a/one.test.ts | it adds | pass | 1",
      "packages/a/two.test.ts | it subtracts | fail | 2",
      "packages/a/two.test.ts | it waits | skip | 0",
      "packages/a/two.test.ts | it divides | fail | 0",
    ]);
    const failures = reader.results.filter(({ outcome }) => outcome === "fail");
    expect(failures.map(describeFailure)).toEqual([
      "packages/a/two.test.ts: it subtracts\n12 |   expect(1).toBe(2);\nerror: expect(received).toBe(expected)",
      "packages/a/two.test.ts: it divides",
    ]);
  }
});
