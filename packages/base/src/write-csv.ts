// A table as a file that spreadsheets open: RFC 4180, with nothing they would run. It begins with a byte order mark, without
// which Excel takes it for the code page of its country.

const byteOrderMark = "\ufeff";

/** How many rows a file has at most. */
export const csvRowsMax = 100_000;

/** Of at most `csvRowsMax` rows; `isCut` says that there are more, which the last line then says. */
export function writeCsv(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { isCut = false }: { readonly isCut?: boolean } = {},
): string {
  const lines = rows.map((cells) => cells.map(quote).join(","));
  const end = isCut ? [quote(cutNotice)] : [];
  return `${byteOrderMark}${[header.join(","), ...lines, ...end].join("\r\n")}\r\n`;
}

const cutNotice = `This file ends here: it has the newest ${csvRowsMax.toLocaleString("en")} rows and there are older ones. Choose a shorter time.`;

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
