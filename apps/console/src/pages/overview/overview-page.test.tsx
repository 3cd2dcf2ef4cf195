import { describe, expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { wallet } from "../../../test/answer-api.fixture.ts";
import { logRow } from "../../../test/log-row.fixture.ts";
import { openApp } from "../../../test/open-app.fixture.tsx";
import { wholeText } from "../../../test/whole-text.fixture.ts";

const request = logRow("gen-1", { model: "alpha-large", costUsd: "0.0001" });
const sums = { costUsd: "0.0001", requests: 1 };
const empty = {
  steps: { funded: false, hasKey: false, hasRequest: false },
  wallet: wallet().data,
  todayUsd: "0",
  monthUsd: "0",
  lastMonthUsd: "0",
  requestsToday: 0,
  requests: 0,
  errorRate: null,
  medianLatencyMs: null,
  series: [],
  topKeys: [],
  lastRequests: [],
};
const used = {
  ...empty,
  steps: { funded: true, hasKey: true, hasRequest: true },
  todayUsd: "0.0001",
  monthUsd: "1.5",
  lastMonthUsd: "18.2",
  requestsToday: 1,
  requests: 12,
  errorRate: 0.25,
  medianLatencyMs: 840,
  series: [{ day: "2026-11-12T00:00:00Z", models: [{ model: "alpha-large", ...sums }] }],
  topKeys: [{ id: "k1", name: "production", ...sums }],
  lastRequests: [request],
};

function open(overview: object, money: object = {}) {
  return openApp("/", {
    "wallet.summary": () => ({ data: { ...wallet().data, ...money } }),
    "models.list": () => ({ data: [{ id: "alpha-large" }] }),
    "overview.read": () => ({ data: overview }),
  });
}

test("OVR-1 an empty account sees its three steps, each one click away, and no empty chart", async () => {
  open(empty);
  await screen.findByText("Welcome. Three steps to your first answer.");
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("Add funds")).toBe("/wallet?do=add-funds");
  expect(hrefOf("Create API Key")).toBe("/keys?do=create-key");
  await screen.findByRole("group", { name: "curl" });
  screen.getByText("Waiting for the first request…");
  expect(screen.queryByText("Spend, USD per day")).toBeNull();
  expect(screen.queryByText("Error rate")).toBeNull();
});

test("a failed first request ends the waiting and is explained with what to do", async () => {
  const failed = { ...request, status: 402, outcome: "refused", errorCode: "insufficient_quota" };
  open({ ...empty, lastRequests: [failed] });
  await screen.findByText("Your request arrived and failed: 402, insufficient_quota");
  screen.getByText("The balance was too low for this request. Add funds.");
  expect(screen.queryByText("Waiting for the first request…")).toBeNull();
  const links = screen.getAllByRole("link", { name: "Add funds" });
  expect(links.map((link) => link.getAttribute("href"))).toContain("/wallet?do=add-funds");
  expect(screen.getByRole("link", { name: "View log" }).getAttribute("href")).toBe(
    "/logs?id=gen-1",
  );
});

describe("the first request", () => {
  const older = { ...request, id: "gen-0", costUsd: "0.0002" };
  const failed = { ...request, id: "gen-f", status: 402, outcome: "refused" };
  const steps = { ...used.steps, hasKey: false };
  const overview = { ...used, steps, lastRequests: [request, older, failed] };

  test("is the oldest one that was answered", async () => {
    open(overview);
    await screen.findByText(/First request received: \$0\.0002/);
    const log = screen.getByRole("link", { name: "View log" });
    expect(log.getAttribute("href")).toBe("/logs?id=gen-0");
  });

  test("is not named when older ones are not listed", async () => {
    open({ ...overview, hasOlderRequests: true });
    await screen.findByText("Get started");
    expect(screen.queryByText(/First request received/)).toBeNull();
  });
});

test("OVR-2 Get started collapses by itself after the first call, and says what it cost, until dismissed", async () => {
  const { api, user } = open({ ...empty, steps: { ...empty.steps, funded: true, hasKey: true } });
  const steps = () => screen.queryByRole("list", { name: "Steps to your first answer" });
  await screen.findByText("Waiting for the first request…");
  expect(steps()).not.toBeNull();
  api.answer("overview.read", () => ({ data: used }));
  await screen.findByText("You're all set.", {}, { timeout: 5_000 });
  screen.getByText(/First request received: \$0\.0001/);
  const log = screen.getByRole("link", { name: "View log" });
  expect(log.getAttribute("href")).toBe("/logs?id=gen-1");
  expect(steps()).toBeNull();
  expect(screen.queryByText("Welcome. Three steps to your first answer.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Get started")).toBeNull();
});

test("Get started collapses into one line when done, and can be expanded", async () => {
  localStorage.setItem("get-started", "seen");
  const { user } = open(used);
  await screen.findByText("You're all set.");
  screen.getByText(/First request received/);
  const steps = () => screen.queryByRole("list", { name: "Steps to your first answer" });
  expect(steps()).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show steps" }));
  expect(steps()).not.toBeNull();
  await user.click(screen.getByRole("button", { name: "Hide steps" }));
  expect(steps()).toBeNull();
});

test("card and pill show the balance, from one query, and what is reserved apart from it", async () => {
  const { api } = open(used, { balanceUsd: "54.929994", heldUsd: "0.05" });
  await screen.findByRole("link", { name: "Balance $54.92 $0.05 reserved" });
  const card = (await screen.findByRole("link", { name: "Balance" })).closest(".relative");
  expect(card?.textContent).toStartWith("Balance$54.92$0.05 reserved");
  expect(api.calls.filter((call) => call.path === "wallet.summary")).toHaveLength(1);
});

test("a refusal for want of money is gone once money came in", async () => {
  const refused = { ...request, status: 402, outcome: "refused", errorCode: "insufficient_quota" };
  const steps = { funded: true, hasKey: true, hasRequest: false };
  open({ ...empty, steps, lastRequests: [refused], isCured: true });
  await screen.findByText(/Waiting for the first request/);
  expect(screen.queryByText(/insufficient_quota/)).toBeNull();
});

test("figures that cover a part of their period say since when", async () => {
  open({ ...used, coveredFrom: "2026-11-12T14:03:00Z" });
  await screen.findByText(/cover those since Nov 12, 2026, 14:03; the Wallet has every charge/);
});

test("an account that is set up sees its figures, and no steps", async () => {
  open(used);
  await screen.findByText(wholeText("$18.20 last month"));
  screen.getByText("25.0%");
  expect(screen.queryByText("Get started")).toBeNull();
  await waitFor(() => screen.getByText("Spend, USD per day"));
});

test("without data there is a dash, never a zero", async () => {
  open({ ...used, errorRate: null, medianLatencyMs: null });
  await screen.findByText("Error rate");
  expect(screen.getAllByText("—")).toHaveLength(2);
});
