// Two requests side by side: every field of either, marked by word where they differ.
import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@solidjs/testing-library";
import { config } from "../../../test/answer-api.fixture.ts";
import { flattenJson, valuesMax } from "./flatten-json.ts";
import { detail, openLogs, pageOf, row } from "./open-logs.fixture.tsx";

const both = [row("gen-2"), row("gen-1")] as const;

/** The second costs more, was tried twice, and took longer. */
function openPair(path: string) {
  const app = openLogs(path, pageOf(...both));
  const attempt = { provider: "p", model: "m", status: 200, firstByteMs: 9, error: null };
  const failed = { ...attempt, provider: "q", status: 500, error: "bad_gateway", waitedMs: 5 };
  app.api.answer("logs.detail", (input) => {
    const { id } = Object(input);
    if (id === "gen-1") return { data: detail };
    if (id !== "gen-2") return { error: { fault: "not_found" } };
    const attempts = [failed, attempt];
    return { data: { ...detail, id, chargedUsd: "0.0005", totalMs: 99, attempts } };
  });
  return app;
}

const dialog = () => screen.findByRole("dialog", { name: "Compare requests" });

async function readRows() {
  const table = await screen.findByRole("table", { name: "Two requests, field by field" });
  const rows = [...table.querySelectorAll("tbody tr")].flatMap((one) => {
    const [title = "", first, second] = [...one.children].map(({ textContent }) => textContent);
    return second === undefined ? [] : [[title, { first, second }] as const];
  });
  return new Map(rows);
}

test("an address with two ids shows every field of both and marks those that differ", async () => {
  openPair("/logs?id=gen-1&with=gen-2");
  await dialog();
  const rows = await readRows();
  expect(rows.get("Model")).toEqual({ first: "m/one", second: "m/one" });
  expect(rows.get("Input")).toMatchObject({ first: "1,234 × $0.15 / 1M = $0.0001851" });
  expect(rows.get("ChargedDiffers")).toEqual({ first: "$0.000186", second: "$0.0005" });
  expect(rows.get("TotalDiffers")).toEqual({ first: "34 ms", second: "99 ms" });
  expect(rows.get("Attempt 1Differs")).toEqual({
    first: "p, m: answered 200, first byte after 9 ms",
    second: "q, m: failed with 500, bad_gateway, waited 5 ms",
  });
  expect(rows.get("Attempt 2Differs")).toMatchObject({ first: "—" });
  for (const title of ["Time", "Status", "Key", "Provider", "Tokens", "Streamed", "First token"]) {
    expect([...rows.keys()].some((shown) => shown.startsWith(title))).toBe(true);
  }
});

test("a switch leaves only the rows that differ", async () => {
  const { user } = openPair("/logs?id=gen-1&with=gen-2");
  await user.click(await screen.findByRole("switch", { name: "Only differences" }));
  const titles = [...(await readRows()).keys()];
  expect(titles).toContain("ChargedDiffers");
  expect(titles.filter((title) => !title.endsWith("Differs"))).toEqual([]);
});

test("a request waits from its sheet until another row is opened", async () => {
  const { user } = openPair("/logs?id=gen-1");
  const sheet = await screen.findByRole("dialog", { name: "Request" });
  await user.click(await within(sheet).findByRole("button", { name: "Compare with…" }));
  await screen.findByText(/^Open another request to compare it with/);
  expect(location.search).toBe("?with=gen-1");
  document.querySelector<HTMLElement>('[data-row="gen-2"] a')?.click();
  await dialog();
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
      id: "gen-2",
      with: "gen-1",
    }),
  );
  await user.keyboard("{Escape}");
  await waitFor(() => expect(location.search).toBe(""));
});

test("the menus of two rows choose what is compared", async () => {
  const { user } = openPair("/logs");
  const choose = async (id: string, item: string) => {
    (await screen.findByRole("button", { name: `Actions for ${id}` })).focus();
    await user.keyboard("{Enter}");
    (await screen.findByRole("menuitem", { name: item })).focus();
    await user.keyboard("{Enter}");
  };
  await choose("gen-2", "Compare with…");
  await screen.findByText(/^Open another request/);
  await choose("gen-1", "Compare with the chosen request");
  await dialog();
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
      id: "gen-1",
      with: "gen-2",
    }),
  );
});

