// An answer of a verb as lines of text for people: one fact a line, one row of a list a line.
export function describeAnswer(answer: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(answer).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [`${name.padEnd(16)} ${describeValue(value)}`];
    if (value.length === 0) return [`${name.padEnd(16)} none`];
    return [`${name}:`, ...value.map((row) => `  ${describeRow(row)}`)];
  });
}

function describeRow(row: unknown): string {
  if (typeof row !== "object" || row === null) return describeValue(row);
  return Object.values(row).map(describeValue).join("  ");
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
