// In which form the body of an answer is kept: text as it is, and audio in base64. Its type tells which, before and after.
type Headers = Readonly<Record<string, string>>;

/** Whether an answer with these headers is no text. */
export function isAudio(headers: Headers): boolean {
  return /^audio\//.test(headers["content-type"] ?? "");
}

export function encodingOf(headers: Headers): "utf8" | "base64" {
  return isAudio(headers) ? "base64" : "utf8";
}

/** The body to send of an answer that was kept. */
export function bodyToSend(headers: Headers, body: string): string | ReadableStream<Uint8Array> {
  if (!isAudio(headers)) return body;
  return new Blob([Uint8Array.from(Buffer.from(body, "base64"))]).stream();
}