test.each([
  ["/logs?id=gen-9&with=gen-1", "One of the two requests was not found.", ["gen-9"]],
  ["/logs?id=gen-1&with=gen-9", "One of the two requests was not found.", ["gen-9"]],
  ["/logs?id=gen-8&with=gen-9", "Neither request was found.", ["gen-8", "gen-9"]],
])("%s says which request is not found", async (path, text, ids) => {
  openPair(path);
  await within(await dialog()).findByText(text, { exact: false });
  for (const id of ids) screen.getByText(`Not found: ${id}`);
});

test("a request cannot be compared with itself", async () => {
  const { user } = openPair("/logs?id=gen-1&with=gen-1");
  await user.click(await screen.findByRole("button", { name: "Choose another" }));
  await waitFor(() => expect(location.search).toBe("?with=gen-1"));
});

const stored = (temperature: number) => ({
  request: { temperature, messages: [{ role: "user", content: "Hi" }] },
  answer: { text: "Hello" },
  truncated: { request: false, answer: false },
  redactions: null,
  storedAt: detail.at,
  deletedAfter: detail.at,
});

/** With storage on; the prompt of the second request is answered as given. */
async function openPrompts(second: () => { data: object } | { error: { fault: string } }) {
  const app = openPair("/logs?id=gen-1&with=gen-2");
  app.api.answer("config.public", () => ({ data: { ...config().data, prompts: true } }));
  app.api.answer("logs.prompt", (input) =>
    Object(input).id === "gen-1" ? { data: stored(0) } : second(),
  );
  const button = await screen.findByRole("button", { name: "Show prompts and answers" });
  expect(app.sent("logs.prompt")).toEqual([]);
  await app.user.click(button);
  const caption = "What was asked and answered, value by value";
  return { ...app, table: await screen.findByRole("table", { name: caption }) };
}

const textsOf = (table: HTMLElement) =>
  [...table.querySelectorAll("tbody tr")].map(({ textContent }) => textContent);

test("stored prompts are compared value by value, and only when asked for", async () => {
  const { table } = await openPrompts(() => ({ data: stored(1) }));
  await waitFor(() =>
    expect(textsOf(table)).toEqual([
      "Prompt",
      "temperatureDiffers01",
      "messages[0].roleuseruser",
      "messages[0].contentHiHi",
      "Answer",
      "textHelloHello",
    ]),
  );
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("a prompt that could not be loaded can be asked for again, and only that one", async () => {
  let fails = true;
  const { sent, table, user } = await openPrompts(() =>
    fails ? { error: { fault: "overloaded" } } : { data: stored(1) },
  );
  const again = await screen.findByRole("button", { name: "Try again" });
  screen.getByText(/^Request B: /);
  fails = false;
  const asked = sent("logs.prompt").length;
  await user.click(again);
  await waitFor(() => expect(textsOf(table)).toContain("temperatureDiffers01"));
  expect(sent("logs.prompt").slice(asked)).toEqual([{ id: "gen-2" }]);
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("a prompt that is not stored is not asked for again", async () => {
  await openPrompts(() => ({ error: { fault: "not_found" } }));
  await screen.findByText("Nothing is stored of request B.");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("values of a stored prompt are bounded, however deep and long it is", () => {
  let deep: unknown = "end";
  for (let depth = 0; depth < 10_000; depth += 1) deep = { deep };
  expect(flattenJson({ deep }).length).toBe(1);
  expect(flattenJson({ input: Array.from({ length: 4_000 }, () => 0.5) })).toHaveLength(1);
  const many = Array.from({ length: 4_000 }, () => ({ text: "a" }));
  expect(flattenJson(many)).toHaveLength(valuesMax);
  expect(flattenJson(null)).toEqual([["value", "null"]]);
});

test("values whose names have dots, brackets or quotes in them keep paths of their own", () => {
  const value = { "a.b": 1, a: { b: 2 }, "c[0]": 3, c: [{ d: 4 }], "": 5, 'e"': 6 };
  const facts = flattenJson(value);
  expect(new Map(facts).size).toBe(facts.length);
  expect(facts).toEqual([
    ['["a.b"]', "1"],
    ["a.b", "2"],
    ['["c[0]"]', "3"],
    ["c[0].d", "4"],
    ['[""]', "5"],
    ['["e\\""]', "6"],
  ]);
});
