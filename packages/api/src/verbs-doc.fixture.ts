// Writes the table of verbs into docs/operator.md: `bun packages/api/src/verbs-doc.fixture.ts`. A test compares the
// file with what this writes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { verbNames, verbOf } from "@turnpike/operator";

export const operatorDoc = join(import.meta.dirname, "../../../docs/operator.md");
const begin = "<!-- verbs -->\n";
const end = "<!-- end of verbs -->";

export function withVerbs(text: string): string {
  const [before = "", rest = ""] = text.split(begin);
  return `${before}${begin}${writeVerbs()}${end}${rest.split(end)[1] ?? ""}`;
}

function writeVerbs(): string {
  const rows = verbNames.map((name) => {
    const verb = verbOf(name);
    const roles = verb?.roles.length === 4 ? "all" : verb?.roles.join(", ");
    const command = verb?.commandName === undefined ? "" : `, \`admin ${verb.commandName}\``;
    return [`\`${name}\`${command}`, `${verb?.kind}`, `${roles}`, `${verb?.summary}`];
  });
  return alignTable([["verb", "kind", "roles", "what"], ["", "", "", ""], ...rows]);
}

/** The second row separates the head. */
function alignTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row, index) =>
      row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0, index === 1 ? "-" : " ")),
    )
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("");
}

if (import.meta.main) await Bun.write(operatorDoc, withVerbs(readFileSync(operatorDoc, "utf8")));
