// Lets a conversation begun with one upstream go on with another that accepts only its own shape of
// tool-call ids: the others are replaced, the same one always by the same, and no other byte moves.

const accepted = /^[A-Za-z0-9]{9}$/;
/** A key and its string value. Inside a string the quotes would be escaped, so only keys match. */
const callIds = /("(?:tool_call_id|id)"\s*:\s*)("(?:[^"\\]|\\.)*")/g;

/** Nine letters or digits that stand for `id`. */
function shorten(id: string): string {
  return new Bun.CryptoHasher("sha256").update(id).digest("hex").slice(0, 9);
}

/** `messages` (JSON text) with every call id that is not nine letters or digits replaced. */
export function shortenCallIds(messages: string): string {
  return messages.replace(callIds, (whole, key: string, value: string) => {
    const id = String(JSON.parse(value));
    return accepted.test(id) ? whole : `${key}"${shorten(id)}"`;
  });
}
