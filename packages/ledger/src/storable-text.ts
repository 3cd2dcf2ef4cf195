// Makes any text fit for a column. Text of callers and upstreams must never be the reason why a
// hold or a settlement fails: PostgreSQL refuses NUL, and half a surrogate pair inside jsonb.

const maxChars = 512;

export function storableText(text: string): string {
  return text.slice(0, maxChars).toWellFormed().replaceAll("\0", "");
}

export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? storableText(part) : part,
  );
}
