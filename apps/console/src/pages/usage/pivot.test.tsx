// Usage by two dimensions with days that are unlike the others, and what its addresses and files say.
import { expect, test } from "bun:test";
import { screen, within } from "@solidjs/testing-library";
import { narrowScreen } from "../../../test/narrow-screen.fixture.ts";
import { openApp } from "../../../test/open-app.fixture.tsx";
import { wholeText } from "../../../test/whole-text.fixture.ts";
import { tableCsv } from "./export-usage.ts";
import { logsFilterOf, statusFilterOf } from "./logs-filter.ts";
import type { Dimension } from "./measures.ts";
import { parseViews } from "./saved-views.tsx";
import { forecast, explored as found, usage } from "./usage.fixture.ts";

const open = (address: string) =>
  openApp(address, {
    "usage.read": () => ({ data: usage }),
    "usage.explore": () => ({ data: found }),
    "usage.forecast": () => ({ data: forecast }),
  });

test("an unusual day names its key and model and leads to their requests", async () => {
  open("/usage?columns=key&range=30d");
  const days = await screen.findByRole("region", { name: "Unusual days" });
  expect(days.textContent).toContain(
    "Mar 11: $9.00, usually $1.02. Mostly the key production with $8.50 (usually $0.90). Mostly the model m/one",
  );
  const link = within(days).getByRole("link", { name: "View logs of Mar 11" });
  expect(link.getAttribute("href")).toContain("keys=k1");
  expect(link.getAttribute("href")).toContain("from=2026-03-11");
});

test("the forecast says what it is based on", async () => {
  open("/usage?columns=key");
  const text = await screen.findByText(wholeText(/^This month: \$10\.10 so far/));
  expect(text.textContent).toBe(
    "This month: $10.10 so far. About $40.25 by Mar 31 at the pace of the last 7 days.",
  );
});

