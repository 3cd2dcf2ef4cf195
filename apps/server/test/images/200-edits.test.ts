// Edits of images: forms with one or several files and a mask, and JSON with addresses, each file told by what it contains and
// bounded by its pixels before anything is decoded.
import { afterAll, afterEach, expect, test } from "bun:test";
import { smallImage } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const png = smallImage("png", { width: 64, height: 64, color: [255, 0, 0] });

async function edit(
  key: string,
  files: readonly (readonly [string, Uint8Array])[],
  fields: object = {},
) {
  const form = new FormData();
  const all = {
    model: testModels.image,
    prompt: "add a boat",
    size: "1024x1024",
    quality: "low",
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) form.append(name, String(value));
  for (const [name, bytes] of files) form.append(name, new File([new Uint8Array(bytes)], "blob"));
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${server.baseUrl}/images/edits`, { method: "POST", headers, body: form });
}

test.each([
  ["one image", [["image", png]]],
  [
    "an image and a mask",
    [
      ["image", png],
      ["mask", png],
    ],
  ],
  [
    "several images, as OpenAI's SDKs send them",
    [
      ["image[]", png],
      ["image[]", png],
    ],
  ],
  [
    "several images, as the AI SDK sends them",
    [
      ["image", png],
      ["image", png],
    ],
  ],
] as const)("%s: an edited image, billed with its input", async (_what, files) => {
  const account = await openAccount(server);
  const response = await edit(account.key, files);
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect(typeof at(body, "data.0.b64_json")).toBe("string");
  expect(Number(at(body, "usage.input_tokens_details.image_tokens"))).toBeGreaterThan(0);
  const cost = BigInt(Math.round(Number(at(body, "usage.cost")) * 1e9));
  expect(10_000_000_000n - (await readMoney(server, account.id)).balanceNanos).toBe(cost);
});

test("images in JSON are edited as well", async () => {
  const account = await openAccount(server);
  const response = await postJson(server, account.key, "/images/edits", {
    model: testModels.image,
    prompt: "add a boat",
    quality: "low",
    size: "1024x1024",
    images: [{ image_url: `data:image/png;base64,${png.toString("base64")}` }],
  });
  expect(response.status).toBe(200);
});

test("preferences of providers in a form are those of the edit", async () => {
  const account = await openAccount(server);
  const provider = (only: string) => ({ provider: JSON.stringify({ only: [only] }) });
  expect((await edit(account.key, [["image", png]], provider("scripted"))).status).toBe(200);
  expect((await edit(account.key, [["image", png]], provider("nowhere"))).status).toBe(404);
});

/** A header of a hundred megapixels, with nothing behind it. */
function hugeHeader(): Buffer {
  const forged = Buffer.from(png);
  forged.writeUInt32BE(10_000, 16);
  forged.writeUInt32BE(10_000, 20);
  return forged;
}

test.each([
  ["no image", [], "image"],
  ["a text with the name of an image", [["image", Buffer.from("hello")]], "image"],
  ["an image of a hundred megapixels", [["image", hugeHeader()]], "image"],
  [
    "more images than the model takes",
    [
      ["image[]", png],
      ["image[]", png],
      ["image[]", png],
    ],
    "image",
  ],
] as const)("%s is refused by name, and nothing is held", async (_what, files, param) => {
  const account = await openAccount(server);
  const response = await edit(account.key, files);
  expect(response.status).toBe(400);
  expect(at(await readJson(response), "error.param")).toBe(param);
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});
