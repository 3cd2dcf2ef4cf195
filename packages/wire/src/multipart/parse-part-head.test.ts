import { expect, test } from "bun:test";
import { parsePartHead } from "./parse-part-head.ts";

/** As their libraries write them. */
test.each([
  [
    "browsers",
    'Content-Disposition: form-data; name="file"; filename="a %22b%22.mp3"\r\nContent-Type: audio/mpeg',
    { name: "file", filename: 'a "b".mp3', type: "audio/mpeg" },
  ],
  [
    "curl",
    'Content-Disposition: form-data; name="file"; filename="a \\"b\\".mp3"\r\nContent-Type: audio/mpeg',
    { name: "file", filename: 'a "b".mp3', type: "audio/mpeg" },
  ],
  [
    "httpx",
    'Content-Disposition: form-data; name="file"; filename="upload"\r\nContent-Type: application/octet-stream',
    { name: "file", filename: "upload", type: "application/octet-stream" },
  ],
  [
    "urllib3",
    "Content-Disposition: form-data; name=\"file\"; filename*=utf-8''%C3%BC.mp3",
    { name: "file", filename: "ü.mp3", type: undefined },
  ],
  [
    ".NET",
    "Content-Type: audio/mpeg\r\nContent-Disposition: form-data; name=file; filename=u.mp3; filename*=utf-8''%C3%BC.mp3",
    { name: "file", filename: "ü.mp3", type: "audio/mpeg" },
  ],
  [
    "Apache HttpClient",
    'Content-Disposition: form-data; name="model"\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit',
    { name: "model", filename: undefined, type: "text/plain" },
  ],
  [
    "Guzzle",
    'Content-Disposition: form-data; name="image[]"; filename="a.png"\r\nContent-Length: 12\r\nContent-Type: image/png',
    { name: "image[]", filename: "a.png", type: "image/png" },
  ],
  [
    "old Windows",
    'content-disposition:form-data;name="file";filename="C:\\music\\a.mp3";',
    { name: "file", filename: "C:\\music\\a.mp3", type: undefined },
  ],
  [
    "what sends a broken name beside a good one",
    'Content-Disposition: form-data; name="file"; filename="a.mp3"; filename*=utf-8\'\'%C3',
    { name: "file", filename: "a.mp3", type: undefined },
  ],
] as const)("the head of a part is understood as %s write it", (_, head, parsed) => {
  expect(parsePartHead(Buffer.from(head))).toEqual(parsed);
});
