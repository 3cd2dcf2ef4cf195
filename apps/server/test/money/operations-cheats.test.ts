// Requests that try to pay less, or to make us do more, by what they say of themselves: each is refused before anything is sent
// or held, or costs at least the honest price. Nothing is ever fetched from an address that a caller names.
import { afterAll, afterEach, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import { smallImage, uintBE, wavFile } from "@turnpike/testing";
import {
  expectCleanBooks,
  type JsonObject,
  openAccount,
  readMoney,
  scriptText,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
/** What a caller's addresses lead to; it must never be asked. */
let fetched = 0;
const trap = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => {
    fetched += 1;
    return new Response("secret");
  },
});
afterAll(async () => {
  await trap.stop(true);
  await server.close();
});
afterEach(() => expectCleanBooks(server));

type Sent = JsonObject | FormData;

async function send(path: string, sent: Sent) {
  const account = await openAccount(server);
  const isForm = sent instanceof FormData;
  const response = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      ...(!isForm && { "content-type": "application/json" }),
    },
    body: isForm ? sent : JSON.stringify(sent),
  });
  const text = await response.text();
  const { balanceNanos } = await readMoney(server, account.id);
  return { status: response.status, text, spentNanos: 10_000_000_000n - balanceNanos };
}

const image = { model: testModels.image, prompt: "x", size: "1024x1024", quality: "low" };

function form(fields: JsonObject, files: readonly (readonly [string, string, Uint8Array])[]) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, String(value));
  for (const [name, filename, bytes] of files) {
    data.append(name, new File([new Uint8Array(bytes)], filename));
  }
  return data;
}

const edit = (name: string, bytes: Uint8Array) => form(image, [["image", name, bytes]]);
const hear = (name: string, bytes: Uint8Array) =>
  form({ model: testModels.transcription }, [["file", name, bytes]]);

const png = smallImage("png", { width: 64, height: 64, color: [255, 0, 0] });

/** Says that it is so large; its pixels are those of a small one. */
function claiming(width: number, height: number): Buffer {
  const forged = Buffer.from(png);
  uintBE(4, width, height).copy(forged, 16);
  forged.writeUInt32BE(crc32(forged.subarray(12, 29)), 29);
  return forged;
}

const manyParts = form(
  Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`field_${index}`, "x"])),
  [["file", "a.wav", wavFile({ seconds: 1 })]],
);
const zip = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), Buffer.alloc(2_000)]);

test.each<[string, string, Sent]>([
  ["no images", "/images/generations", { ...image, n: 0 }],
  ["less than no images", "/images/generations", { ...image, n: -1 }],
  ["half an image", "/images/generations", { ...image, n: 0.5 }],
  ["more images than the model makes", "/images/generations", { ...image, n: 1e9 }],
  ["an image without a side", "/images/generations", { ...image, size: "0x1024" }],
  ["an image of an invalid size", "/images/generations", { ...image, size: "1024x1024x2" }],
  ["an image beyond every price", "/images/generations", { ...image, size: "99999x99999" }],
  ["less than no previews", "/images/generations", { ...image, stream: true, partial_images: -1 }],
  ["100 megapixels to edit", "/images/edits", edit("a.png", claiming(10_000, 10_000))],
  ["a width beyond all bounds", "/images/edits", edit("a.png", claiming(2 ** 31 - 1, 1))],
  ["an image without a side to edit", "/images/edits", edit("a.png", claiming(0, 64))],
  ["sound to edit", "/images/edits", edit("a.png", wavFile({ seconds: 1 }))],
  ["a zip file named as an image", "/images/edits", edit("a.png", zip)],
  ["a zip file named as sound", "/audio/transcriptions", hear("a.mp3", zip)],
  ["an image named as sound", "/audio/transcriptions", hear("a.wav", png)],
  ["nothing to hear", "/audio/transcriptions", hear("a.wav", Buffer.alloc(0))],
  ["70 parts", "/audio/transcriptions", manyParts],
  [
    "a longer recording than the model hears",
    "/audio/transcriptions",
    hear("a.wav", wavFile({ seconds: 400, statedRate: 8 })),
  ],
  [
    "a text without characters",
    "/audio/speech",
    { model: testModels.speech, voice: "alloy", input: "" },
  ],
  ["no documents", "/rerank", { model: testModels.rerank, query: "x", documents: [] }],
])("%s: refused, nothing sent, nothing paid", async (_what, path, sent) => {
  const before = server.upstream.requests.length;
  const { status, spentNanos, text } = await send(path, sent);
  expect([status === 400 || status === 413, text]).toEqual([true, text]);
  expect(spentNanos).toBe(0n);
  expect(server.upstream.requests.length).toBe(before);
});

/** Usage that is impossible: too much, or no number. */
const impossible = { input_tokens: 1e15, output_tokens: 1e15, total_tokens: 2e15 };
const nonsense = { input_tokens: -5, output_tokens: -5, total_tokens: -10 };

test.each<[string, string, Sent, bigint, bigint]>([
  [
    "an image whose provider reports a fortune",
    "/images/generations",
    { ...image, prompt: scriptText({ usage: impossible }) },
    1_000_000n,
    40_000_000n,
  ],
  [
    "an image whose provider reports less than nothing",
    "/images/generations",
    { ...image, prompt: scriptText({ usage: nonsense }) },
    8_000_000n,
    40_000_000n,
  ],
  [
    "an image of two kinds of silence: no size, no quality",
    "/images/generations",
    { model: testModels.image, prompt: "x", size: "auto", quality: "auto" },
    8_000_000n,
    1_000_000_000n,
  ],
  [
    "a minute whose header says a second",
    "/audio/transcriptions",
    hear("a.wav", wavFile({ seconds: 60, statedBytes: 48_000 })),
    6_000_000n,
    6_000_000n,
  ],
  [
    "silence",
    "/audio/transcriptions",
    hear("a.wav", wavFile({ seconds: 30 })),
    3_000_000n,
    3_000_000n,
  ],
])(
  "%s costs no less than it is worth, and no more than was held",
  async (_what, path, sent, least, most) => {
    const { status, text, spentNanos } = await send(path, sent);
    expect([status, text]).toEqual([200, text]);
    expect(spentNanos).toBeGreaterThanOrEqual(least);
    expect(spentNanos).toBeLessThanOrEqual(most);
  },
);

const trapUrl = `http://127.0.0.1:${trap.port}/a.png`;

test.each([
  trapUrl,
  trapUrl.replace("127.0.0.1", "localhost"),
  trapUrl.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
  trapUrl.replace("127.0.0.1", "0x7f000001"),
  "http://169.254.169.254/latest/meta-data/",
  "file:///etc/passwd",
])("%s is not fetched, whatever names it", async (url) => {
  await send("/images/edits", { ...image, images: [{ image_url: url }] });
  await send("/chat/completions", {
    model: testModels.vision,
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
  });
  await send("/moderations", {
    model: testModels.moderation,
    input: [{ type: "image_url", image_url: { url } }],
  });
  expect(fetched).toBe(0);
});
