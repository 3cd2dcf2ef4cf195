import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import fc from "fast-check";
import {
  faultOf,
  formBody,
  inPieces,
  sampleBoundary,
  sampleType,
  textPart,
} from "./form-body.fixture.ts";
import { readMultipart } from "./read-multipart.ts";

const bounds = { maxBytes: 1024 * 1024, files: {}, shapes: { n: "number" } } as const;
const sample = formBody([textPart("n", "1")]);

test.each([
  ["without a disposition", "Content-Type: text/plain"],
  ["with an attachment", 'Content-Disposition: attachment; name="a"'],
  ["without a name", "Content-Disposition: form-data; filename=a"],
  ["with two names", 'Content-Disposition: form-data; name="a"; name="b"'],
  [
    "with two dispositions",
    'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"',
  ],
  ["with a folded header", 'Content-Disposition: form-data;\r\n name="a"'],
  ["with a bare line feed", 'Content-Disposition: form-data; name="a"\nX: y'],
  ["with an open quotation", 'Content-Disposition: form-data; name="a'],
  ["in base64", 'Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'],
  [
    "with parts of its own",
    'Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=c',
  ],
])("a part %s is refused", async (_, head) => {
  expect(
    (await faultOf(readMultipart(inPieces(formBody([{ head, body: "1" }])), sampleType, bounds)))
      .code,
  ).toBe("malformed_request");
});

test.each([
  ["multipart/form-data", "malformed_request"],
  ["multipart/form-data; boundary=", "malformed_request"],
  ["multipart/form-data; boundary=a; boundary=b", "malformed_request"],
  [`multipart/form-data; boundary=${"b".repeat(71)}`, "malformed_request"],
  ['multipart/form-data; boundary="a "', "malformed_request"],
  ['multipart/form-data; boundary="a\\"b"', "malformed_request"],
  ["multipart/form-data; boundary=a; x", "malformed_request"],
  ["multipart/mixed; boundary=a", "unsupported_media_type"],
  ["application/json", "unsupported_media_type"],
  [null, "unsupported_media_type"],
] as const)("the content type %j is refused", async (type, code) => {
  expect((await faultOf(readMultipart(inPieces(sample), type, bounds))).code).toBe(code);
});

test("a boundary of 70 characters that RFC 2046 allows is read", async () => {
  const boundary = `'()+_,-./:=? ${"b".repeat(57)}`;
  const body = inPieces(formBody([textPart("n", "1")], boundary), 9);
  const { fields } = await readMultipart(
    body,
    `multipart/form-data; boundary="${boundary}"`,
    bounds,
  );
  expect(fields).toEqual({ n: 1 });
});

test("a boundary without a line end after it is refused", async () => {
  const body = Buffer.from(
    Buffer.from(sample).toString().replace(`${sampleBoundary}\r\n`, `${sampleBoundary}\n`),
  );
  expect((await faultOf(readMultipart(inPieces(body), sampleType, bounds))).code).toBe(
    "malformed_request",
  );
});

test("no bytes do anything but become a form or a refusal", async () => {
  const bit = fc.oneof(
    fc
      .constantFrom(
        `--${sampleBoundary}`,
        `\r\n--${sampleBoundary}`,
        "\r\n",
        "\r\n\r\n",
        "--",
        'Content-Disposition: form-data; name="n"',
        '; filename="a.png"',
        "Content-Type: text/plain",
      )
      .map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  );
  const body = fc.array(bit, { maxLength: 16 }).map((bits) => Buffer.concat(bits));
  const files = { n: { maxBytes: 20 } };
  await fc.assert(
    fc.asyncProperty(body, fc.integer({ min: 1, max: 30 }), async (bytes, pieceBytes) => {
      const reading = readMultipart(inPieces(bytes, pieceBytes), sampleType, { ...bounds, files });
      const result = await reading.catch((thrown: unknown) => thrown);
      if (result instanceof Error) expect(result).toBeInstanceOf(Fault);
    }),
    { numRuns: 2_000 },
  );
});
