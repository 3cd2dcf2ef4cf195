// Automatic top-up in the Wallet: off without a saved card, set with limits, and its failure said with what helps.
import { expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { openApp } from "../../../test/open-app.fixture.tsx";

const off = {
  enabled: false,
  thresholdUsd: null,
  amountUsd: null,
  ceilingUsd: null,
  card: null,
  state: "ok",
  lastFailure: null,
};
const card = { brand: "visa", last4: "4242", expMonth: 4, expYear: 2030 };

const open = (autoTopUp: object) =>
  openApp("/wallet", {
    "wallet.ledger": () => ({ data: { rows: [], nextCursor: null } }),
    "wallet.autoTopUp": () => ({ data: autoTopUp }),
    "wallet.setAutoTopUp": () => ({ data: {} }),
    "wallet.removeCard": () => ({ data: {} }),
  });

test("without a saved card it is off, and the page says how to save one", async () => {
  open(off);
  await screen.findByText(/^Off. To use it,/);
  screen.getByRole("checkbox", { name: "Save this card for automatic top-ups" });
});

test("it is turned on with a threshold, an amount and a ceiling", async () => {
  const { sent, user } = open({ ...off, card });
  await screen.findByText(/ending in 4242, expires 04\/2030/);
  await user.click(screen.getByRole("checkbox", { name: "Top up automatically" }));
  const ceiling = screen.getByRole("textbox", { name: "At most a month" });
  await user.clear(ceiling);
  await user.type(ceiling, "60");
  await user.click(screen.getByRole("button", { name: "Save" }));
  const set = { enabled: true, thresholdUsd: "5", amountUsd: "25", ceilingUsd: "60" };
  await waitFor(() => expect(sent("wallet.setAutoTopUp")).toEqual([set]));
});

test("a declined card is said, and can be removed", async () => {
  const { sent, user } = open({ ...off, enabled: true, card, state: "declined" });
  await screen.findByText(/^Your card was declined/);
  await user.click(screen.getByRole("button", { name: "Remove card" }));
  await waitFor(() => expect(sent("wallet.removeCard")).toHaveLength(1));
});
