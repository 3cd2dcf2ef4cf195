import { expect, test } from "bun:test";
import { harmless } from "./write-ledger-csv.ts";

test.each(["=1+1", "+1", "-1", "@x", "＝1+1", "＋1", "－1", "＠x", "\t=1", "\r=1", "\n=1"])(
  "a reason that begins like a formula is text to a spreadsheet: %j",
  (reason) => {
    expect(harmless(reason)).toBe(`'${reason}`);
  },
);

test("any other reason is unchanged", () => {
  for (const reason of ["", "invoice 7", "a=b", "'=1"]) expect(harmless(reason)).toBe(reason);
});
