// Tables as CSV (RFC 4180). Texts that a spreadsheet would run as formulas are escaped.

export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: string | number): string {
  const text =
    typeof value === "string" && /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? guard(value) : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Negative amounts are numbers, not formulas. */
function guard(text: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) ? text : `'${text}`;
}
