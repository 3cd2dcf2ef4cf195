import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { silentWav, smallImage } from "@turnpike/testing";
import {
  audioFormats,
  imageFormats,
  mediaFormats,
  requireFormat,
  sniffFormat,
} from "./media-format.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const color = [1, 2, 3] as const;
const size = { width: 3, height: 2, color };
const id3 = (bytes: number) =>
  Buffer.concat([
    latin1("ID3\x04\0\0"),
    Buffer.from([0, 0, bytes >> 7, bytes & 127]),
    Buffer.alloc(bytes),
  ]);
/** 128 kbit/s at 44.1 kHz: 417 bytes. */
const mpegFrame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
const adtsFrame = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc, 0]);
const ebml = (type: string) => latin1(`\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84${type}`);

test.each([
  ["png", smallImage("png", size)],
  ["jpeg", smallImage("jpeg", size)],
  ["webp", smallImage("webp", size)],
  ["gif", latin1("GIF87a\x01\0\x01\0\0\0\0")],
  ["svg", latin1("\ufeff <!-- a --><svg/>").subarray(1)],
  ["svg", Buffer.from("\ufeff<?xml version='1.0'?><svg:svg xmlns:svg='x'/>")],
  ["wav", Buffer.from(silentWav(1), "base64").subarray(0, 100)],
  ["mp3", Buffer.concat([mpegFrame, mpegFrame])],
  ["mp3", mpegFrame],
  ["mp3", Buffer.concat([id3(300), mpegFrame, mpegFrame])],
  ["mp3", id3(9_000).subarray(0, 4_096)],
  ["aac", Buffer.concat([adtsFrame, adtsFrame])],
  ["aac", Buffer.concat([id3(20), adtsFrame, adtsFrame])],
  ["flac", latin1("fLaC\0\0\0\x22")],
  ["flac", Buffer.concat([id3(20), latin1("fLaC\0\0\0\x22")])],
  ["ogg", latin1("OggS\0\x02")],
  ["webm", ebml("webm")],
  ["webm", latin1("\x1a\x45\xdf\xa3\x9f\x42\x82\x10\0\0\x04webm")],
  ["m4a", latin1("\0\0\0\x20ftypM4A \0\0\0\0")],
  ["mp4", latin1("\0\0\0\x20ftypisom\0\0\0\0")],
  ["mp4", latin1("\0\0\0\x20ftypmp42\0\0\0\0")],
  ["pdf", latin1("%PDF-1.7")],
] as const)("%s is recognized by its content", (format, bytes) => {
  expect(sniffFormat(bytes)).toBe(format);
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["text", Buffer.from("hello")],
  ["a page", Buffer.from("<!doctype html><html></html>")],
  ["a HEIC image", latin1("\0\0\0\x20ftypheic\0\0\0\0")],
  ["an AVIF image", latin1("\0\0\0\x20ftypavif\0\0\0\0")],
  ["Matroska", ebml("matr")],
  ["a RIFF that is a film", latin1("RIFF\0\0\0\0AVI LIST")],
  [
    "one frame of MPEG audio and then something else",
    Buffer.concat([mpegFrame, Buffer.from("garbage")]),
  ],
  ["layer II", Buffer.from([0xff, 0xfd, 0x90, 0, 0, 0])],
  ["UTF-16", Buffer.from([0xff, 0xfe, 0x68, 0])],
  ["a PDF after something else", latin1("\n%PDF-1.7")],
  ["a zip", latin1("PK\x03\x04")],
  ["every signature cut to its first byte", latin1("\x89")],
])("%s is not recognized", (_, bytes) => {
  expect(sniffFormat(bytes)).toBeUndefined();
});

test("a format that is not taken is refused by name, with those that are", () => {
  const refuse = (taken: Parameters<typeof requireFormat>[1]) => {
    try {
      return requireFormat(latin1("%PDF-1.7"), taken, "file");
    } catch (thrown) {
      if (thrown instanceof Fault) return thrown;
      throw thrown;
    }
  };
  expect(refuse(["png", "jpeg"])).toMatchObject({
    code: "invalid_image",
    message: "Invalid 'file': it contains pdf. Supported formats: png, jpeg.",
    details: { param: "file" },
  });
  expect(refuse(["mp3"])).toMatchObject({ code: "invalid_audio" });
  expect(refuse(["pdf"])).toBe("pdf");
});

test("svg is in no list of what may be uploaded, and every format has facts of its own", () => {
  expect<readonly string[]>([...imageFormats, ...audioFormats]).not.toContain("svg");
  const extensions = Object.values(mediaFormats).map(({ extension }) => extension);
  expect(new Set(extensions).size).toBe(extensions.length);
});
