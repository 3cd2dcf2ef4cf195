import { expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { type ChatRequest, parseChatRequest } from "@turnpike/wire";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { assertPromptFits } from "./assert-prompt-fits.ts";
import { boundPrompt } from "./bound-prompt.ts";
import { countPrompt, estimatePromptTokens } from "./count-prompt.ts";
import { countText } from "./count-text.ts";
import { sandboxModels } from "./file/sandbox-models.ts";
import type { ChatModel, ModelRequest } from "./model.ts";

const [entry] = sandboxModels("http://127.0.0.1:1/v1");
if (entry?.operation !== "chat") throw new Error("there is no sandbox model to chat with");
const model: ChatModel = {
  ...entry,
  contextTokens: 100_000,
  tokenizer: "o200k_base",
  imageTokens: 1_000,
  templateTokens: 100,
  price: { ...entry.rates, tiers: {}, longPrompts: [], id: newId<PriceId>(), since: new Date(0) },
};

function chatOf(content: unknown, more: Record<string, unknown> = {}) {
  return parseChatRequest(
    JSON.stringify({ model: model.id, messages: [{ role: "user", content }], ...more }),
  );
}

function ask(asked: ChatModel, request: ChatRequest): ModelRequest {
  return { operation: "chat", model: asked, request };
}

const asText = { disallowedSpecial: new Set<string>() };
const prose = "The ferryman counted twelve lamps, and paid for the last one himself. ";

test("the bound holds for any text: never fewer tokens than any byte-level tokenizer produces", () => {
  const anyText = fc.oneof(
    fc.string({ maxLength: 300, minLength: 1 }),
    fc.string({ unit: "grapheme", maxLength: 100, minLength: 1 }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const wellFormed = text.toWellFormed().replaceAll("\0", "0");
      expect(boundPrompt(ask(model, chatOf(wellFormed)))).toBeGreaterThan(
        countTokens(wellFormed, asText) + model.templateTokens,
      );
    }),
  );
});

test("each image, message and tool adds its own amount to the bound", () => {
  const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
  const plain = boundPrompt(ask(model, chatOf([{ type: "text", text: "Hi" }])));
  const pictured = boundPrompt(ask(model, chatOf([{ type: "text", text: "Hi" }, image, image])));
  expect(pictured - plain).toBeGreaterThanOrEqual(2_000);
  const tool = { type: "function", function: { name: "f" } };
  expect(boundPrompt(ask(model, chatOf("Hi", { tools: [tool] }))) - plain).toBeGreaterThan(600);
});

test("the payload of an inline image is counted as an image, not as text", () => {
  const url = `data:image/png;base64,${"A".repeat(50_000)}`;
  const bound = boundPrompt(ask(model, chatOf([{ type: "image_url", image_url: { url } }])));
  expect(bound).toBeLessThan(2_000);
});

test("the bound never exceeds the model's context", () => {
  expect(boundPrompt(ask(model, chatOf("a".repeat(200_000))))).toBe(100_000);
});

test("a file may unpack to anything, so its request reserves a full context", async () => {
  const file = { type: "file", file: { file_id: "file-1" } };
  const chat = chatOf([{ type: "text", text: "Hi" }, file]);
  expect(boundPrompt(ask(model, chat))).toBe(100_000);
  expect(await countPrompt(ask(model, chat), {})).toBe(100_000);
});

test("counting reserves a tenth more than the tokens, and much less than the bound", async () => {
  const text = prose.repeat(100);
  const tokens = countTokens(text);
  const counted = await countPrompt(ask(model, chatOf(text)), {});
  expect(counted).toBeGreaterThanOrEqual(Math.ceil(tokens * 1.1) + 100);
  expect(counted).toBeLessThan(tokens * 1.15 + 150);
  expect(counted).toBeLessThan(boundPrompt(ask(model, chatOf(text))) / 3);
});

test("counting never reserves more than the bound", async () => {
  for (const text of ["", "x", "~!@#$%^&*()", "\u{1f9ff}".repeat(50), "\u0e5b".repeat(500)]) {
    const chat = chatOf(text);
    expect(await countPrompt(ask(model, chat), {})).toBeLessThanOrEqual(
      boundPrompt(ask(model, chat)),
    );
  }
});

test("an estimate for a bill has no tenth on top", async () => {
  const text = prose.repeat(100);
  const tokens = countTokens(text);
  const estimate = await estimatePromptTokens(ask(model, chatOf(text)), {});
  expect(estimate).toBeGreaterThanOrEqual(tokens);
  expect(estimate).toBeLessThan(tokens * 1.02 + 20);
});

test("text that looks like a control token is counted, not refused", async () => {
  expect(await countText("<|endoftext|> <|im_start|>", { encoding: "o200k_base" })).toBeGreaterThan(
    5,
  );
});

test("counting in slices is within three percent of counting the whole text", async () => {
  const sources = [
    prose.repeat(200),
    JSON.stringify(Array.from({ length: 300 }, (_, index) => ({ index, name: `item ${index}` }))),
    "今天天气很好，我们去公园散步吧。".repeat(200),
    "function add(a: number, b: number) {\n  return a + b;\n}\n\n".repeat(100),
  ];
  for (const text of sources) {
    const atOnce = countTokens(text);
    const inSlices = await countText(text, { encoding: "o200k_base" });
    expect(inSlices).toBeGreaterThanOrEqual(atOnce);
    expect(inSlices).toBeLessThan(atOnce * 1.03);
  }
});

test("a long count yields to other work, and stops at its limit", async () => {
  // Unbroken and without repetition: the worst input for a tokenizer's merge and for its cache.
  let unbroken = "";
  for (let index = 0; index < 100_000; index += 1) {
    unbroken += String.fromCharCode(0x4e00 + ((index * 7_919) % 20_000));
  }
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const tokens = await countText(unbroken, { encoding: "o200k_base" });
  clearInterval(timer);
  expect(tokens).toBeGreaterThan(100_000);
  expect(turns).toBeGreaterThan(2);
  expect(await countText(unbroken, { encoding: "o200k_base", limit: 500 })).toBe(500);
});

test("a text with more tokens than the context is refused, one that only has more bytes is not", async () => {
  const small: ChatModel = { ...model, contextTokens: 2_000, maxOutputTokens: 100 };
  await assertPromptFits(ask(small, chatOf(prose.repeat(100))), {});
  // Not `expect().rejects`, which blocks the thread that the count comes to.
  const refusal = await assertPromptFits(ask(small, chatOf(prose.repeat(200))), {})?.catch(
    (thrown: unknown) => thrown,
  );
  expect(refusal).toMatchObject({
    code: "context_length_exceeded",
    details: { param: "messages" },
  });
});
