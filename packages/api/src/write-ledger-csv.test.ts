import { expect, test } from "bun:test";
import { harmless } from "./write-ledger-csv.ts";

test.each(["=1+1", "+1", "-1", "@x", "＝1+1", "＋1", "－1", "＠x", " =1", "\t1"])(
  "a reason that begins like a formula is text to a spreadsheet: %j",
  (reason) => {
    expect(harmless(reason)).toBe(`'${reason}`);
  },
);

test.each([
  ["a;=1+1", "a;'=1+1"],
  ["a; @x", "a; '@x"],
  ["a\t+1", "a\t'+1"],
  ["a\n-1", "a\n'-1"],
  [';"=1', ";\"'=1"],
  ["\t=1", "'\t'=1"],
])(
  "no cell begins like a formula inside a reason, whatever separates cells: %j",
  (reason, shown) => {
    expect(harmless(reason)).toBe(shown);
  },
);

test("any other reason is unchanged", () => {
  for (const reason of ["", "invoice 7", "a=b", "'=1", "a;b", "1-1; 2"]) {
    expect(harmless(reason)).toBe(reason);
  }
});
