// The prices of one model: exactly those it has, and next to the standard prices those of its
// service tiers.
import { beforeEach, expect, test } from "bun:test";
import { render, screen, within } from "@solidjs/testing-library";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { modelOf } from "../../../test/model.fixture.ts";
import { App } from "../../app.tsx";

const standard = {
  inputUsd: "2.5",
  cachedInputUsd: "1.25",
  cacheWriteUsd: "2.5",
  outputUsd: "10",
};
const detail = {
  ...modelOf("acme/chat", { name: "Acme Chat", prices: standard }),
  routes: [],
  serviceTiers: [] as { name: string; prices: typeof standard }[],
  supportedParameters: [],
  priceHistory: [{ since: "2026-01-01T00:00:00.000Z", prices: standard }],
};

/** The cells of the price table, row by row, with its heads first. */
async function readPrices(model: object): Promise<(string | undefined)[][]> {
  history.replaceState(null, "", "/models/acme/chat");
  answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "models.list": () => ({ data: [model] }),
    "models.detail": () => ({ data: model }),
  });
  render(() => <App />);
  const table = await screen.findByRole("table", { name: "Prices" });
  return within(table)
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim()));
}

beforeEach(() => localStorage.clear());

test("a model shows the prices that it has", async () => {
  const rows = await readPrices(detail);
  expect(rows.map(([kind]) => kind)).toEqual([
    "Kind of token",
    "Input",
    "Cached input",
    "Cache write",
    "Output",
  ]);
  expect(rows[0]).toEqual(["Kind of token", "Price per 1M"]);
});

test("one-hour cache writes, audio and searches have rows if they have a price", async () => {
  const prices = {
    ...standard,
    cacheWrite1hUsd: "5",
    audioInputUsd: "40",
    audioOutputUsd: "80",
    webSearchUsd: "25",
  };
  const rows = new Map(
    (await readPrices({ ...detail, prices })).map(([kind, price]) => [kind, price]),
  );
  expect(rows.get("Cache write, 1 hour")).toBe("$5.00 / 1M");
  expect(rows.get("Audio input")).toBe("$40.00 / 1M");
  expect(rows.get("Audio output")).toBe("$80.00 / 1M");
  expect(rows.get("Web search, per 1,000")).toBe("$25.00");
});

test("prices of long prompts are shown next to the standard prices", async () => {
  const prices = { inputUsd: "5", cachedInputUsd: "2", cacheWriteUsd: "5", outputUsd: "15" };
  const rows = await readPrices({ ...detail, longPrompts: [{ aboveTokens: 200_000, prices }] });
  expect(rows[0]).toEqual(["Kind of token", "Standard", "Prompts over 200,000 tokens"]);
  expect(rows.find(([kind]) => kind === "Output")).toEqual([
    "Output",
    "$10.00 / 1M",
    "$15.00 / 1M",
  ]);
});

test("service tiers are shown next to the standard prices", async () => {
  const flex = { inputUsd: "1.25", cachedInputUsd: "0.6", cacheWriteUsd: "1.25", outputUsd: "5" };
  const priority = { ...standard, cacheWrite1hUsd: "9", outputUsd: "20" };
  const serviceTiers = [
    { name: "flex", prices: flex },
    { name: "priority", prices: priority },
  ];
  const rows = await readPrices({ ...detail, serviceTiers });
  expect(rows[0]).toEqual(["Kind of token", "Standard", "Flex", "Priority"]);
  expect(rows.find(([kind]) => kind === "Output")).toEqual([
    "Output",
    "$10.00 / 1M",
    "$5.00 / 1M",
    "$20.00 / 1M",
  ]);
  expect(rows.find(([kind]) => kind === "Cache write, 1 hour")).toEqual([
    "Cache write, 1 hour",
    "—",
    "—",
    "$9.00 / 1M",
  ]);
});