test("saved views say that they are kept in this browser, and the link of an open one can be copied", async () => {
  const query = "?rows=key&columns=model";
  localStorage.setItem("explore.a1", JSON.stringify([{ name: "By key", query }]));
  const { user } = open(`/usage${query}`);
  (await screen.findByRole("button", { name: "By key" })).focus();
  await user.keyboard("{Enter}");
  screen.getByText("Saved in this browser only");
  const link = await screen.findByRole("menuitem", { name: "By key" });
  expect(link.getAttribute("href")).toBe(`/usage${query}`);
  screen.getByRole("menuitem", { name: "Copy a link to this view" }).focus();
  await user.keyboard("{Enter}");
  await screen.findByText("Copied the link");
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/usage${query}`);
});

test("the file has every cell exactly, and times in ISO 8601", () => {
  const view = {
    measure: () => "spend" as const,
    rows: () => "model" as const,
    columns: () => "key" as const,
  };
  expect(tableCsv(found, view).trim().split("\r\n")).toEqual([
    "model_id,model,production,Other,total_spend,requests",
    "m/one,m/one,9,0.1,9.1,3",
    ',"(none)",0,1.000000001,1.000000001,1',
  ]);
});

test("no row or column runs as a formula in a spreadsheet, by whichever name", () => {
  const named = <Value extends { readonly id: string | null }>(values: readonly Value[]) =>
    values.map((value) => (value.id === null ? value : { ...value, label: "=1+1" }));
  const view = {
    measure: () => "spend" as const,
    rows: () => "app" as const,
    columns: () => "key" as const,
  };
  const file = tableCsv({ ...found, rows: named(found.rows), columns: named(found.columns) }, view);
  const [head = "", ...lines] = file.trim().split("\r\n");
  expect(head).toContain(`,"'=1+1",`);
  for (const line of lines) expect(line).toContain(`,"'=1+1",`);
});

test("a number leads to the requests it counts, or nowhere", () => {
  const range = { from: new Date("2026-03-11T10:30:00Z"), to: new Date("2026-03-12T00:00:00Z") };
  const explored = { keys: [], timeZone: "UTC", range, keyIds: [] };
  const of = (...values: readonly (readonly [Dimension, string | null])[]) =>
    logsFilterOf(
      values.map(([dimension, id]) => [dimension, { id, label: "" }] as const),
      explored,
    );
  expect(of(["model", null])).toBeUndefined();
  expect(of(["model", ""])).toBeUndefined();
  expect(of(["member", "ada@example.com"])).toBeUndefined();
  expect(of(["app", ""])).toEqual({ without: "app" });
  expect(of(["app", ""], ["user", ""])).toEqual({ without: "app,user" });
  expect(of(["app", "shop"], ["user", ""])).toEqual({ app: "shop", without: "user" });
  expect(of(["key", "playground"])).toEqual({ origin: "playground" });
  expect(of(["status", "client_error"], ["provider", "p"])).toEqual({
    status: "4xx",
    providers: "p",
  });
  // Of a day only what the range has of it, and of an hour within a day only that hour.
  const day = { range: "", from: "2026-03-11T10:30:00.000Z", to: "2026-03-12T00:00:00.000Z" };
  expect(of(["day", "2026-03-11T00:00:00Z"])).toEqual(day);
  const hour = { range: "", from: "2026-03-11T13:00:00.000Z", to: "2026-03-11T14:00:00.000Z" };
  expect(of(["hour", "2026-03-11T13:00:00Z"], ["day", "2026-03-11T00:00:00Z"])).toEqual(hour);
  const narrowed = { ...explored, keyIds: ["k2"] };
  expect(logsFilterOf([["key", { id: "k1", label: "" }]], narrowed)).toBeUndefined();
  expect(statusFilterOf(["server_error"], true)).toEqual({ status: "5xx" });
  expect(statusFilterOf(["server_error", "ok"], false)).toBeUndefined();
  expect(statusFilterOf([], true)).toEqual({ status: "failed" });
  expect(statusFilterOf([], false)).toEqual({});
  expect(statusFilterOf(["client_error", "server_error"], false)).toEqual({ status: "failed" });
  expect(statusFilterOf(["ok", "client_error"], true)).toEqual({ status: "4xx" });
  expect(statusFilterOf(["ok"], true)).toBeUndefined();
});

test("all numbers of the table have the same decimals, to be compared across columns too", async () => {
  const [row] = found.rows;
  const rows = row ? [{ ...row, total: "9.1", cells: ["9.0987", "0.0013"] }] : [];
  openApp("/usage?columns=key", {
    "usage.read": () => ({ data: usage }),
    "usage.explore": () => ({ data: { ...found, rows } }),
    "usage.forecast": () => ({ data: forecast }),
  });
  const shown = await screen.findByRole("row", { name: /m\/one/ });
  const cells = within(shown).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "$9.1000",
    "$9.0987",
    "$0.0013",
    "3",
  ]);
});

test("a pair of values without spending has a dash", async () => {
  open("/usage?columns=key&measure=spend");
  const table = await screen.findByRole("table", { name: "Spend by model and key" });
  const row = within(table).getByRole("row", { name: /\(none\)/ });
  const cells = [...row.children].map((cell) => cell.textContent);
  expect(cells.slice(1, 4)).toEqual(["$1.00", "—", "$1.00"]);
});

test("on a phone a pair of values without spending has no line", async () => {
  const widen = narrowScreen();
  try {
    open("/usage?columns=key&measure=spend");
    const cards = await screen.findByRole("list", { name: "Spend by model and key" });
    const [one, none] = within(cards).getAllByRole("listitem");
    const titles = (card = cards) =>
      within(card)
        .getAllByRole("term")
        .map(({ textContent }) => textContent);
    expect(titles(one)).toEqual(["Total", "production", "Other", "Requests"]);
    expect(titles(none)).toEqual(["Total", "Other", "Requests"]);
  } finally {
    widen();
  }
});

test("what else is stored in place of views is ignored", () => {
  const views = [{ name: "a", query: "?rows=key" }, { name: 1, query: "" }, null];
  expect(parseViews(JSON.stringify([...views, { name: "b", query: "https://x" }]))).toEqual([
    { name: "a", query: "?rows=key" },
  ]);
  for (const text of [undefined, "", "{", "7", '{"a":1}']) expect(parseViews(text)).toEqual([]);
});
