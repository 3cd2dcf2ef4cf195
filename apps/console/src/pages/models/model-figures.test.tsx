// What the page of a model says of its speed, its availability and its routes, and how it is called.
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
const detail = {
  ...modelOf("acme/large", { providers: ["cloud", "north"], inputs: ["text", "image"] }),
  routes: [route],
  serviceTiers: [],
  supportedParameters: [],
  priceHistory: [],
};

function open(model: object): void {
  history.replaceState(null, "", "/models/acme/large");
  answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "models.list": () => ({ data: [model] }),
    "models.detail": () => ({ data: model }),
  });
  render(() => <App />);
}

async function readRoutes(): Promise<(string | undefined)[][]> {
  const table = await screen.findByRole("table", { name: "Routes of this model" });
  return within(table)
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim()));
}

beforeEach(() => localStorage.clear());

test("where nothing was measured the page says so instead of showing figures", async () => {
  open(detail);
  await screen.findByText(/^Too few calls were made here in the last 30 days/);
  expect(screen.queryByText("Median, 30 days")).toBeNull();
  const [, shown] = await readRoutes();
  expect(shown).toEqual([
    "cloud",
    "Operational",
    "—",
    "—",
    "—",
    "—",
    "$1.00 / $10.00",
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
  open({ ...detail, figures: measured, routes });
  expect((await readRoutes()).slice(1)).toEqual([
    ["cloud", "Operational", "420 ms", "82 tok/s", "100.0%", "98.7%", "$1.00 / $10.00"].concat(
      "Not used for training",
    ),
    ["north", "Outage", "—", "—", "—", "—", "$2.00 / $20.00", "Not kept"],
    ["west", "Operational", "—", "—", "—", "—", "$1.00 / $10.00"].concat(
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
  open(detail);
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "API" }), name);
  await screen.findByText(new RegExp(`http://localhost:3000${path}`));
  expect(screen.getByRole("group", { name: "curl" }).textContent).toContain("acme/large");
});
