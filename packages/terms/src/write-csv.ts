// A table as a file that spreadsheets open: RFC 4180, with nothing they would run. It begins with a byte order mark, without
// which Excel takes it for the code page of its country.

const byteOrderMark = "\ufeff";

type Cell = string | number;

export function writeCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return byteOrderMark + [header, ...rows].map((row) => `${row.map(print).join(",")}\r\n`).join("");
}

/** Leaves only numbers, dates, ids and single words unquoted. */
function print(cell: Cell): string {
  const text = disarm(`${cell}`);
  return /^[\w.:/-]*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

/**
 * Spreadsheets treat a cell that begins like a formula as one, some even in full-width letters. Where they
 * separate cells by semicolons or tabs, a cell may begin inside this one, whether it is quoted or not. An amount
 * below zero is a number and no formula.
 */
function disarm(text: string): string {
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  const inside = text.replace(/([;\t\r\n"] *)(?=[=+\-@＝＋－＠])/g, "$1'");
  return /^ *[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${inside}` : inside;
}
