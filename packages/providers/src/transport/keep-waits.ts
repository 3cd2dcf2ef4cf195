// What is kept of the headers of a streamed answer: they stay in memory as long as it runs, and an error inside it
// needs only the wait they name.

const waitNames = ["retry-after", "retry-after-ms"] as const;
/** Nearly every answer names none. */
const none = new Headers();

export function keepWaits(headers: Headers): Headers {
  if (!waitNames.some((name) => headers.has(name))) return none;
  const kept = new Headers();
  for (const name of waitNames) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}
