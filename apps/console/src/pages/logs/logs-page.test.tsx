import { expect, test } from "bun:test";
import { cleanup, screen, waitFor, within } from "@solidjs/testing-library";
import { addDecimals } from "@turnpike/terms";
import { formatExactUsd } from "../../lib/format.ts";
import { detail, openLogs, pageOf, row } from "./open-logs.fixture.tsx";
import type { LogDetail } from "./use-log-detail.ts";

const focusedRow = () => document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;

/** The sheet of a request with this detail, by its link. */
async function openSheet(more: Partial<LogDetail> = {}) {
  const app = openLogs("/logs?id=gen-1", pageOf(row("gen-1")), more);
  return { ...app, sheet: await screen.findByRole("dialog", { name: "Request" }) };
}

test("LOG-2 LOG-4 a link opens the request, whose lines sum to the charge to the last digit", async () => {
  const { sheet } = await openSheet();
  await within(sheet).findByText("1,234 × $0.15 / 1M");
  for (const line of detail.costLines) {
    expect(within(sheet).getByText(formatExactUsd(line.costUsd))).toBeDefined();
  }
  expect(sheet.querySelector("[data-charged]")?.textContent).toBe("$0.000186");
  expect(addDecimals(detail.costLines.map((line) => line.costUsd))).toBe(detail.chargedUsd);
});

test("a streamed request says how fast its tokens arrived, a whole one does not", async () => {
  const timed = { completionTokens: 100, firstTokenMs: 500, totalMs: 1_500 };
  const speedIn = (sheet: HTMLElement) => within(sheet).queryByText("Speed")?.nextSibling;
  const streamed = await openSheet({ ...timed, streamed: true });
  await within(streamed.sheet).findByText("Summary");
  expect(speedIn(streamed.sheet)?.textContent).toBe("100 tok/s");
  cleanup();
  const whole = await openSheet({ ...timed, streamed: false });
  await within(whole.sheet).findByText("Summary");
  expect(speedIn(whole.sheet)).toBeUndefined();
});

const attempt = { provider: "p", model: "m", status: 200, firstByteMs: 9, error: null };

test.each<[string, Partial<LogDetail>, readonly string[]]>([
  ["a whole answer", {}, ["Gateway", "3 ms", "Provider", "31 ms"]],
  [
    "a stream",
    { streamed: true },
    ["Gateway", "3 ms", "Provider, first token", "9 ms", "Provider, rest of the answer", "22 ms"],
  ],
  [
    "a stream that never began",
    { streamed: true, firstTokenMs: null, status: 502 },
    ["Gateway", "3 ms", "Provider", "31 ms"],
  ],
  [
    "a call whose first route failed, each part where it was",
    {
      status: 200,
      attempts: [
        { ...attempt, provider: "q", status: 500, error: "bad_gateway", startedMs: 2, waitedMs: 8 },
        { ...attempt, startedMs: 11, waitedMs: 20 },
      ],
    },
    ["Checks and reservation", "2 ms", "q, attempt 1", "8 ms", "p, attempt 2", "20 ms"],
  ],
])("the time of %s is shown in its shares", async (_, more, shares) => {
  const { sheet } = await openSheet(more);
  const list = (await within(sheet).findByText(shares[0] ?? "")).closest("dl");
  const shown = [...(list?.querySelectorAll("dt, dd") ?? [])].map(({ textContent }) => textContent);
  expect(shown.filter((text) => text !== "")).toEqual([...shares]);
});

test("the timeline says how each attempt ended and how long it was waited for, old rows without", async () => {
  const failed = { ...attempt, provider: "q", status: 0, error: "bad_gateway", firstByteMs: null };
  const attempts = [failed, { ...failed, startedMs: 11, waitedMs: 20 }, attempt];
  const { sheet } = await openSheet({ attempts });
  const list = (await within(sheet).findByText("Received")).closest("ol");
  const steps = [...(list?.querySelectorAll("li") ?? [])].map(({ textContent }) => textContent);
  expect(steps.slice(1)).toEqual([
    "Key and limits checked, cost reserved$0.01 reserved",
    "q, attempt 1: no responsebad_gateway",
    "q, attempt 2: no response+31 msbad_gateway, waited 20 ms",
    "p, attempt 3: answered 200first byte after 9 ms",
    "First token+12 ms",
    "Ended, $0.000186 charged+34 ms",
  ]);
});

