import { expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { openApp } from "../../../test/open-app.fixture.tsx";
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

test("WAL-1 the page follows the payment, and offers to create the first key", async () => {
  const { api, sent } = openApp("/wallet/top-ups/t1", {
    "wallet.topUp": () => ({ data: topUp }),
  });
  await screen.findByText("Confirming your payment…");
  screen.getByText("You can close this page. We'll email you.");
  const receiptUrl = "https://pay.example/receipt";
  api.answer("wallet.topUp", () => ({ data: { ...paid, hasKeys: false, receiptUrl } }));
  await screen.findByText("$25.00 added. Your balance is $37.31.", {}, { timeout: 4_000 });
  const key = screen.getByRole("link", { name: "Create API Key" });
  expect(key.getAttribute("href")).toBe("/keys?do=create-key");
  const receipt = screen.getByRole("link", { name: "View receipt" });
  expect(receipt.getAttribute("href")).toBe(receiptUrl);
  expect(receipt.getAttribute("rel")).toContain("noopener");
  await waitFor(() => expect(sent("wallet.summary").length).toBeGreaterThan(1));
});

test("WAL-2 returning by Cancel makes the server cancel, once, and shows its answer", async () => {
  let state = "pending";
  const { sent } = openApp("/wallet/top-ups/t1?canceled=1", {
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
  expect(sent("wallet.cancelTopUp")).toEqual([{ id: "t1" }]);
});

test("a payment that arrives despite Cancel counts", async () => {
  openApp("/wallet/top-ups/t1?canceled=1", {
    "wallet.topUp": () => ({ data: paid }),
    "wallet.cancelTopUp": () => ({ data: {} }),
  });
  await screen.findByText("$25.00 added. Your balance is $37.31.");
  expect(screen.queryByText(/canceled/)).toBeNull();
});

test("after a minute the page says that nothing is lost, and how to get help", async () => {
  const soon = hurry(longMs);
  try {
    openApp("/wallet/top-ups/t1", { "wallet.topUp": () => ({ data: topUp }) });
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
  openApp("/wallet/top-ups/t1", {
    "wallet.topUp": () => ({ data: { ...topUp, state, failureReason } }),
  });
  await screen.findByText(text);
});
