// What every blob store does, whatever it is made of: the promises of `BlobStore`, each as a test.
import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import type { BlobStore } from "./blob-store.ts";

export type TestedStore = {
  readonly blobs: BlobStore;
  /** Of files or objects; not of blobs. */
  readonly countStored: () => Promise<number>;
  /** The size that a store divides blobs at. */
  readonly divisionBytes: number;
};

export function testBlobContract(name: string, open: () => TestedStore): void {
  const newAddress = () => randomBytes(16).toString("hex");
  const write = async ({ blobs }: TestedStore, address: string, bytes: Uint8Array) => {
    const sink = await blobs.create(address);
    for (let at = 0; at < bytes.byteLength; at += 65_552) {
      await sink.write(bytes.subarray(at, at + 65_552));
    }
    await sink.end();
  };
  const read = async ({ blobs }: TestedStore, address: string) =>
    Buffer.concat(await Array.fromAsync(blobs.read(address)));

  test.each([
    ["nothing", (_: number) => 0],
    ["one byte", () => 1],
    ["one byte less than one division", (division: number) => division - 1],
    ["one division", (division: number) => division],
    ["one byte more than one division", (division: number) => division + 1],
    ["three divisions", (division: number) => 3 * division],
    ["three divisions and a bit", (division: number) => 3 * division + 70_001],
  ])(`${name}: %s is read as it was written, and removed without a rest`, async (_, sizeOf) => {
    const store = open();
    const before = await store.countStored();
    const bytes = randomBytes(sizeOf(store.divisionBytes));
    const address = newAddress();
    await write(store, address, bytes);
    expect((await read(store, address)).equals(bytes)).toBe(true);
    await store.blobs.remove(address);
    await expect(read(store, address)).rejects.toThrow();
    expect(await store.countStored()).toBe(before);
  });

  test(`${name}: a second blob under an address is refused, and the first one stays`, async () => {
    const store = open();
    const address = newAddress();
    const first = randomBytes(100);
    await write(store, address, first);
    const second = randomBytes(2 * store.divisionBytes);
    await expect(write(store, address, second)).rejects.toThrow();
    expect((await read(store, address)).equals(first)).toBe(true);
    await store.blobs.remove(address);
  });

  test(`${name}: bytes may change once they were written`, async () => {
    const store = open();
    const address = newAddress();
    const sink = await store.blobs.create(address);
    const bytes = Buffer.alloc(1_000, 1);
    await sink.write(bytes);
    bytes.fill(2);
    await sink.end();
    expect((await read(store, address)).equals(Buffer.alloc(1_000, 1))).toBe(true);
    await store.blobs.remove(address);
  });

  test(`${name}: a blob that was given up, or whose process was killed, is removed by its address`, async () => {
    const store = open();
    const before = await store.countStored();
    for (const isKilled of [true, false]) {
      const address = newAddress();
      const sink = await store.blobs.create(address);
      await sink.write(randomBytes(2 * store.divisionBytes + 5));
      if (!isKilled) await sink.abort();
      await store.blobs.remove(address);
      expect(await store.countStored()).toBe(before);
      if (isKilled) await sink.abort();
    }
  });

  test(`${name}: to remove what is not there, or not any more, is no failure`, async () => {
    const store = open();
    const address = newAddress();
    await store.blobs.remove(address);
    await write(store, address, randomBytes(5));
    await store.blobs.remove(address);
    await store.blobs.remove(address);
  });

  test(`${name}: an address cannot lead anywhere else`, async () => {
    const { blobs } = open();
    for (const address of ["", "../etc/passwd", "a".repeat(31), "A".repeat(32)]) {
      await expect(blobs.create(address)).rejects.toThrow("no address");
      await expect(blobs.remove(address)).rejects.toThrow("no address");
      expect(() => blobs.read(address)).toThrow("no address");
    }
  });
}
