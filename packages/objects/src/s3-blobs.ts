// Blobs in a bucket of an S3-compatible service. Each is a row of objects under its address, all but the last of one size: what a process
// that was killed wrote is found and removed by the address alone, as nothing finds what is left of a multipart upload.
import { randomBytes } from "node:crypto";
import { overloaded } from "@turnpike/base";
import type { BlobSink, BlobStore } from "./blob-store.ts";
import {
  BucketFailure,
  type BucketRequests,
  type BucketSettings,
  createBucketRequests,
  type RequestTimes,
} from "./bucket-requests.ts";

/** What is stored depends on it: a shorter segment is the last one. It is what one blob takes of memory while it is written or read. */
export const segmentBytes = 2 * 1_048_576;
const removalsAtOnce = 8;

export type S3BlobOptions = {
  readonly times?: Partial<RequestTimes>;
  readonly segmentBytes?: number;
  /** Of what the caller is answered as an overload. */
  readonly onFailure?: (failure: BucketFailure) => void;
};

export function openS3Blobs(settings: BucketSettings, options: S3BlobOptions = {}): BlobStore {
  const { times, onFailure } = options;
  const bucket = reporting(createBucketRequests(settings, times), onFailure);
  const bytesOfSegment = options.segmentBytes ?? segmentBytes;
  return {
    memoryBytes: bytesOfSegment,
    create: async (address) => new SegmentSink(bucket, checkAddress(address), bytesOfSegment),
    read: (address) => readSegments(bucket, checkAddress(address), bytesOfSegment),
    async remove(address) {
      const keys = await bucket.list(`${checkAddress(address)}/`);
      for (let at = 0; at < keys.length; at += removalsAtOnce) {
        await Promise.all(keys.slice(at, at + removalsAtOnce).map(bucket.remove));
      }
    },
  };
}

/** Writes, reads, lists and removes a small object. Rejects with BucketFailure. */
export async function checkBucket(
  settings: BucketSettings,
  times: Partial<RequestTimes> = {},
): Promise<void> {
  const bucket = createBucketRequests(settings, times);
  const key = `check-${randomBytes(16).toString("hex")}`;
  const written = randomBytes(16);
  await bucket.put(key, written);
  try {
    const read = await bucket.get(key);
    const isSame = read !== undefined && written.equals(read);
    if (!isSame || !(await bucket.list(key)).includes(key)) {
      throw new BucketFailure("GET: what was written is not there", { isRefusal: true });
    }
  } finally {
    await bucket.remove(key);
  }
}

function checkAddress(address: string): string {
  if (!/^[0-9a-f]{32}$/.test(address)) throw new Error("this is no address of a blob");
  return address;
}

function keyOf(address: string, number: number): string {
  return `${address}/${String(number).padStart(6, "0")}`;
}

class SegmentSink implements BlobSink {
  readonly #bucket: BucketRequests;
  readonly #address: string;
  readonly #segment: Buffer<ArrayBuffer>;
  #used = 0;
  #number = 0;

  constructor(bucket: BucketRequests, address: string, bytesOfSegment: number) {
    this.#bucket = bucket;
    this.#address = address;
    this.#segment = Buffer.alloc(bytesOfSegment);
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.byteLength > 0; ) {
      const fitting = rest.subarray(0, this.#segment.byteLength - this.#used);
      this.#segment.set(fitting, this.#used);
      this.#used += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
      if (this.#used === this.#segment.byteLength) await this.#put();
    }
  }

  /** Even if nothing is left: the last segment is shorter than the others. */
  end(): Promise<void> {
    return this.#put();
  }

  async abort(): Promise<void> {
    this.#used = 0;
  }

  async #put(): Promise<void> {
    const isNew = this.#number === 0;
    const body = this.#segment.subarray(0, this.#used);
    if (!(await this.#bucket.put(keyOf(this.#address, this.#number), body, { isNew }))) {
      throw new Error("there is a blob under this address");
    }
    this.#number += 1;
    this.#used = 0;
  }
}

async function* readSegments(
  bucket: BucketRequests,
  address: string,
  bytesOfSegment: number,
): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const segment = await bucket.get(keyOf(address, number));
    if (segment === undefined) {
      throw new Error(`a blob is not there, or not to its end: segment ${number} is missing`);
    }
    if (segment.byteLength > 0) yield segment;
    if (segment.byteLength < bytesOfSegment) return;
  }
}

/** A failure is told to the operator, and the caller is asked to try again. */
function reporting(
  { put, get, remove, list }: BucketRequests,
  onFailure: S3BlobOptions["onFailure"],
): BucketRequests {
  const report =
    <Given extends readonly unknown[], Result>(ask: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await ask(...given);
      } catch (thrown) {
        if (!(thrown instanceof BucketFailure)) throw thrown;
        onFailure?.(thrown);
        throw overloaded("files", thrown);
      }
    };
  return { put: report(put), get: report(get), remove: report(remove), list: report(list) };
}
