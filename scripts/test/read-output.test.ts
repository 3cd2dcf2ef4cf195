import { expect, test } from "bun:test";
import { collectFailures } from "./collect-failures.ts";

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

test("each failed test is found with its file and its error, wherever a chunk ends", () => {
  for (let cut = 0; cut <= output.length; cut++) {
    const failures = collectFailures();
    failures.read(output.slice(0, cut));
    failures.read(output.slice(cut));
    expect(failures.found).toEqual([
      "packages/a/two.test.ts: it subtracts [2.00ms]\n12 |   expect(1).toBe(2);\nerror: expect(received).toBe(expected)",
      "packages/a/two.test.ts: it divides",
    ]);
  }
});
