// A table of a docs page that a test generates: compared with the page, or written to it.
import { expect } from "bun:test";

/**
 * Fails unless the page at `path` has a table with these rows; the first one is its head, whose first cell finds the table.
 * With `UPDATE_DOCS=1` it is written there.
 */
export async function expectTable(path: URL, rows: readonly (readonly string[])[]): Promise<void> {
  const page = await Bun.file(path).text();
  const lines = page.split("\n");
  const from = lines.findIndex((line) => line.startsWith(`| ${rows[0]?.[0]} `));
  expect(from).not.toBe(-1);
  const length = lines.slice(from).findIndex((line) => !line.startsWith("|"));
  const after = from + length;
  if (Bun.env.UPDATE_DOCS === "1") {
    const shown = [...lines.slice(0, from), ...tableOf(rows), ...lines.slice(after)];
    await Bun.write(path, shown.join("\n"));
  } else expect(lines.slice(from, after)).toEqual(tableOf(rows));
}

function tableOf(rows: readonly (readonly string[])[]): string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...body].map(line);
}
