// Files in a body of JSON: their base64 is that of the whole file, however its bytes arrived, and the length is known before.
import { expect, test } from "bun:test";
import { bytesInMemory, ChunkList } from "./file-bytes.ts";
import { writeJsonUpload } from "./write-json-upload.ts";

function fileOf(...chunks: readonly Uint8Array[]) {
  const list = new ChunkList();
  for (const chunk of chunks) list.push(chunk);
  return bytesInMemory(list);
}

const large = (length: number, fill: number) => new Uint8Array(length).fill(fill);

async function send(body: ReturnType<typeof writeJsonUpload>) {
  const bytes = Buffer.from(await new Response(body.stream()).arrayBuffer());
  expect(bytes.length).toBe(body.contentLength);
  return bytes.toString();
}

test.each([0, 1, 2, 3, 4])(
  "a file of %p more bytes than whole groups is encoded whole",
  async (more) => {
    const chunks = [large(20_000, 1), large(20_001, 2), large(16_384 + more, 3)];
    const body = writeJsonUpload((place) => ({
      before: "é",
      data: place(fileOf(...chunks)),
      after: 1,
    }));
    const expected = { before: "é", data: Buffer.concat(chunks).toString("base64"), after: 1 };
    expect(JSON.parse(await send(body))).toEqual(expected);
  },
);

test("several files stand each in its own place, every time that the body is sent", async () => {
  const [first, second] = [fileOf(Buffer.from("first")), fileOf(Buffer.from("second"))];
  const body = writeJsonUpload((place) => [place(second), { data: place(first) }, place(second)]);
  const [a, b] = [Buffer.from("first"), Buffer.from("second")].map((one) => one.toString("base64"));
  for (const _ of ["sent", "sent again"]) {
    expect(JSON.parse(await send(body))).toEqual([b, { data: a }, b]);
  }
  expect(body.contentType).toBe("application/json");
});

test("a body without files is the JSON itself", async () => {
  expect(await send(writeJsonUpload(() => ({ text: "no file" })))).toBe('{"text":"no file"}');
});
