// Models that return embeddings instead of text: no output price, no output limit, no Playground, and
// code for their own endpoint.
import { beforeEach, expect, test } from "bun:test";
import { render, screen, within } from "@solidjs/testing-library";
import { operations, operationTable } from "@turnpike/terms";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { type Model, modelOf } from "../../../test/model.fixture.ts";
import { App } from "../../app.tsx";
import { operationSnippets } from "../../product/connect/operation-snippets.ts";

const model = modelOf("acme/embed", {
  name: "Acme Embed",
  description: "Turns text into vectors.",
  contextTokens: 8_192,
  operation: "embeddings",
  maxOutputTokens: null,
  outputs: ["embeddings"],
  prices: { inputUsd: "0.02", cachedInputUsd: "0.02", cacheWriteUsd: "0.02", outputUsd: "0" },
});
const chat: Model = {
  ...model,
  id: "acme/chat",
  name: "Acme Chat",
  operation: "chat",
  maxOutputTokens: 4_096,
  prices: { ...model.prices, outputUsd: "0.60" },
};
const detail = {
  ...model,
  routes: [],
  supportedParameters: ["dimensions"],
  serviceTiers: [],
  priceHistory: [{ since: model.priceSince, prices: model.prices }],
};

function open(path: string): void {
  history.replaceState(null, "", path);
  answerApi({
    "keys.list": () => ({ data: [] }),
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    // The embeddings model comes first: nothing may treat it as a chat model.
    "models.list": () => ({ data: [model, chat] }),
    "models.detail": () => ({ data: detail }),
  });
  render(() => <App />);
}

beforeEach(() => localStorage.clear());

test("the list shows a dash, not Free, for the output of an embeddings model", async () => {
  open("/models");
  const row = (await screen.findByRole("link", { name: "Acme Embed" })).closest("tr");
  const cells = [...(row?.querySelectorAll("td, th") ?? [])].map((cell) => cell.textContent);
  const heads = screen.getAllByRole("columnheader").map((head) => head.textContent?.trim());
  expect(cells[heads.indexOf("Output")]).toBe("—");
  expect(cells[heads.indexOf("Input")]).toBe("$0.02");
  within(row ?? document.body).getByText("Embeddings");
});

test("its page has one price, no output limit, no Playground, and code for /embeddings", async () => {
  open("/models/acme/embed");
  const prices = await screen.findByRole("table", { name: "Prices" });
  const kinds = within(prices).getAllByRole("rowheader");
  expect(kinds.map((kind) => kind.textContent)).toEqual(["Input"]);
  expect(screen.queryByText("Max output")).toBeNull();
  expect(screen.queryByRole("link", { name: "Try in Playground" })).toBeNull();
  expect(screen.getAllByRole("textbox").map((field) => field.getAttribute("inputmode"))).toEqual([
    "numeric",
  ]);
  await screen.findByText(/http:\/\/localhost:3000\/v1\/embeddings/);
});

test("the Playground offers chat models only", async () => {
  open("/playground");
  await screen.findByText("Model: Acme Chat");
  expect(screen.queryByText("Model: Acme Embed")).toBeNull();
});

test("the first call of a new account uses a chat model", async () => {
  open("/keys");
  await screen.findByText(/acme\/chat/);
  expect(screen.queryByText(/acme\/embed/)).toBeNull();
});

test.each(["curl", "python", "node", "ai-sdk"])("%s calls the endpoint of the operation", (id) => {
  const facts = { baseUrl: "http://localhost:3000/v1", model: "acme/embed" };
  const codeOf = (operation: "chat" | "embeddings") =>
    operationSnippets(facts, operation).find((snippet) => snippet.id === id)?.code ?? "";
  const patterns = {
    chat: /chat\/completions|chat\.completions\.create|generateText/,
    embeddings: /\/v1\/embeddings|embeddings\.create|embeddingModel/,
  };
  expect(codeOf("chat")).toMatch(patterns.chat);
  expect(codeOf("chat")).not.toMatch(patterns.embeddings);
  expect(codeOf("embeddings")).toMatch(patterns.embeddings);
  expect(codeOf("embeddings")).not.toMatch(patterns.chat);
  expect(codeOf("embeddings")).toContain("acme/embed");
});

test.each(operations)(
  "the first call of a model for %s is sent to its own endpoint",
  (operation) => {
    const facts = { baseUrl: "http://localhost:3000/v1", model: "acme/model" };
    const [curl, python, node] = operationSnippets(facts, operation);
    expect(curl?.code).toContain(`http://localhost:3000${operationTable[operation].path} `);
    for (const snippet of [curl, python, node]) {
      expect(snippet?.code).toContain("acme/model");
      expect(snippet?.code).not.toContain("{model}");
    }
  },
);
