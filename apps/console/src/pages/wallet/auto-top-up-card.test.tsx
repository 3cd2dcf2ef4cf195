// Automatic top-up in the Wallet: off without a saved card, set with limits, and its failure said with what helps.
import { beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { App } from "../../app.tsx";

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

beforeEach(() => history.replaceState(null, "", "/wallet"));

function open(autoTopUp: object) {
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "wallet.ledger": () => ({ data: { rows: [], nextCursor: null } }),
    "wallet.autoTopUp": () => ({ data: autoTopUp }),
    "wallet.setAutoTopUp": () => ({ data: {} }),
    "wallet.removeCard": () => ({ data: {} }),
  });
  render(() => <App />);
  return { api, user: userEvent.setup() };
}

test("without a saved card it is off, and the page says how to save one", async () => {
  open(off);
  await screen.findByText(/^Off. To use it,/);
  screen.getByRole("checkbox", { name: "Save this card for automatic top-ups" });
});

test("it is turned on with a threshold, an amount and a ceiling", async () => {
  const { api, user } = open({ ...off, card });
  await screen.findByText(/ending in 4242, expires 04\/2030/);
  await user.click(screen.getByRole("checkbox", { name: "Top up automatically" }));
  const ceiling = screen.getByRole("textbox", { name: "At most a month" });
  await user.clear(ceiling);
  await user.type(ceiling, "60");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => {
    const sent = api.calls.filter(({ path }) => path === "wallet.setAutoTopUp");
    expect(sent.map(({ input }) => input)).toEqual([
      { enabled: true, thresholdUsd: "5", amountUsd: "25", ceilingUsd: "60" },
    ]);
  });
});

test("a declined card is said, and can be removed", async () => {
  const { api, user } = open({ ...off, enabled: true, card, state: "declined" });
  await screen.findByText(/^Your card was declined/);
  await user.click(screen.getByRole("button", { name: "Remove card" }));
  await waitFor(() => {
    expect(api.calls.some(({ path }) => path === "wallet.removeCard")).toBe(true);
  });
});
