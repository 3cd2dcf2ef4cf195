// What of a relayed stream counts as delivered: a client that leaves before the first word has got nothing.
import { expect, test } from "bun:test";
import { MessageStream } from "./message-stream.ts";
import { ownCall } from "./sample-messages-call.fixture.ts";

test("the beginning of a message delivers no tokens, its text does", () => {
  const options = { maxEventBytes: 10_000, headers: new Headers() };
  const stream = new MessageStream(ownCall({ stream: true }), options);
  const events = [
    { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 3 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "four words of text" },
    },
  ];
  const tokens = events.map((event) => {
    const bytes = Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
    const chunks = stream.push(bytes).filter(({ kind }) => kind === "chunk");
    return chunks.reduce((sum, chunk) => sum + ("tokens" in chunk ? chunk.tokens : 0), 0);
  });
  expect(tokens.slice(0, 2)).toEqual([0, 0]);
  expect(tokens[2]).toBeGreaterThan(0);
});
