// Images of OpenRouter and of Together, and the files of calls to a deployment of Azure: each is sent what its own API has, and
// billed by its answer.
import { afterAll, afterEach, expect, test } from "bun:test";
import { openrouterImageTokens, smallImage, wavFile } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  providerKey,
  readJson,
  readMoney,
  startTestServer,
  waitForSettled,
} from "../harness/index.ts";

const catalog = (baseUrl: string) => `
providers:
  - { id: openrouter, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }
  - { id: together, baseUrl: "${baseUrl.replace(/v1$/, "together/v1")}", apiKey: "${providerKey}" }
  - id: azure
    baseUrl: "${baseUrl.replace(/\/v1$/, "")}"
    apiKey: "${providerKey}"
    apiVersion: "2025-04-01-preview"
models:
  - id: test/openrouter
    operation: image
    maxImages: 4
    inputImages: 2
    outputTokens: { any: 1300 }
    routes: [{ provider: openrouter, model: google/gemini-image }]
    prices: { input: "1", imageInput: "1", output: "30", imageOutput: "30" }
  - id: test/together
    operation: image
    maxImages: 4
    inputImages: 1
    routes: [{ provider: together, model: flux }]
    prices: { image: "0.04" }
  - id: test/azure-image
    operation: image
    inputImages: 2
    outputTokens: { any: 9000 }
    routes: [{ provider: azure, model: my-image }]
    prices: { input: "5", imageInput: "8", output: "30", imageOutput: "30" }
  - id: test/azure-transcription
    operation: transcription
    routes: [{ provider: azure, model: my-whisper }]
    prices: { audioMinute: "0.006" }
`;

const server = await startTestServer({ catalog });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const spent = async (id: Parameters<typeof readMoney>[1]) => {
  expect(await waitForSettled(server)).toBe(0);
  return 10_000_000_000n - (await readMoney(server, id)).balanceNanos;
};
const prompt = "a lighthouse";
const draw = (key: string, model: string, fields: object = {}) =>
  postJson(server, key, "/images/generations", { model, prompt, ...fields });

const png = smallImage("png", { width: 8, height: 8, color: [1, 2, 3] });
const pngUrl = `data:image/png;base64,${png.toString("base64")}`;

function edit(key: string, model: string) {
  const form = new FormData();
  form.append("model", model);
  form.append("prompt", prompt);
  form.append("image", new File([new Uint8Array(png)], "a.png"));
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${server.baseUrl}/images/edits`, { method: "POST", headers, body: form });
}

const textNanos = BigInt(Math.ceil(prompt.length / 4)) * 1_000n;
const imageNanos = BigInt(openrouterImageTokens) * 30_000n;

test("OpenRouter's images are billed by their tokens, and never by what it says they cost", async () => {
  const account = await openAccount(server);
  const response = await draw(account.key, "test/openrouter", { n: 2, aspect_ratio: "16:9" });
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect(at(body, "data.1.b64_json")).toBeString();
  expect(body.output_format).toBe("jpeg");
  expect(at(body, "usage.cost")).toBe(Number(textNanos + 2n * imageNanos) / 1e9);
  expect(server.upstream.requests.at(-1)?.path).toBe("/v1/images");
  expect(await spent(account.id)).toBe(textNanos + 2n * imageNanos);
});

test("a file to edit is a reference of OpenRouter's and an address of Together's", async () => {
  const account = await openAccount(server);
  expect((await edit(account.key, "test/openrouter")).status).toBe(200);
  const references = at(server.upstream.requests.at(-1)?.parsed, "input_references");
  expect(references).toEqual([{ type: "image_url", image_url: { url: pngUrl } }]);
  expect((await edit(account.key, "test/together")).status).toBe(200);
  expect(at(server.upstream.requests.at(-1)?.parsed, "image_url")).toBe(pngUrl);
  expect(await spent(account.id)).toBe(textNanos + imageNanos + 40_000_000n);
});

test("OpenRouter's stream is passed on with our price", async () => {
  const account = await openAccount(server);
  const text = await (await draw(account.key, "test/openrouter", { stream: true })).text();
  const data = /^data: (\{"type":"image_generation.completed".*)$/m.exec(text)?.[1] ?? "{}";
  expect(at(JSON.parse(data), "usage.cost")).toBe(Number(textNanos + imageNanos) / 1e9);
  expect(text).not.toContain("123.45");
  expect(await spent(account.id)).toBe(textNanos + imageNanos);
});

test("Together's images are sold by the piece, also to who asks for a stream", async () => {
  const account = await openAccount(server);
  const fields = { size: "1024x768", n: 2 };
  expect((await draw(account.key, "test/together", fields)).status).toBe(200);
  const sent = server.upstream.requests.at(-1);
  expect(sent?.path).toBe("/together/v1/images/generations");
  expect(sent?.parsed).toMatchObject({ width: 1_024, height: 768, response_format: "base64" });
  const text = await (await draw(account.key, "test/together", { stream: true })).text();
  expect(text).toContain("event: image_generation.completed");
  expect(await spent(account.id)).toBe(3n * 40_000_000n);
});

test("a file goes to the deployment of Azure that is asked, with the version in the address", async () => {
  const account = await openAccount(server);
  expect((await edit(account.key, "test/azure-image")).status).toBe(200);
  const edited = server.upstream.requests.at(-1);
  expect(edited?.path).toBe(
    "/openai/deployments/my-image/images/edits?api-version=2025-04-01-preview",
  );
  expect(edited?.headers["api-key"]).toBe(providerKey);
  expect(edited?.headers["content-type"]).toStartWith("multipart/form-data; boundary=");
  const form = new FormData();
  form.append("model", "test/azure-transcription");
  form.append("file", new File([new Uint8Array(wavFile({ seconds: 3 }))], "a.wav"));
  const headers = { authorization: `Bearer ${account.key}` };
  const url = `${server.baseUrl}/audio/transcriptions`;
  const response = await fetch(url, { method: "POST", headers, body: form });
  expect(response.status).toBe(200);
  expect(server.upstream.requests.at(-1)?.path).toBe(
    "/openai/deployments/my-whisper/audio/transcriptions?api-version=2025-04-01-preview",
  );
  expect(await spent(account.id)).toBeGreaterThan(0n);
});
