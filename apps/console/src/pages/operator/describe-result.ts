// The result of a job or a verb, whatever its shape, as a line of text.

/** `queue mail, waiting 3; queue webhooks, waiting 0`: what is missing or empty is left out. */
export function describeResult(result: unknown): string {
  if (result === null) return "";
  if (typeof result !== "object") return String(result);
  if (Array.isArray(result)) return result.map(describeResult).filter(Boolean).join("; ");
  return Object.entries(result)
    .map(([name, value]) => [splitWords(name), describeResult(value)] as const)
    .flatMap(([name, text]) => (text === "" ? [] : [`${name} ${text}`]))
    .join(", ");
}

/** `overdueMs` as `overdue ms`. */
export function splitWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