test("a request shows what its provider was asked without", async () => {
  const { sheet } = await openSheet({ ignored: ["min_p", "frequency_penalty"] });
  await within(sheet).findByText("min_p, frequency_penalty");
  expect(within(sheet).getByText("Not supported, ignored")).toBeDefined();
});

test("a refused request shows what the API answered, and the model that was asked for", async () => {
  const message =
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.";
  const { sheet } = await openSheet({
    status: 400,
    outcome: "refused",
    errorCode: "decimal_above_max_value",
    refusal: { message, param: "temperature" },
  });
  await within(sheet).findByText(message);
  expect(within(sheet).getByText("m/one")).toBeDefined();
  expect(within(sheet).queryByRole("link", { name: "Raise limit" })).toBeNull();
});

test("a refusal by a key's limit leads to where it is raised", async () => {
  const message =
    "This API key reached its spend limit. This request needs at least $0.01 and $0.002 is available. $0.004 is held by requests still running.";
  openLogs("/logs?id=gen-1", pageOf(row("gen-1")), {
    keyId: "k1",
    status: 402,
    outcome: "refused",
    errorCode: "key_limit_reached",
    refusal: { message },
  });
  const sheet = await screen.findByRole("dialog", { name: "Request" });
  await within(sheet).findByText(message);
  const raise = within(sheet).getByRole("link", { name: "Raise limit" });
  expect(raise.getAttribute("href")).toBe("/keys/k1?do=key-edit");
});

test("LOG-1 LOG-2 an embeddings call is marked in the list and in its sheet, and can be filtered", async () => {
  const embeddings = row("gen-1", { operation: "embeddings" });
  const { sent, user } = openLogs("/logs?operation=embeddings", pageOf(embeddings), embeddings);
  const list = await screen.findByRole("table", { name: "Requests, newest first" });
  within(list).getByText("Embeddings");
  expect(sent("logs.list")[0]).toMatchObject({ operation: "embeddings" });
  const filter = screen.getByRole("combobox", { name: "Operation" });
  await user.selectOptions(filter, "Chat completion");
  await waitFor(() => expect(location.search).toBe("?operation=chat"));
  await user.keyboard("{Escape}j{Enter}");
  history.pushState(null, "", "/logs?id=gen-1");
  window.dispatchEvent(new PopStateEvent("popstate"));
  const sheet = await screen.findByRole("dialog", { name: "Request" });
  await within(sheet).findByText("Embeddings");
  expect(within(sheet).queryByText("Open in Playground")).toBeNull();
});

test("a call's sheet shows what is billed besides tokens", async () => {
  const units = [
    { unit: "images", variant: "1K", count: 3 },
    { unit: "audioMilliseconds", count: 12_400 },
  ];
  const images = row("gen-1", { operation: "image" });
  openLogs("/logs?id=gen-1", pageOf(images), { ...images, units });
  const sheet = await screen.findByRole("dialog", { name: "Request" });
  await within(sheet).findByText("Images");
  within(sheet).getByText("3 images, 1K; 12.4 s of audio");
});

const failed = row("gen-1", {
  status: 502,
  errorCode: "bad_gateway",
  totalMs: 34.6,
  app: "My app, v2",
  user: "ada",
});

