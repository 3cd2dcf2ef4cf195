// What the page of a model says of its prices, exactly those it has, of its speed, its availability and its routes, and how
// it is called.
import { beforeEach, expect, test } from "bun:test";
import { render, screen, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { modelOf, noFigures } from "../../../test/model.fixture.ts";
import { App } from "../../app.tsx";

const route = {
  provider: "cloud",
  prices: null,
  dataCollection: null,
  zeroDataRetention: null,
  works: true,
  ...noFigures,
};
const standard = {
  inputUsd: "2.5",
  cachedInputUsd: "1.25",
  cacheWriteUsd: "2.5",
  outputUsd: "10",
};
const detail = {
  ...modelOf("acme/large", {
    providers: ["cloud", "north"],
    inputs: ["text", "image"],
    prices: standard,
  }),
  routes: [route],
  serviceTiers: [],
  supportedParameters: [],
  priceHistory: [{ since: "2026-01-01T00:00:00.000Z", prices: standard }],
};

function open(patch: object = {}): void {
  history.replaceState(null, "", "/models/acme/large");
  const model = { ...detail, ...patch };
  answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "models.list": () => ({ data: [model] }),
    "models.detail": () => ({ data: model }),
  });
  render(() => <App />);
}

/** The cells, row by row, with the heads first. */
async function readTable(name: string): Promise<(string | undefined)[][]> {
  const table = await screen.findByRole("table", { name });
  return within(table)
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim()));
}

const routesTable = "Routes of this model";

async function readPrices(patch?: object) {
  open(patch);
  const [heads, ...rows] = await readTable("Prices");
  return {
    heads,
    kinds: rows.map(([kind]) => kind),
    of: Object.fromEntries(rows.map(([kind, ...prices]) => [kind, prices])),
  };
}

beforeEach(() => localStorage.clear());

test("where nothing was measured the page says so instead of showing figures", async () => {
  open();
  await screen.findByText(/^Too few requests were made here in the last 30 days/);
  expect(screen.queryByText("Median, 30 days")).toBeNull();
  const [, shown] = await readTable(routesTable);
  expect(shown).toEqual([
    "cloud",
    "Operational",
    "—",
    "—",
    "—",
    "—",
    "$2.50 / $10.00",
    "Not stated",
  ]);
});

test("each route shows its own figures, price and data policy", async () => {
  const measured = {
    recentAvailability: 1,
    monthAvailability: 0.987,
    firstTokenMs: 420,
    tokensPerSecond: 81.6,
  };
  const prices = { ...detail.prices, inputUsd: "2", outputUsd: "20" };
  const routes = [
    { ...route, ...measured, dataCollection: "deny" },
    { ...route, provider: "north", works: false, prices, zeroDataRetention: true },
    { ...route, provider: "west", dataCollection: "allow" },
  ];
  open({ figures: measured, routes });
  expect((await readTable(routesTable)).slice(1)).toEqual([
    ["cloud", "Operational", "420 ms", "82 tok/s", "100.0%", "98.7%", "$2.50 / $10.00"].concat(
      "Not used for training",
    ),
    ["north", "Outage", "—", "—", "—", "—", "$2.00 / $20.00", "Not kept"],
    ["west", "Operational", "—", "—", "—", "—", "$2.50 / $10.00"].concat(
      "May be kept or used for training",
    ),
  ]);
  expect(await screen.findAllByText("24 hours")).toHaveLength(2);
  expect(screen.getByText("Lab").nextElementSibling?.textContent).toBe("acme");
  expect(screen.getByText("Providers").nextElementSibling?.textContent).toBe("cloud, north");
  expect(screen.getByText("Modalities").nextElementSibling?.textContent).toBe("text, image → text");
});

test.each([
  ["Chat completions", "/v1/chat/completions"],
  ["Responses", "/v1/responses"],
  ["Messages", "/v1/messages"],
])("the first request has code for %s", async (name, path) => {
  open();
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "API" }), name);
  await screen.findByText(new RegExp(`http://localhost:3000${path}`));
  expect(screen.getByRole("group", { name: "curl" }).textContent).toContain("acme/large");
});

test("a model shows the prices that it has", async () => {
  const { heads, kinds } = await readPrices();
  expect(heads).toEqual(["Kind of token", "Price per 1M"]);
  expect(kinds).toEqual(["Input", "Cached input", "Cache write", "Output"]);
});

test("prices of other units have rows by variant, and tokens that are not billed have none", async () => {
  const free = { inputUsd: "0", cachedInputUsd: "0", cacheWriteUsd: "0", outputUsd: "0" };
  const units = [
    { unit: "images", variant: "1K", usd: "0.04" },
    { unit: "images", variant: "4K", usd: "0.12" },
  ];
  const prices = { ...free, units };
  const { heads, of } = await readPrices({ operation: "image", prices, maxOutputTokens: null });
  expect(heads).toEqual(["Billed by", "Price"]);
  expect(of).toEqual({ "Per image, 1K": ["$0.04"], "Per image, 4K": ["$0.12"] });
  expect((await readTable(routesTable))[1]).toContain("From $0.04 per image");
});

test("one-hour cache writes, audio and searches have rows if they have a price", async () => {
  const more = {
    cacheWrite1hUsd: "5",
    audioInputUsd: "40",
    audioOutputUsd: "80",
    webSearchUsd: "25",
  };
  const { of } = await readPrices({ prices: { ...standard, ...more } });
  expect(of).toMatchObject({
    "Cache write, 1 hour": ["$5.00 / 1M"],
    "Audio input": ["$40.00 / 1M"],
    "Audio output": ["$80.00 / 1M"],
    "Web search, per 1,000": ["$25.00"],
  });
});

test("prices of long prompts and of service tiers are shown next to the standard prices", async () => {
  const priority = { ...standard, cacheWrite1hUsd: "9", outputUsd: "20" };
  const { heads, of } = await readPrices({
    longPrompts: [{ aboveTokens: 200_000, prices: { ...standard, outputUsd: "15" } }],
    serviceTiers: [
      { name: "flex", prices: { ...standard, outputUsd: "5" } },
      { name: "priority", prices: priority },
    ],
  });
  const lists = ["Standard", "Prompts over 200,000 tokens", "Flex", "Priority"];
  expect(heads).toEqual(["Kind of token", ...lists]);
  expect(of).toMatchObject({
    Output: ["$10.00 / 1M", "$15.00 / 1M", "$5.00 / 1M", "$20.00 / 1M"],
    "Cache write, 1 hour": ["—", "—", "—", "$9.00 / 1M"],
  });
});
