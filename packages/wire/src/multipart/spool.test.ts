import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf, filePart, formBody, inPieces, sampleType } from "./form-body.fixture.ts";
import { openSpool } from "./open-spool.ts";
import { type MultipartForm, readMultipart } from "./read-multipart.ts";

const mebibyte = 1024 * 1024;
const bounds = {
  maxBytes: 30 * mebibyte,
  files: { file: { maxBytes: 25 * mebibyte, maxCount: 16 } },
};
const directory = mkdtempSync(join(tmpdir(), "turnpike-spool-"));
afterAll(() => rmSync(directory, { recursive: true }));

function pattern(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => (index * 31 + (index >> 8)) & 0xff);
}

async function contentsOf({ files }: MultipartForm): Promise<Buffer[]> {
  return Promise.all(files.map(({ bytes }) => bytesOf(bytes.chunks())));
}

test("files up to 1 MiB stay in memory, what exceeds it is written to disk, and both read the same twice", async () => {
  const bodies = [pattern(mebibyte - 1), pattern(3 * mebibyte + 5), pattern(1)];
  const spool = openSpool({ directory });
  const body = formBody(bodies.map((contents) => filePart("file", contents)));
  const form = await readMultipart(inPieces(body, 50_000), sampleType, { ...bounds, store: spool });
  expect(form.files.map(({ bytes }) => bytes.place.kind)).toEqual(["memory", "file", "memory"]);
  expect(form.files.map(({ bytes }) => bytes.size)).toEqual(bodies.map(({ length }) => length));
  for (const { bytes } of form.files) {
    const whole = await bytesOf(bytes.chunks());
    expect(whole.subarray(0, bytes.head.length).equals(bytes.head)).toBe(true);
    expect(bytes.head.length).toBe(Math.min(whole.length, 65_536));
  }
  for (const read of [await contentsOf(form), await contentsOf(form)]) {
    expect(read.map((contents, index) => contents.equals(bodies[index] ?? pattern(0)))).toEqual([
      true,
      true,
      true,
    ]);
  }
  await spool.close();
});

test("a temporary file has no name, so nothing is left even if the process is killed", async () => {
  const spool = openSpool({ directory, memoryMaxBytes: 10 });
  const body = inPieces(formBody([filePart("file", pattern(mebibyte))]));
  const { files } = await readMultipart(body, sampleType, { ...bounds, store: spool });
  expect(files[0]?.bytes.place.kind).toBe("file");
  expect(readdirSync(directory)).toEqual([]);
  await spool.close();
});

test("a file cannot be read once its call has ended, even if its descriptor is that of another call", async () => {
  const body = formBody([filePart("file", pattern(mebibyte))]);
  const read = async () => {
    const spool = openSpool({ directory, memoryMaxBytes: 10 });
    const { files } = await readMultipart(inPieces(body), sampleType, { ...bounds, store: spool });
    return { spool, bytes: files[0]?.bytes };
  };
  const first = await read();
  const begun = first.bytes?.chunks()[Symbol.asyncIterator]();
  await begun?.next();
  await first.spool.close();
  const second = await read();
  expect(second.bytes?.place).toEqual(first.bytes?.place);
  await expect(Promise.resolve(begun?.next())).rejects.toThrow("closed");
  await second.spool.close();
});

test("what is written to disk is counted before it is, and no longer once the files are deleted", async () => {
  let disk = 0;
  const onDisk = (bytes: number) => {
    disk += bytes;
  };
  const spool = openSpool({ directory, onDisk });
  const body = formBody([filePart("file", pattern(10)), filePart("file", pattern(3 * mebibyte))]);
  await readMultipart(inPieces(body, 50_000), sampleType, { ...bounds, store: spool });
  expect(disk).toBe(3 * mebibyte);
  await spool.close();
  await spool.close();
  expect(disk).toBe(0);
});

test("a file for which there is no room on disk is not written", async () => {
  const counted: number[] = [];
  const onDisk = (bytes: number) => {
    if (bytes > 0 && counted.length === 2) throw new Error("no room");
    counted.push(bytes);
  };
  const spool = openSpool({ directory, onDisk });
  const body = inPieces(formBody([filePart("file", pattern(9 * mebibyte))]), 50_000);
  const reading = readMultipart(body, sampleType, { ...bounds, store: spool });
  await expect(reading).rejects.toThrow("no room");
  await spool.close();
  const [first = 0, second = 0, given] = counted;
  expect(given).toBe(-(first + second));
});

