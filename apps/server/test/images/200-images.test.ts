// Images are held for by their number, size and quality, billed by what the upstream reports or delivers, and shown with their
// units wherever a call is shown.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  getPath,
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

const draw = (key: string, fields: object, path = "/images/generations") =>
  postJson(server, key, path, { model: testModels.image, prompt: "a lighthouse", ...fields });

async function generationOf(key: string, response: Response) {
  const id = response.headers.get("x-generation-id");
  return at(await readJson(await getPath(server, key, `/generation?id=${id}`)), "data");
}

test("an image is billed by the tokens that the upstream reports, under both names of the counts", async () => {
  const account = await openAccount(server);
  const response = await draw(account.key, { size: "1024x1024", quality: "medium" });
  expect(response.status).toBe(200);
  const body = await readJson(response);
  const png = Buffer.from(String(at(body, "data.0.b64_json")), "base64");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  const { usage } = body as { usage: Record<string, number> };
  expect(usage).toMatchObject({
    output_tokens: 1_056,
    completion_tokens: 1_056,
    input_tokens_details: { image_tokens: 0 },
    output_tokens_details: { image_tokens: 1_056, text_tokens: 0 },
  });
  expect(usage.input_tokens).toBe(usage.prompt_tokens ?? -1);
  const nanos = BigInt(usage.input_tokens ?? 0) * 5_000n + 1_056n * 30_000n;
  expect(usage.cost).toBe(Number(nanos) / 1e9);
  const { balanceNanos } = await readMoney(server, account.id);
  expect(10_000_000_000n - balanceNanos).toBe(nanos);
});

test("images by the piece cost what their size costs, however many come", async () => {
  const account = await openAccount(server);
  const asked = { model: testModels.imagePiece, n: 3, size: "1024x1024" };
  const response = await draw(account.key, asked);
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect(at(body, "usage.cost")).toBe(0.12);
  expect(await generationOf(account.key, response)).toMatchObject({
    api_type: "image",
    usage: 0.12,
    units: [{ unit: "images", variant: "1K", count: 3 }],
  });
});

test.each([
  ["what the model has no price for", { model: testModels.imagePiece, size: "4096x4096" }, "size"],
  ["a quality that the model does not have", { quality: "max" }, "quality"],
  ["more images than the model makes", { n: 5 }, "n"],
  ["a field that costs more in a way that no price says", { frame_count: 4 }, "frame_count"],
  ["a field that is not known", { steps: 30 }, "steps"],
  [
    "an image to edit for a model that makes only new ones",
    { model: testModels.imagePiece, image: "data:image/png;base64,AA" },
    "image",
  ],
])("%s is refused by name, and nothing is held", async (_what, fields, param) => {
  const account = await openAccount(server);
  const before = server.upstream.requests.length;
  const response = await draw(account.key, fields);
  expect(response.status).toBe(400);
  expect(at(await readJson(response), "error.param")).toBe(param);
  expect(server.upstream.requests.length).toBe(before);
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test("402 names the exact need, because nothing of an image can be shortened", async () => {
  const poor = await openAccount(server, { usd: "0.03" });
  const response = await draw(poor.key, { model: testModels.imagePiece, size: "1024x1024" });
  expect(response.status).toBe(402);
  const { error } = await readJson(response);
  expect(error).toMatchObject({
    code: "insufficient_quota",
    metadata: { needed_usd: "0.04", available_usd: "0.03" },
  });
});

test("what is left to the model is held at the dearest, and billed as what it turned out to be", async () => {
  const account = await openAccount(server, { usd: "0.20" });
  const estimate = await postJson(server, account.key, "/estimate", {
    model: testModels.imagePiece,
    prompt: "a lighthouse",
  });
  expect(at(await readJson(estimate), "max_cost_usd")).toBe("0.08");
  const response = await draw(account.key, { model: testModels.imagePiece });
  const body = await readJson(response);
  expect(Number(at(body, "usage.cost"))).toBeLessThanOrEqual(0.08);
});

test("a model for images is named with its path where a chat asks for it", async () => {
  const account = await openAccount(server);
  const response = await postJson(server, account.key, "/chat/completions", {
    model: testModels.image,
    messages: [{ role: "user", content: "Hi" }],
  });
  expect(response.status).toBe(400);
  expect(String(at(await readJson(response), "error.message"))).toContain(
    "Use POST /v1/images/generations",
  );
});
