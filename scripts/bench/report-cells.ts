// The table of heap cells, as Markdown.
import { budgetOf } from "./cell-budgets.ts";
import { type CellFigures, totalOf } from "./measure-cells.ts";

/** One line per kind of call: all its cells, its budget, and what they are, most first. */
export function reportCells(figures: CellFigures): readonly (readonly string[])[] {
  const lines = [...figures].map(([kind, cells]) => [
    kind,
    totalOf(cells).toFixed(1),
    String(budgetOf(kind)),
    [...cells]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 12)
      .map(([type, count]) => `${type} ${count.toFixed(1)}`)
      .join(", "),
  ]);
  return [["heap cells", "all", "budget", "by type"], ...lines];
}
