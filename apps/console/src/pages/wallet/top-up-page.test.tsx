import { expect, test } from "bun:test";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { App } from "../../app.tsx";
import { longMs } from "./top-up-page.tsx";

const topUp = {
  id: "t1",
  state: "pending",
  amountUsd: "25",
  creditedUsd: "0",
  receiptUrl: null,
  failureReason: null,
  createdAt: "2026-11-12T14:03:00Z",
  balanceUsd: "12.31",
  hasKeys: true,
};
const paid = { ...topUp, state: "paid", creditedUsd: "25", balanceUsd: "37.319" };

function open(address: string, answers: Parameters<typeof answerApi>[0]) {
  history.replaceState(null, "", address);
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    ...answers,
  });
  render(() => <App />);
  return api;
}

test("WAL-3 the address by itself never shows a success: only the server's answer does", async () => {
  open("/wallet/top-ups/t1?success=1&state=paid", { "wallet.topUp": () => ({ data: topUp }) });
  await screen.findByText("Confirming your payment…");
  screen.getByText("You can close this page. We'll email you.");
  expect(screen.queryByText(/added/)).toBeNull();
});

test("WAL-1 the page follows the payment, and offers to create the first key", async () => {
  const api = open("/wallet/top-ups/t1", { "wallet.topUp": () => ({ data: topUp }) });
  await screen.findByText("Confirming your payment…");
  const receiptUrl = "https://pay.example/receipt";
  api.answer("wallet.topUp", () => ({ data: { ...paid, hasKeys: false, receiptUrl } }));
  await screen.findByText("$25.00 added. Your balance is $37.31.", {}, { timeout: 4_000 });
  const key = screen.getByRole("link", { name: "Create API Key" });
  expect(key.getAttribute("href")).toBe("/keys?do=create-key");
  const receipt = screen.getByRole("link", { name: "View receipt" });
  expect(receipt.getAttribute("href")).toBe(receiptUrl);
  expect(receipt.getAttribute("rel")).toContain("noopener");
  const summaries = () => api.calls.filter((call) => call.path === "wallet.summary");
  await waitFor(() => expect(summaries().length).toBeGreaterThan(1));
});

test("WAL-2 returning by Cancel makes the server cancel, once, and shows its answer", async () => {
  let state = "pending";
  const api = open("/wallet/top-ups/t1?canceled=1", {
    "wallet.topUp": () => ({ data: { ...topUp, state } }),
    "wallet.cancelTopUp": () => {
      state = "canceled";
      return { data: {} };
    },
  });
  await screen.findByText("Payment canceled. You were not charged.");
  expect(screen.getByRole("link", { name: "Try again" }).getAttribute("href")).toBe(
    "/wallet?do=add-funds",
  );
  await waitFor(() => expect(location.search).toBe(""));
  const cancels = api.calls.filter((call) => call.path === "wallet.cancelTopUp");
  expect(cancels).toEqual([{ path: "wallet.cancelTopUp", input: { id: "t1" } }]);
});

test("a payment that arrives despite Cancel counts", async () => {
  open("/wallet/top-ups/t1?canceled=1", {
    "wallet.topUp": () => ({ data: paid }),
    "wallet.cancelTopUp": () => ({ data: {} }),
  });
  await screen.findByText("$25.00 added. Your balance is $37.31.");
  expect(screen.queryByText(/canceled/)).toBeNull();
});

test("after a minute the page says that nothing is lost, and how to get help", async () => {
  const soon = hurry(longMs);
  try {
    open("/wallet/top-ups/t1", { "wallet.topUp": () => ({ data: topUp }) });
    await screen.findByText("Still confirming");
    screen.getByText("If you were charged, your funds will be added automatically.");
    screen.getByText("Reference t1");
    await screen.findByRole("link", { name: /help@example.com/ });
  } finally {
    soon.restore();
  }
});

/** Timers of exactly that length fire immediately. */
function hurry(lengthMs: number) {
  const real = globalThis.setTimeout;
  const hurried = (run: () => void, ms?: number) => real(run, ms === lengthMs ? 0 : ms);
  globalThis.setTimeout = Object.assign(hurried, real);
  return { restore: () => (globalThis.setTimeout = real) };
}

test.each([
  [
    "failed",
    "Your card was declined.",
    "Payment failed: Your card was declined. You were not charged.",
  ],
  ["failed", null, "Payment failed. You were not charged."],
  ["expired", null, "This payment was not completed in time. You were not charged."],
  ["processing", null, "Bank payments can take up to 5 days."],
])("%s (%p) reads: %s", async (state, failureReason, text) => {
  open("/wallet/top-ups/t1", {
    "wallet.topUp": () => ({ data: { ...topUp, state, failureReason } }),
  });
  await screen.findByText(text);
});
