import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@solidjs/testing-library";
import { addDecimals } from "@turnpike/terms";
import { openApp } from "../../../test/open-app.fixture.tsx";
import { usageCsv } from "./export-usage.ts";
import type { Usage } from "./usage-cards.tsx";

const sums = (costUsd: string, requests: number) => ({
  costUsd,
  requests,
  promptTokens: requests * 10,
  completionTokens: requests * 5,
  cachedTokens: 0,
});

const timing = { errorRate: 0.25, p50Ms: 840, p95Ms: 1_240, firstTokenP50Ms: 120 };

const usage: Usage = {
  bucket: "day",
  coveredFrom: null,
  cards: { ...sums("1.100000001", 4), ...timing },
  previous: { ...sums("2.2", 2), ...timing },
  previousSeries: [
    { at: "2026-03-08T00:00:00.000Z", costUsd: "2.2" },
    { at: "2026-03-09T00:00:00.000Z", costUsd: "0" },
  ],
  used: true,
  series: [
    { at: "2026-03-10T00:00:00.000Z", groups: [{ id: "m/one", ...sums("0.1", 1) }] },
    {
      at: "2026-03-11T00:00:00.000Z",
      groups: [
        { id: "m/one", ...sums("0.2", 1) },
        { id: "m/two", ...sums("0.800000001", 2) },
      ],
    },
  ],
  latency: [],
  errors: [{ code: "bad_gateway", count: 1 }],
  breakdown: [
    { id: "m/two", label: "m/two", ...timing, errorRate: 0.5, ...sums("0.800000001", 2) },
    { id: "m/one", label: "m/one", ...timing, p95Ms: 2_500, ...sums("0.3", 2) },
  ],
};

const nothing = { ...usage, cards: { ...usage.cards, ...sums("0", 0) }, series: [], breakdown: [] };

const open = (path: string, answer: Usage) =>
  openApp(path, { "usage.read": () => ({ data: answer }) });

const cellsOf = (table: HTMLElement, column: number) =>
  [...table.querySelectorAll("tbody tr")].map((row) => row.children[column]?.textContent);

test("USG-3 card, chart table, breakdown and file have the same total", async () => {
  const { user } = open("/usage", usage);
  const breakdown = await screen.findByRole("table", { name: "Usage by model" });
  expect(cellsOf(breakdown, 0)).toEqual(["m/two", "m/one"]);
  expect(cellsOf(breakdown, 1)).toEqual(["$0.8000", "$0.3000"]);
  await user.click(await screen.findByRole("button", { name: "View as table" }));
  const chart = screen.getByRole("table", { name: /^Spend, USD per day/ });
  const foot = [...chart.querySelectorAll("tfoot td")].map((cell) => cell.textContent);
  expect(foot).toEqual(["$1.100000001", "$0.800000001", "$0.300000000"]);
  const [, ...lines] = usageCsv(usage, "model").trim().split("\r\n");
  expect(addDecimals(lines.map((line) => line.split(",")[3] ?? ""))).toBe(usage.cards.costUsd);
  expect(screen.getByText("Spend down 50.0% to $1.10 (2 models)")).toBeDefined();
});

test("no group runs as a formula in a spreadsheet, by whichever name", () => {
  const breakdown = usage.breakdown.map((row) => ({ ...row, label: "=1+1" }));
  const [, ...lines] = usageCsv({ ...usage, breakdown }, "key")
    .trim()
    .split("\r\n");
  expect(lines.map((line) => line.split(",")[2])).toEqual(Array(3).fill(`"'=1+1"`));
});

test("USG-1 the address is the question, and a filter changes both", async () => {
  const { user, sent } = open("/usage?range=30d&models=m%2Fone&group=key&compare=0", usage);
  await screen.findByRole("table", { name: "Usage by key" });
  const asked = () => sent("usage.read");
  expect(asked()[0]).toMatchObject({ models: ["m/one"], groupBy: "key", compare: false });
  await user.selectOptions(screen.getByRole("combobox", { name: "Group by" }), "By provider");
  await screen.findByRole("table", { name: "Usage by provider" });
  expect(location.search).toBe("?range=30d&models=m%2Fone&group=provider&compare=0");
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ groupBy: "provider" }));
});

test("beside the view of performance each model has its first token and durations, which sort it", async () => {
  const { user } = open("/usage?tab=performance", usage);
  const breakdown = await screen.findByRole("table", { name: "Usage by model" });
  expect(cellsOf(breakdown, 0)).toEqual(["m/two", "m/one"]);
  const heads = within(breakdown).getAllByRole("columnheader");
  expect(heads.slice(2, 5).map(({ textContent }) => textContent)).toEqual([
    "First token p50",
    "Latency p50",
    "Latency p95",
  ]);
  expect(cellsOf(breakdown, 2)).toEqual(["120 ms", "120 ms"]);
  expect(cellsOf(breakdown, 4)).toEqual(["1.24 s", "2.50 s"]);
  await user.click(within(breakdown).getByRole("button", { name: "Latency p95" }));
  expect(cellsOf(breakdown, 0)).toEqual(["m/one", "m/two"]);
  // Which does not show that column.
  await user.click(screen.getByRole("tab", { name: "Spend" }));
  expect(cellsOf(breakdown, 0)).toEqual(["m/two", "m/one"]);
});

test("what was not measured comes last in both orders", async () => {
  const unmeasured = {
    ...timing,
    errorRate: null,
    p50Ms: null,
    p95Ms: null,
    firstTokenP50Ms: null,
  };
  const refused = { id: "m/none", label: "m/none", ...sums("0", 0), ...unmeasured };
  const { user } = open("/usage?tab=performance", {
    ...usage,
    breakdown: [refused, ...usage.breakdown],
  });
  const breakdown = await screen.findByRole("table", { name: "Usage by model" });
  const sortBy = async (title: string) => {
    await user.click(within(breakdown).getByRole("button", { name: title }));
    return cellsOf(breakdown, 0);
  };
  for (const title of ["First token p50", "Latency p50", "Latency p95", "Error rate"]) {
    const both = [await sortBy(title), await sortBy(title)];
    expect([title, both.map((names) => names.at(-1))]).toEqual([title, ["m/none", "m/none"]]);
  }
});

test("the error rate leads to the requests that failed in the same range", async () => {
  open("/usage?range=30d&keys=k1", usage);
  const link = await screen.findByRole("link", { name: "Error rate" });
  expect(link.getAttribute("href")).toBe("/logs?range=30d&keys=k1&status=failed");
});

test("a range without requests offers a longer one, an account without any the quickstart", async () => {
  const { api, user } = open("/usage", nothing);
  const empty = await screen.findByText("No requests in this range.");
  await user.click(within(empty.parentElement ?? empty).getByRole("button"));
  await waitFor(() => expect(location.search).toBe("?range=30d"));
  api.answer("usage.read", () => ({ data: { ...nothing, used: false } }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Range" }), "Today");
  await screen.findByText("No usage yet.");
});

test("requests that named no model have no link to logs, which cannot be filtered by that", async () => {
  const none = { id: "", label: "(none)", ...timing, errorRate: 1, ...sums("0", 3) };
  open("/usage", { ...usage, breakdown: [...usage.breakdown, none] });
  await screen.findByRole("row", { name: /\(none\)/ });
  screen.getByRole("link", { name: "m/one" });
  expect(screen.queryByRole("link", { name: "(none)" })).toBeNull();
});
