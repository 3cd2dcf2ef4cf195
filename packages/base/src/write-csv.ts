// A table as a file that spreadsheets open: RFC 4180, with nothing they would run.

export function writeCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.map(quote).join(","));
  return `${[header.join(","), ...lines].join("\r\n")}\r\n`;
}

/**
 * Spreadsheets treat a cell that begins like a formula as one, some even in full-width letters. Where they
 * separate cells by semicolons or tabs, a cell may begin inside this one, whether it is quoted or not.
 */
export function harmless(text: string): string {
  const inside = text.replace(/([;\t\r\n"] *)(?=[=+\-@＝＋－＠])/g, "$1'");
  return /^ *[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${inside}` : inside;
}

/** Leaves only numbers, dates, ids and single words unchanged. */
function quote(cell: string): string {
  return /^[\w.:/-]*$/.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}
