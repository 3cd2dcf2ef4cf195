// The payloads of a stream of server-sent events. However the network cuts it, the same payloads
// come out, none twice and none partial; what broke off inside an event is dropped.

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const payload = payloadOf(part);
        if (payload !== "") yield payload;
      }
    }
  } finally {
    // Whoever stops listening also stops the answer.
    await reader.cancel().catch(() => undefined);
  }
}

function payloadOf(event: string): string {
  return event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(line.startsWith("data: ") ? 6 : 5))
    .join("\n");
}