test.each(["ENOSPC", "EDQUOT"])("a full disk (%s) is an overload", async (code) => {
  const writeFile = () => Promise.reject(Object.assign(new Error(code), { code }));
  const spool = openSpool({ directory, writeFile });
  const body = inPieces(formBody([filePart("file", pattern(2 * mebibyte))]), 50_000);
  const reading = readMultipart(body, sampleType, { ...bounds, store: spool });
  await expect(reading).rejects.toMatchObject({ code: "overloaded" });
  await spool.close();
});

/** 25 MiB that are never in memory at once, each piece with memory of its own. */
async function* largeBody(): AsyncGenerator<Uint8Array> {
  const [head = "", tail = ""] = Buffer.from(formBody([filePart("file", "*")]))
    .toString()
    .split("*");
  yield Buffer.from(head);
  for (let sent = 0; sent < 25 * mebibyte; sent += 65_536)
    yield new Uint8Array(65_536).fill(sent >> 16);
  yield Buffer.from(tail);
}

test("memory stays flat while many uploads of 25 MiB are held", async () => {
  const spools = Array.from({ length: 12 }, () => openSpool({ directory }));
  const held: number[] = [];
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const forms: MultipartForm[] = [];
  for (const store of spools) {
    const onGrowth = (bytes: number) => held.push(bytes);
    forms.push(await readMultipart(largeBody(), sampleType, { ...bounds, store, onGrowth }));
  }
  Bun.gc(true);
  const grown = process.memoryUsage.rss() - before;
  expect(forms.map(({ files }) => files[0]?.bytes.size)).toEqual(spools.map(() => 25 * mebibyte));
  expect(Math.max(...held)).toBeLessThan(mebibyte + 65_537);
  // All of them together are 300 MiB.
  expect(grown).toBeLessThan(100 * mebibyte);
  await Promise.all(spools.map((spool) => spool.close()));
});

test("what was written to disk is not kept in memory while the rest arrives", async () => {
  const spool = openSpool({ directory });
  const arrived: WeakRef<Uint8Array>[] = [];
  const kept: number[] = [];
  async function* pieces() {
    for await (const piece of inPieces(
      formBody([filePart("file", pattern(16 * mebibyte))]),
      262_144,
    )) {
      const copy = piece.slice();
      arrived.push(new WeakRef(copy));
      yield copy;
    }
    // What this turn of the event loop holds is only collected after it.
    await Bun.sleep(0);
    Bun.gc(true);
    kept.push(arrived.filter((piece) => piece.deref() !== undefined).length);
  }
  const { signal } = new AbortController();
  await readMultipart(pieces(), sampleType, { ...bounds, store: spool, signal });
  expect(arrived.length).toBeGreaterThan(60);
  expect(kept[0]).toBeLessThan(20);
  await spool.close();
});

test("in memory, the bytes of a file are held once: as views of what arrived", async () => {
  const body = formBody([filePart("file", pattern(3 * mebibyte))]);
  const arrived: ArrayBufferLike[] = [];
  async function* pieces() {
    for await (const piece of inPieces(body, 65_536)) {
      arrived.push(piece.buffer);
      yield piece;
    }
  }
  const { files } = await readMultipart(pieces(), sampleType, bounds);
  const place = files[0]?.bytes.place;
  const chunks = place?.kind === "memory" ? place.chunks : [];
  const views = chunks.filter(({ buffer }) => arrived.includes(buffer));
  expect(chunks.length - views.length).toBeLessThanOrEqual(1);
  expect(chunks.reduce((sum, { length }) => sum + length, 0)).toBe(3 * mebibyte);
});

test("a file that arrives byte by byte takes no more memory than it has bytes", async () => {
  const contents = pattern(300_000);
  const body = inPieces(formBody([filePart("file", contents)]), 1);
  const { files } = await readMultipart(body, sampleType, bounds);
  const place = files[0]?.bytes.place;
  const chunks = place?.kind === "memory" ? place.chunks : [];
  expect(chunks.length).toBe(Math.ceil(300_000 / 65_536));
  expect(Buffer.concat(chunks).equals(contents)).toBe(true);
});
