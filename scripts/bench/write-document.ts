// Puts the report of a run into docs/benchmarks.md, between the markers of its figures.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const documentPath = join(import.meta.dirname, "../../docs/benchmarks.md");
const marked = /(<!-- figures: begin[^\n]*-->\n)[\s\S]*(\n<!-- figures: end -->)/;

export function writeDocument(report: string): void {
  const text = readFileSync(documentPath, "utf8");
  if (!marked.test(text)) throw new Error("docs/benchmarks.md has lost the markers of its figures");
  writeFileSync(
    documentPath,
    text.replace(marked, (_, begin: string, end: string) => `${begin}\n${report}\n${end}`),
  );
}