test.each([
  ["Status: 5xx", "?status=5xx"],
  ["Model: m/one", "?models=m%2Fone"],
  ["Provider: p", "?providers=p"],
  ["Key: ci", "?keys=k1"],
  ["App: My app, v2", "?app=My+app%2C+v2"],
  ["User: ada", "?user=ada"],
  ["Operation: Chat completion", "?operation=chat"],
  ["Error code: bad_gateway", "?code=bad_gateway"],
  ["Cost: $0.000186 or more", "?minCost=0.000186"],
  ["Duration: 35 ms or more", "?minLatency=34"],
])("the menu of a row filters the list by %s", async (value, search) => {
  const { api, user } = openLogs("/logs", pageOf());
  api.answer("logs.list", () => ({ data: { ...pageOf(), rows: [{ ...failed, keyId: "k1" }] } }));
  (await screen.findByRole("button", { name: "Actions for gen-1" })).focus();
  await user.keyboard("{Enter}");
  (await screen.findByRole("menuitem", { name: value })).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(location.search).toBe(search));
});

test("the menu of an open request filters the list by a value, and closes the request", async () => {
  const { sheet, user } = await openSheet();
  (await within(sheet).findByRole("button", { name: "Filter by…" })).focus();
  await user.keyboard("{Enter}");
  (await screen.findByRole("menuitem", { name: "Source: ci" })).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(location.search).toBe("?origin=api"));
});

test("an open request shows its app and its user, if it has them", async () => {
  const { sheet } = await openSheet({ app: "My app", user: null });
  expect((await within(sheet).findByText("My app")).previousElementSibling?.textContent).toBe(
    "App",
  );
  expect(within(sheet).queryByText("User")).toBeNull();
});

test("LOG-1 the list is one request, with the filters of the address", async () => {
  const key = "0199a000-0000-7000-8000-000000000001";
  const { api } = openLogs(
    `/logs?keys=${key}&status=5xx&minCost=0.00012&minLatency=fast`,
    pageOf(row("gen-1")),
  );
  await screen.findByRole("table", { name: "Requests, newest first" });
  const asked = api.calls.filter(({ path }) => path.startsWith("logs."));
  expect(asked).toHaveLength(1);
  expect(asked[0]?.input).toMatchObject({
    keyIds: [key],
    statusClass: "5xx",
    minCostUsd: "0.00012",
  });
  expect(asked[0]?.input).not.toHaveProperty("minLatencyMs");
});

test("requests without an app are a filter, which a name replaces", async () => {
  const { sent, user } = openLogs("/logs?without=app,user", pageOf(row("gen-1")));
  await screen.findByRole("table", { name: "Requests, newest first" });
  const box = screen.getByRole("checkbox", { name: "Without an app" });
  expect(box).toHaveProperty("checked", true);
  expect(sent("logs.list")[0]).toMatchObject({ without: ["app", "user"] });
  await user.type(screen.getByRole("textbox", { name: "App" }), "shop{Enter}");
  await waitFor(() => expect(location.search).toBe("?without=user&app=shop"));
  await user.click(screen.getByRole("checkbox", { name: "Without an app" }));
  await waitFor(() => expect(location.search).toBe("?without=user%2Capp"));
});

test("j and k move through the rows and the open requests, Enter opens, Escape closes", async () => {
  const { user } = openLogs("/logs", pageOf(row("gen-3"), row("gen-2"), row("gen-1")));
  await screen.findByRole("table", { name: "Requests, newest first" });
  await user.keyboard("jjjk");
  expect(focusedRow()).toBe("gen-2");
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "Request" });
  await user.keyboard("j");
  await waitFor(() => expect(location.search).toBe("?id=gen-1"));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(location.search).toBe(""));
});

test("requests of one minute are distinguishable: seconds in the list, milliseconds in the sheet", async () => {
  const year = new Date().getUTCFullYear();
  const at = (ms: string) => `${year}-01-12T14:03:${ms}Z`;
  const { user } = openLogs(
    "/logs",
    pageOf(row("gen-1", { at: at("27.045") }), row("gen-2", { at: at("28.9") })),
    { at: at("27.045") },
  );
  await screen.findByText("Jan 12, 14:03:27");
  screen.getByText("Jan 12, 14:03:28");
  await user.click(screen.getByText("Jan 12, 14:03:27"));
  const sheet = await screen.findByRole("dialog", { name: "Request" });
  const shown = await within(sheet).findAllByText(`Jan 12, ${year}, 14:03:27.045`);
  expect(shown).toHaveLength(2);
});
