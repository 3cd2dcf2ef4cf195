// Makes any text fit for a column. Text of callers and upstreams must never be the reason why a
// hold or a settlement fails: PostgreSQL refuses NUL, and half a surrogate pair inside jsonb.

const maxChars = 512;

export function storableText(text: string): string {
  if (isStorable(text)) return text;
  return text.slice(0, maxChars).toWellFormed().replaceAll("\0", "");
}

function isStorable(text: string): boolean {
  return text.length <= maxChars && text.isWellFormed() && !text.includes("\0");
}

export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // NUL and lone surrogates are written as escapes, and no string in it is longer than the whole.
  if (json.length <= maxChars && !json.includes("\\u")) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? storableText(part) : part,
  );
}
