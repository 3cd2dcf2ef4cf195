// Tables as CSV (RFC 4180). Texts that a spreadsheet would run as formulas are escaped, also those that begin
// in the middle of a cell where lists are separated by semicolons or tabs.

export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Leaves only numbers, dates, ids and single words unchanged. */
function cell(value: string | number): string {
  const text = typeof value === "string" ? guard(value) : `${value}`;
  return /^[\w.:/-]*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

/** Negative amounts are numbers, not formulas. */
function guard(text: string): string {
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  const inside = text.replace(/([;\t\r\n"] *)(?=[=+\-@＝＋－＠])/g, "$1'");
  return /^ *[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${inside}` : inside;
}
