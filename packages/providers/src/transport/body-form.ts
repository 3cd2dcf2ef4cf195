// Whether a body is one JSON or a stream of events, by how it begins: some servers give one the content type of the
// other, or none.

const openings: ReadonlySet<number> = new Set([0x7b, 0x5b]);
/** White space, and the bytes of a byte order mark. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** By its first bytes that are not blank; undefined while all are. */
export function beginsAsJson(bytes: Uint8Array): boolean | undefined {
  for (const byte of bytes) if (!blanks.has(byte)) return openings.has(byte);
  return undefined;
}

/** Whether it begins with a field or a comment of an event. */
export function beginsAsEvents(text: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(text);
}

/** The JSON that is a whole body. Some servers that do not stream end it as those that do. */
export function withoutDone(text: string): string {
  const body = text.trimEnd();
  if (!body.endsWith("[DONE]")) return text;
  const at = body.lastIndexOf("\n");
  return /^data:\s*\[DONE\]$/.test(body.slice(at + 1)) ? body.slice(0, Math.max(at, 0)) : text;
}
