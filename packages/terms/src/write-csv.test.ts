// What a spreadsheet makes of a file: no cell is a formula, whatever separates cells where it is opened.
import { expect, test } from "bun:test";
import { writeCsv } from "./write-csv.ts";

const linesOf = (file: string) => file.replace("\ufeff", "").split("\r\n");

/** The only cell of a file, without its quotation marks. */
function cellOf(text: string): string {
  const [, ...lines] = writeCsv(["x"], [[text]]).split("x\r\n");
  return lines
    .join("x\r\n")
    .replace(/\r\n$/, "")
    .replace(/^"([\s\S]*)"$/, "$1")
    .replaceAll('""', '"');
}

test.each(["=1+1", "+1", "-1+1", "-a", "@x", "＝1+1", "＋1", "－1", "＠x", " =1", "\t1"])(
  "a text that begins like a formula is text to a spreadsheet: %j",
  (text) => {
    expect(cellOf(text)).toBe(`'${text}`);
  },
);

test.each([
  ["a;=1+1", "a;'=1+1"],
  ["a; @x", "a; '@x"],
  ["a\t+1", "a\t'+1"],
  ["a\n-1", "a\n'-1"],
  [';"=1', ";\"'=1"],
  ["\t=1", "'\t'=1"],
  ['x;=HYPERLINK("http://a.test")', 'x;\'=HYPERLINK("http://a.test")'],
])("no cell begins like a formula inside a text, whatever separates cells: %j", (text, shown) => {
  expect(cellOf(text)).toBe(shown);
});

test("any other text is unchanged, and so are amounts below zero", () => {
  for (const text of ["", "invoice 7", "a=b", "'=1", "a;b", "1-1; 2", "-0.5", "-12"]) {
    expect(cellOf(text)).toBe(text);
  }
});

test("names of columns are written as carefully as cells", () => {
  expect(linesOf(writeCsv(["from", "=1+1", 'a "b", c'], [["2026-03-10", -0.5, 3]]))).toEqual([
    `from,"'=1+1","a ""b"", c"`,
    "2026-03-10,-0.5,3",
    "",
  ]);
});

test("a file begins with a byte order mark, and its lines end as the RFC says", () => {
  expect(writeCsv(["day", "calls"], [["2026-03-10", 3]])).toBe(
    "\ufeffday,calls\r\n2026-03-10,3\r\n",
  );
});
