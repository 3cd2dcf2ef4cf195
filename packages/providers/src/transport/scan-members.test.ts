import { expect, test } from "bun:test";
import fc from "fast-check";
import { MemberScan } from "./scan-members.ts";

function scan(text: string, pieceBytes = 7) {
  const members = new MemberScan();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    members.push(bytes.subarray(at, at + pieceBytes));
  }
  return members.members;
}

test("the members of any object are read as JSON.parse reads them, however its bytes are split", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 20 }),
      fc.constantFrom(undefined, 2),
      fc.integer({ min: 1, max: 40 }),
      (object, indent, pieceBytes) => {
        const text = JSON.stringify(object, null, indent);
        expect(scan(`\n${text}\n`, pieceBytes)).toEqual(JSON.parse(text));
      },
    ),
  );
});

test("what follows a complete object is no member of it", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  for (const rest of ["\n\ndata: [DONE]\n\n", "\ndata: [DONE]", "\n[DONE]", '{"id":"b"}']) {
    expect(scan(JSON.stringify({ id: "a", usage }) + rest)).toEqual({ id: "a", usage });
  }
});

test("a member that is too long is dropped and the others stay", () => {
  const choices = [{ message: { content: '}],"usage":{"prompt_tokens":0}'.repeat(2_000) } }];
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  expect(scan(JSON.stringify({ id: "a", choices, usage }), 1_000)).toEqual({ id: "a", usage });
});

test("a member of 16 KiB is kept, and a longer one is not", () => {
  // With its name, its colon and its quotes.
  const around = '"note":""'.length;
  for (const [bytes, isKept] of [
    [16 * 1024, true],
    [16 * 1024 + 1, false],
  ] as const) {
    const note = "a".repeat(bytes - around);
    expect(scan(JSON.stringify({ id: "a", note }))).toEqual({ id: "a", ...(isKept && { note }) });
  }
});

test("text that is not one complete JSON object has no members", () => {
  for (const text of ["", "{", '{"usage":{"prompt_tokens":3', "[1,2]", "<html>", '{"a":}']) {
    expect(scan(text)).toBeUndefined();
  }
});
