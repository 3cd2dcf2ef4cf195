// Tables as CSV (RFC 4180). A text that a spreadsheet would take for a formula is kept from being one.

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
