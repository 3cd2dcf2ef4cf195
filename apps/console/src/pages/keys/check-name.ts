// The name of a key, as a form checks it; the server checks it again.

const nameMax = 64;

export function checkName(name: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return "Enter a name for this key.";
  return [...trimmed].length > nameMax ? "Use at most 64 characters." : undefined;
}
