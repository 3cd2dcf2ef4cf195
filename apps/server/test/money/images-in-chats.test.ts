// Images in the answers to chats whose provider does not report their tokens: each costs the most that one can have, at the price of
// images, within the hold. The expected amounts are calculated here.
import { expect, test } from "bun:test";
import { type JsonObject, startTestServer, useServer } from "../harness/index.ts";
import { askBilled } from "./ask-billed.ts";

const model = "images/model";
const imageTokens = 1_500;

function catalog(baseUrl: string): string {
  return `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
  - id: ${model}
    created: "2026-01-01"
    contextTokens: 200000
    maxOutputTokens: 8000
    imageOutputTokens: ${imageTokens}
    routes: [{ provider: scripted, model: upstream-images }]
    prices: { input: "1", output: "2", imageOutput: "30" }
`;
}

const { server, account } = await useServer(startTestServer({ catalog }), { usd: "1000" });

const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const streamed = { stream: true, stream_options: { include_usage: true } };
const shapes = [
  ["a whole answer", {}],
  ["a stream", streamed],
] as const;

type Usage = "missing" | "zero" | JsonObject;

function ask(usage: Usage, count: number, fields: JsonObject) {
  return askBilled(server, {
    key: account.key,
    model,
    script: { deltas: 1, usage, lastDelta: { images: Array(count).fill(image) } },
    fields: { modalities: ["image", "text"], max_tokens: 4_000, ...fields },
  });
}

/** In nano-dollars: a token costs thousands of them, so nothing is rounded. */
function priceOf(used: {
  readonly prompt: number;
  readonly text: number;
  readonly images: number;
}) {
  return BigInt(used.prompt * 1_000 + used.text * 2_000 + used.images * 30_000);
}

test.each(shapes)(
  "%s without usage is billed each of its images by their bound",
  async (_, fields) => {
    for (const usage of ["missing", "zero"] as const) {
      const { row } = await ask(usage, 2, fields);
      const images = 2 * imageTokens;
      const text = row.completionTokens - images;
      expect(row.usageSource).toBe("counted");
      expect(text).toBeGreaterThan(0);
      expect(row.promptTokens).toBeGreaterThan(0);
      expect(row.chargedNanos).toBe(priceOf({ prompt: row.promptTokens, text, images }));
    }
  },
);

test.each(shapes)("%s never costs more than was held for its images", async (_, fields) => {
  const { row } = await ask("missing", 5, fields);
  expect(row.chargedNanos).toBe(row.heldNanos);
});

test.each(shapes)(
  "%s whose report does not say which tokens are images is billed them as images",
  async (_, fields) => {
    const usage = { prompt_tokens: 10, completion_tokens: 1_600 };
    const { row } = await ask(usage, 1, fields);
    expect(row.usageSource).toBe("upstream");
    expect(row.chargedNanos).toBe(priceOf({ prompt: 10, text: 100, images: imageTokens }));
  },
);

test("what is reported of images is believed", async () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 1_310,
    completion_tokens_details: { image_tokens: 1_290 },
  };
  const { row } = await ask(usage, 1, {});
  expect(row.chargedNanos).toBe(priceOf({ prompt: 10, text: 20, images: 1_290 }));
});
