// A table of text: a line of titles, then one line a row, each column as wide as its widest cell.

export type TextColumn = {
  readonly title: string;
  /** Figures end below each other. */
  readonly isEnd?: boolean;
};

const gap = "  ";

export function writeTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const write = (cells: readonly string[]) =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return columns[at]?.isEnd ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(gap)
      .trimEnd();
  return [write(columns.map(({ title }) => title)), ...rows.map(write)];
}
