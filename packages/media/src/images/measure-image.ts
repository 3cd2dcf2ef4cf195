// The width and height of an image from its header, before any decoder runs. A header that lies, loops or never ends is
// refused: everything that is read of a file is bounded.
import { Fault } from "@turnpike/base";
import { BrokenMedia, ByteReader, type Chunks } from "../content/byte-reader.ts";
import { type imageFormats, requireFormat } from "../content/media-format.ts";

type ImageFormat = (typeof imageFormats)[number];

export type ImageSize = {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
};

/** A file as it is kept until its call ends. */
export type MediaBytes = {
  readonly size: number;
  /** Its first bytes, at least 4 KiB of them. */
  readonly head: Uint8Array;
  chunks(): Chunks;
};

export const megapixelsMax = 50;
/** No metadata before the size of an image is longer. */
const headerMaxBytes = 8 * 1024 * 1024;
/** Segments of a JPEG, chunks of a WebP. */
const segmentsMax = 512;
/** Of a GIF, of up to 255 bytes each: an ICC profile or XMP has thousands. */
const blocksMax = 16_384;

type Dimensions = { readonly width: number; readonly height: number };

const readers: Readonly<Record<ImageFormat, (reader: ByteReader) => Promise<Dimensions>>> = {
  png: readPng,
  jpeg: readJpeg,
  webp: readWebp,
  gif: readGif,
};

/** Throws `invalid_image`, which names the field. */
export async function measureImage(
  bytes: MediaBytes,
  { param, formats }: { readonly param: string; readonly formats: readonly ImageFormat[] },
): Promise<ImageSize> {
  const format = requireFormat(bytes.head, formats, param);
  const reader = new ByteReader(bytes.chunks(), headerMaxBytes);
  try {
    const { width, height } = await readers[format](reader);
    if (width === 0 || height === 0) throw new BrokenMedia("its width or height is zero");
    if (width * height > megapixelsMax * 1_000_000) {
      throw new BrokenMedia(
        `it has ${width} x ${height} pixels; at most ${megapixelsMax} megapixels are accepted`,
      );
    }
    return { format, width, height };
  } catch (thrown) {
    if (!(thrown instanceof BrokenMedia)) throw thrown;
    const sentence = `Invalid '${param}': this ${format} cannot be used, ${thrown.message}.`;
    throw new Fault("invalid_image", sentence, { param });
  } finally {
    await reader.close();
  }
}

/** Source: W3C, Portable Network Graphics, 11.2.1. */
async function readPng(reader: ByteReader): Promise<Dimensions> {
  const head = await reader.take(24);
  if (head.readUInt32BE(8) !== 13 || head.toString("latin1", 12, 16) !== "IHDR") {
    throw new BrokenMedia("it does not begin with its size");
  }
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

/** The canvas, or the first picture where that is larger. Source: GIF89a, 18 to 20. */
async function readGif(reader: ByteReader): Promise<Dimensions> {
  const head = await reader.take(13);
  const canvas = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  const flags = head.readUInt8(10);
  if ((flags & 0x80) !== 0) await reader.skip(3 * 2 ** ((flags & 7) + 1));
  await skipExtensions(reader);
  const picture = await reader.take(8);
  return {
    width: Math.max(canvas.width, picture.readUInt16LE(4)),
    height: Math.max(canvas.height, picture.readUInt16LE(6)),
  };
}

/** Up to the first picture. */
async function skipExtensions(reader: ByteReader): Promise<void> {
  let isExtension = false;
  for (let block = 0; block < blocksMax; block += 1) {
    const byte = (await reader.take(1)).readUInt8(0);
    if (isExtension) {
      await reader.skip(byte);
      isExtension = byte !== 0;
    } else {
      if (byte === 0x2c) return;
      if (byte !== 0x21) throw new BrokenMedia("it has no picture");
      await reader.skip(1);
      isExtension = true;
    }
  }
  throw new BrokenMedia("its size is not in its header");
}

/** Of the frame headers, those of all kinds of coding. Source: ITU-T T.81, table B.1. */
const frameMarkers: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

async function readJpeg(reader: ByteReader): Promise<Dimensions> {
  await reader.skip(2);
  for (let segment = 0; segment < segmentsMax; segment += 1) {
    const marker = await readMarker(reader);
    // The picture itself, or its end: what comes after is not a header.
    if (marker === 0xda || marker === 0xd9) break;
    const length = (await reader.take(2)).readUInt16BE(0);
    if (length < 2) throw new BrokenMedia("a segment has an impossible length");
    if (frameMarkers.has(marker)) {
      const frame = await reader.take(5);
      return { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) };
    }
    await reader.skip(length - 2);
  }
  throw new BrokenMedia("its size is not in its header");
}

/** A marker may be preceded by bytes of ones. */
async function readMarker(reader: ByteReader): Promise<number> {
  if ((await reader.take(1)).readUInt8(0) !== 0xff) throw new BrokenMedia("a segment is missing");
  for (let fill = 0; fill < segmentsMax; fill += 1) {
    const marker = (await reader.take(1)).readUInt8(0);
    if (marker !== 0xff) return marker;
  }
  throw new BrokenMedia("a segment is missing");
}

/** The canvas, or the picture where that is larger. Source: RFC 9649. */
async function readWebp(reader: ByteReader): Promise<Dimensions> {
  await reader.skip(12);
  let canvas: Dimensions = { width: 0, height: 0 };
  for (let chunk = 0; chunk < segmentsMax; chunk += 1) {
    const head = await reader.take(8);
    const type = head.toString("latin1", 0, 4);
    const length = head.readUInt32LE(4);
    const start = reader.position;
    if (type === "VP8X") canvas = parseCanvas(await reader.take(10));
    const picture = await readPicture(type, reader);
    if (picture) {
      return {
        width: Math.max(canvas.width, picture.width),
        height: Math.max(canvas.height, picture.height),
      };
    }
    const padded = length + (length % 2) - (reader.position - start);
    if (padded < 0) throw new BrokenMedia("a chunk has an impossible length");
    // Pictures of an animation are within chunks, and never larger than the canvas.
    if (type === "ANMF" && canvas.width > 0) return canvas;
    await reader.skip(padded);
  }
  throw new BrokenMedia("its size is not in its header");
}

function parseCanvas(data: Buffer): Dimensions {
  return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
}

/** Undefined for a chunk that is no picture. */
async function readPicture(type: string, reader: ByteReader): Promise<Dimensions | undefined> {
  if (type === "VP8 ") {
    const data = await reader.take(10);
    if (data.readUIntBE(3, 3) !== 0x9d012a) throw new BrokenMedia("its picture is not well-formed");
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type !== "VP8L") return undefined;
  const data = await reader.take(5);
  if (data.readUInt8(0) !== 0x2f) throw new BrokenMedia("its picture is not well-formed");
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
