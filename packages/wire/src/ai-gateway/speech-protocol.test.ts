// Speech for the AI SDK: one JSON that is written piece by piece, whatever the pieces are.
import { expect, test } from "bun:test";
import { speechModelProtocol } from "./speech-protocol.ts";

const protocol = speechModelProtocol({ model: "a/b", specification: 4 });
const request = protocol.parse(JSON.stringify({ text: "hi", language: "en" }), new Headers());
const identity = { id: "gen-1", created: 1, model: "a/b", provider: "p" };

function open() {
  const writer = protocol.stream?.open(request, identity);
  if (writer === undefined) throw new Error("no stream");
  return writer;
}

test("each piece is sent when it comes, and all of them are one JSON", () => {
  const audio = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256));
  for (const size of [1, 2, 3, 7, 1_000]) {
    const writer = open();
    const sent: string[] = [];
    for (let at = 0; at < audio.byteLength; at += size) {
      const piece = audio.subarray(at, at + size).toString("base64");
      sent.push(
        writer.writeOwn(JSON.stringify({ type: "speech.audio.delta", audio: piece }), undefined),
      );
    }
    // At most two bytes wait for the next piece.
    expect(sent.join("").length).toBeGreaterThan(((audio.byteLength - 3) * 4) / 3);
    const answer = JSON.parse(sent.join("") + writer.writeEnd(undefined));
    expect(Buffer.from(answer.audio, "base64").equals(audio)).toBe(true);
    expect(answer.warnings).toHaveLength(1);
    expect(answer.providerMetadata.gateway.generationId).toBe("gen-1");
  }
});

test("a failure adds nothing that could be taken for an end", () => {
  const writer = open();
  const begun = writer.writeOwn(JSON.stringify({ audio: "AAAA" }), undefined);
  expect(() => JSON.parse(begun)).toThrow();
});
