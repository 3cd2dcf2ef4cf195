import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { createMemoryStore } from "./file-bytes.ts";
import {
  faultOf,
  filePart,
  formBody,
  inPieces,
  type SamplePart,
  sampleType,
  textPart,
} from "./form-body.fixture.ts";
import { type MultipartOptions, readMultipart } from "./read-multipart.ts";

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const bounds: MultipartOptions = {
  maxBytes: 30 * mebibyte,
  files: { file: { maxBytes: mebibyte } },
};

/** Delivers a body and says how much of it was asked for. */
async function deliver(body: Uint8Array, options: Partial<MultipartOptions> = {}) {
  let delivered = 0;
  let isOpen = true;
  async function* pieces() {
    try {
      for await (const piece of inPieces(body, kibibyte)) {
        delivered += piece.length;
        yield piece;
      }
    } finally {
      isOpen = false;
    }
  }
  const reading = readMultipart(pieces(), sampleType, { ...bounds, ...options });
  const result = await reading.catch((thrown: unknown) => thrown);
  return { result, delivered, isOpen };
}

const long = (name: string, bytes: number): SamplePart => textPart(name, "x".repeat(bytes));

test.each([
  ["64 parts", Array.from({ length: 64 }, (_, index) => textPart(`f${index}`, ""))],
  ["64 KiB of a text", [long("prompt", 64 * kibibyte)]],
  ["a file of its bound", [filePart("file", new Uint8Array(mebibyte))]],
] as const)("%s are read", async (_, parts) => {
  const { result } = await deliver(formBody(parts));
  expect(result).not.toBeInstanceOf(Error);
});

test.each([
  [
    "65 parts",
    Array.from({ length: 65 }, (_, index) => textPart(`f${index}`, "")),
    "64 parts",
    undefined,
  ],
  ["more than 64 KiB of a text", [long("prompt", 64 * kibibyte + 1)], "64 KiB", "prompt"],
  ["a file above its bound", [filePart("file", new Uint8Array(mebibyte + 1))], "1 MiB", "file"],
] as const)("%s are refused with 413 and the limit", async (_, parts, limit, param) => {
  const { result } = await deliver(formBody(parts));
  expect(result).toBeInstanceOf(Fault);
  const fault = result as Fault;
  expect([fault.code, fault.details.param]).toEqual(["request_too_large", param]);
  expect(fault.message).toContain(limit);
});

test("a body is read no further than its bound, and its sender is told so", async () => {
  const body = formBody([filePart("file", new Uint8Array(mebibyte))]);
  const { result, delivered, isOpen } = await deliver(body, { maxBytes: 100 * kibibyte });
  expect((result as Fault).message).toBe("The request body is larger than 100 KiB.");
  expect(delivered).toBe(101 * kibibyte);
  expect(isOpen).toBe(false);
});

test("a file is read no further than its bound", async () => {
  const body = formBody([filePart("file", new Uint8Array(3 * mebibyte))]);
  const { delivered, isOpen } = await deliver(body);
  expect(delivered).toBeLessThan(mebibyte + 3 * kibibyte);
  expect(isOpen).toBe(false);
});

test("headers of a part are read up to 8 KiB", async () => {
  const name = 'Content-Disposition: form-data; name="n"\r\nX-Filler: ';
  const ofLength = (bytes: number) => name + "x".repeat(bytes - name.length);
  const fits = formBody([{ head: ofLength(8 * kibibyte - 4), body: "1" }]);
  expect((await deliver(fits)).result).toMatchObject({ fields: { n: "1" } });
  const endless = formBody([{ head: ofLength(mebibyte), body: "1" }]);
  const { result, delivered } = await deliver(endless);
  expect((result as Fault).message).toContain("8 KiB of headers");
  expect(delivered).toBeLessThan(11 * kibibyte);
});

test("what never becomes a boundary is read up to 8 KiB", async () => {
  const { result, delivered } = await deliver(new Uint8Array(mebibyte));
  expect((result as Fault).code).toBe("malformed_request");
  expect(delivered).toBeLessThan(10 * kibibyte);
});

test("a body that breaks off is the client's fault", async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield formBody([]).slice(0, 10);
    throw new Error("connection reset");
  }
  const fault = await readMultipart(broken(), sampleType, bounds).catch((thrown) => thrown);
  expect(fault).toMatchObject({ code: "client_closed_request" });
});

test("what a form holds is told as it grows, and a refusal of it ends the reading", async () => {
  const held: number[] = [];
  const onGrowth = (bytes: number) => {
    held.push(bytes);
    if (bytes > 10 * kibibyte) throw new Fault("overloaded", "No room.");
  };
  const body = formBody([filePart("file", new Uint8Array(mebibyte))]);
  const { result, delivered, isOpen } = await deliver(body, { onGrowth });
  expect((result as Fault).code).toBe("overloaded");
  expect([delivered, isOpen]).toEqual([11 * kibibyte, false]);
  expect(held.toSorted((one, other) => one - other)).toEqual(held);
});

test("a reader that gives up ends a body that never goes on", async () => {
  const giving = new AbortController();
  const reason = new Fault("request_timeout", "Too late.");
  async function* stuck(): AsyncGenerator<Uint8Array> {
    yield formBody([]).slice(0, 10);
    queueMicrotask(() => giving.abort(reason));
    await new Promise(() => undefined);
  }
  const options = { ...bounds, signal: giving.signal };
  expect(await readMultipart(stuck(), sampleType, options).catch((thrown) => thrown)).toBe(reason);
  const body = inPieces(formBody([textPart("n", "1")]));
  expect(await readMultipart(body, sampleType, options).catch((thrown) => thrown)).toBe(reason);
});

test.each([1, 1_000, 100_000])(
  "a file that its first bytes refuse is read to its end in pieces of %d bytes, and nothing of it is kept",
  async (pieceBytes) => {
    const store = createMemoryStore();
    const heads: string[] = [];
    const checkHead = (field: string, head: Uint8Array) => {
      heads.push(`${field} of ${head.byteLength}`);
      throw new Fault("invalid_audio", "No.", { param: field });
    };
    const body = formBody([filePart("file", "x".repeat(50_000)), textPart("n", "1")]);
    let pieces = 0;
    async function* counted() {
      for await (const piece of inPieces(body, pieceBytes)) {
        pieces += 1;
        yield piece;
      }
    }
    const fault = await faultOf(
      readMultipart(counted(), sampleType, { ...bounds, store, checkHead }),
    );
    expect(fault).toMatchObject({ code: "invalid_audio", details: { param: "file" } });
    expect(heads).toEqual(["file of 4096"]);
    expect(pieces).toBe(Math.ceil(body.length / pieceBytes));
    expect(store.memoryBytes).toBeLessThan(4_096);
  },
);

test("a file that is shorter than what is checked of it is for the caller to check", async () => {
  const checkHead = () => {
    throw new Fault("invalid_audio", "No.");
  };
  const body = inPieces(formBody([filePart("file", "x".repeat(4_095))]));
  const { files } = await readMultipart(body, sampleType, { ...bounds, checkHead });
  expect(files[0]?.bytes.size).toBe(4_095);
});
