// A name for a tool call whose upstream gave none: clients answer calls by id, so it must exist.

/** OpenAI's shape: `call_` and 24 letters or digits. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
