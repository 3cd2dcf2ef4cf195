import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@solidjs/testing-library";
import { addDecimals } from "@turnpike/terms";
import { openApp } from "../../../test/open-app.fixture.tsx";
import { usageCsv } from "./export-usage.ts";
import { explored, forecast, sums, timing, usage } from "./usage.fixture.ts";
import type { Usage } from "./use-usage.ts";

const nothing = { ...usage, cards: { ...usage.cards, ...sums("0", 0) }, series: [], breakdown: [] };

const open = (path: string, answer: Usage) =>
  openApp(path, {
    "usage.read": () => ({ data: answer }),
    "usage.explore": () => ({ data: explored }),
    "usage.forecast": () => ({ data: forecast }),
  });

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
  expect(location.search).toBe("?range=30d&models=m%2Fone&compare=0&rows=provider");
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

test("the former address of two dimensions shows the same page, and keeps what it was narrowed to", async () => {
  const query =
    "?keys=k1&status=ok&measure=requests&rows=key&columns=model&sort=total-up&range=30d";
  const { sent } = open(`/explore${query}`, usage);
  await screen.findByRole("table", { name: "Requests by key and model" });
  expect(location.pathname + location.search).toBe(`/usage${query}`);
  const narrowed = { keyIds: ["k1"], statuses: ["ok"] };
  expect(sent("usage.read").at(-1)).toMatchObject({ ...narrowed, groupBy: "key" });
  const shape = { measure: "requests", rows: "key", columns: "model" };
  expect(sent("usage.explore").at(-1)).toMatchObject({ ...narrowed, ...shape });
});

test("links with the parameters of earlier versions show what they named", async () => {
  open("/usage?tab=errors&group=key&sort=errorRate", usage);
  const breakdown = await screen.findByRole("table", { name: "Usage by key" });
  const sorted = within(breakdown).getByRole("columnheader", { name: "Error rate" });
  expect(sorted.getAttribute("aria-sort")).toBe("descending");
  screen.getByRole("tab", { name: "Errors", selected: true });
  await screen.findByRole("table", { name: "Errors by code" });
});

test("what a link leaves open is spend by model, at both addresses", async () => {
  for (const path of ["/usage", "/explore"]) {
    const { sent, unmount } = open(path, usage);
    await screen.findByRole("table", { name: "Usage by model" });
    expect(location.pathname).toBe("/usage");
    await waitFor(() => expect(sent("usage.explore")).toHaveLength(1));
    expect(sent("usage.explore")[0]).toMatchObject({ measure: "spend", rows: "model" });
    await screen.findByRole("region", { name: "Unusual days" });
    unmount();
  }
});

test("a second dimension turns measures that are shown together into one", async () => {
  const { user } = open("/usage?tab=tokens", usage);
  await screen.findByRole("table", { name: "Usage by model" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Columns" }), "and by key");
  await screen.findByRole("table", { name: "Input tokens by model and key" });
  const measure = screen.getByRole("combobox", { name: "Measure" });
  const offered = within(measure)
    .getAllByRole("option")
    .map(({ textContent }) => textContent);
  expect(offered).toEqual(["Input tokens", "Output tokens", "Cached tokens"]);
});

test("what is billed by other units has a tab, a column each, and columns of the file", async () => {
  const units = { images: 3, audioMilliseconds: 72_000 };
  const [one, ...others] = usage.breakdown;
  if (one === undefined) throw new Error("no row");
  const billed = {
    ...usage,
    cards: { ...usage.cards, units },
    breakdown: [{ ...one, units }, ...others],
  };
  const { user, sent } = open("/usage", billed);
  await user.click(await screen.findByRole("tab", { name: "Other units" }));
  const breakdown = await screen.findByRole("table", { name: "Usage by model" });
  const heads = within(breakdown)
    .getAllByRole("columnheader")
    .map((head) => head.textContent?.trim());
  expect(heads.slice(1)).toEqual(["Spend", "Requests", "Images", "Audio", "Error rate"]);
  expect(cellsOf(breakdown, 3)).toEqual(["3", "0"]);
  expect(cellsOf(breakdown, 4)[0]).toBe("1 min 12 s");
  await waitFor(() => expect(sent("usage.explore").at(-1)).toMatchObject({ measure: "images" }));
  const [head = ""] = usageCsv(billed, "model").split("\r\n");
  expect(head).toContain("images,audio_milliseconds,characters,search_units");
});

test("without other units there is no tab for them", async () => {
  open("/usage", usage);
  await screen.findByRole("tab", { name: "Tokens" });
  expect(screen.queryByRole("tab", { name: "Other units" })).toBeNull();
});
