import { afterEach, expect, spyOn, test } from "bun:test";
import { screen, waitFor, within } from "@solidjs/testing-library";
import { config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { type Answers, openApp } from "../../../test/open-app.fixture.tsx";
import { wholeText } from "../../../test/whole-text.fixture.ts";

const row = {
  id: "1",
  at: "2026-11-12T14:03:00Z",
  day: null,
  usage: null,
  type: "top_up",
  description: "",
  amountUsd: "25",
  balanceAfterUsd: "25",
  topUpId: "t1",
  receiptUrl: null,
  pending: false,
};
const usage = { ...row, id: "2", type: "usage", day: "2026-11-13", topUpId: null };
const checkout = () => ({ data: { topUpId: "t1", checkoutUrl: "/dev/checkout/t1" } });
const goTo = spyOn(location, "assign");

afterEach(() => goTo.mockReset());

function open(answers: Answers = {}, address = "/wallet") {
  goTo.mockImplementation(() => undefined);
  const app = openApp(address, {
    "wallet.ledger": () => ({ data: { rows: [], nextCursor: null } }),
    "wallet.createTopUp": checkout,
    ...answers,
  });
  return { ...app, attempts: () => app.sent("wallet.createTopUp") };
}

/** The settings of someone in another time zone. */
const inZone = (timeZone: string) => () => ({
  data: { ...signedIn().data, person: { ...signedIn().data.person, timeZone } },
});

test("after Back the same amount is the same attempt, another amount another one", async () => {
  const { user, attempts } = open();
  const pay = async () => {
    await user.click(await screen.findByRole("button", { name: "Continue to payment" }));
    await screen.findByRole("button", { name: "Opening secure checkout…" });
    await waitFor(() => expect(goTo).toHaveBeenCalled());
    goTo.mockClear();
    dispatchEvent(new Event("pageshow"));
  };
  await pay();
  await pay();
  await user.click(await screen.findByRole("radio", { name: "$50" }));
  await pay();
  const [first, again, other] = attempts().map((input) => JSON.stringify(input));
  expect(again).toBe(first ?? "nothing was sent");
  expect(other).toContain('"50"');
  expect(attemptOf(attempts()[2])).not.toBe(attemptOf(attempts()[0]));
});

function attemptOf(input: unknown): unknown {
  return typeof input === "object" && input !== null && "attemptId" in input
    ? input.attemptId
    : undefined;
}

test("a finished attempt is followed by a new one", async () => {
  let asked = 0;
  const over = { error: { fault: "conflict", message: "This attempt has ended." } };
  const { user, attempts } = open({
    "wallet.createTopUp": () => {
      asked += 1;
      return asked === 1 ? over : checkout();
    },
  });
  await user.click(await screen.findByRole("button", { name: "Continue to payment" }));
  await waitFor(() => expect(goTo).toHaveBeenCalledTimes(1));
  expect(attemptOf(attempts()[1])).not.toBe(attemptOf(attempts()[0]));
});

test("the server's error about the amount is shown at the field", async () => {
  const error = { fault: "decimal_below_min_value", message: "At least $30.", param: "amountUsd" };
  const { user } = open({ "wallet.createTopUp": () => ({ error }) });
  await user.click(await screen.findByRole("button", { name: "Continue to payment" }));
  await screen.findByText("At least $30.");
  expect(goTo).not.toHaveBeenCalled();
});

test("a checkout URL that is not a web address is never opened", async () => {
  const evil = () => ({ data: { topUpId: "t1", checkoutUrl: "javascript:alert(1)" } });
  const { user } = open({ "wallet.createTopUp": evil });
  await user.click(await screen.findByRole("button", { name: "Continue to payment" }));
  await screen.findByText(/Something went wrong/);
  expect(goTo).not.toHaveBeenCalled();
});

test("without a payment provider there is no form, and the operator learns why", async () => {
  open({ "config.public": () => ({ data: { ...config().data, topUpMode: "none" } }) });
  await screen.findByText(/STRIPE_SECRET_KEY/);
  expect(screen.queryByRole("button", { name: "Continue to payment" })).toBeNull();
});

test("a declined card is said, and can be removed", async () => {
  const limits = { thresholdUsd: "5", amountUsd: "25", ceilingUsd: "100" };
  const card = { brand: "visa", last4: "4242", expMonth: 4, expYear: 2030 };
  const data = { enabled: true, ...limits, card, state: "declined", lastFailure: null };
  const { sent, user } = open({
    "wallet.autoTopUp": () => ({ data }),
    "wallet.removeCard": () => ({ data: {} }),
  });
  await screen.findByText(/^Your card was declined/);
  await user.click(screen.getByRole("button", { name: "Remove card" }));
  await waitFor(() => expect(sent("wallet.removeCard")).toHaveLength(1));
});

test("a paused automatic top-up says why, and is resumed with its settings", async () => {
  const limits = { thresholdUsd: "5", amountUsd: "25", ceilingUsd: "100" };
  const card = { brand: "visa", last4: "4242", expMonth: 4, expYear: 2030 };
  const data = { enabled: true, ...limits, card, state: "refunded", lastFailure: null };
  const { sent, user } = open({
    "wallet.autoTopUp": () => ({ data }),
    "wallet.setAutoTopUp": () => ({ data: {} }),
  });
  await screen.findByText(/^Paused, because a payment was refunded/);
  screen.getByText("If the balance is below $5.00, your card is charged $25.00 once.");
  await user.click(screen.getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(sent("wallet.setAutoTopUp")).toEqual([{ enabled: true, ...limits }]));
});

test("a top-up smaller than its threshold is not sent", async () => {
  const limits = { thresholdUsd: "60", amountUsd: "5", ceilingUsd: "100" };
  const card = { brand: "visa", last4: "4242", expMonth: 4, expYear: 2030 };
  const data = { enabled: false, ...limits, card, state: "ok", lastFailure: null };
  const { sent, user } = open({ "wallet.autoTopUp": () => ({ data }) });
  await user.click(await screen.findByRole("checkbox", { name: "Top up automatically" }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Add at least the amount of the threshold.");
  expect(sent("wallet.setAutoTopUp")).toHaveLength(0);
});

test("a pending payment is marked and has no balance after it", async () => {
  const pending = { ...row, id: "p", pending: true, balanceAfterUsd: null };
  open({ "wallet.ledger": () => ({ data: { rows: [pending, usage, row], nextCursor: null } }) });
  const table = await screen.findByRole("table", { name: /transactions/ });
  const [, first, second] = within(table).getAllByRole("row");
  expect(first?.textContent).toContain("Pending");
  expect(first?.textContent).toEndWith("—");
  expect(second?.textContent).toContain("Nov 13, 2026UsageAPI usage");
});

const hour = {
  ...row,
  type: "usage",
  topUpId: null,
  amountUsd: "-1.2034",
  usage: {
    keyId: "k1",
    keyName: "laptop",
    from: "2026-11-12T13:00:00.000Z",
    to: "2026-11-12T14:00:00.000Z",
    calls: 1_203,
    open: true,
  },
};

test("an hour of a key is shown in the reader's time zone, marked while it runs, and opens its calls", async () => {
  const playground = {
    ...hour,
    id: "3",
    amountUsd: "-0.0312",
    usage: { ...hour.usage, keyId: null, keyName: null, calls: 1, open: false },
  };
  open({
    "auth.me": inZone("Europe/Vienna"),
    "wallet.ledger": () => ({ data: { rows: [hour, playground], nextCursor: null } }),
  });
  const table = await screen.findByRole("table", { name: /transactions/ });
  const [, first, second] = within(table).getAllByRole("row");
  expect(first?.textContent).toStartWith(
    "Nov 12, 2026Usagelaptop · 14:00–15:00 · 1,203 requestsRunning−$1.2034",
  );
  expect(second?.textContent).toStartWith(
    "Nov 12, 2026UsagePlayground · 14:00–15:00 · 1 request−$0.0312",
  );
  const span = "from=2026-11-12T13%3A00%3A00.000Z&to=2026-11-12T14%3A00%3A00.000Z";
  expect(first?.querySelector("[data-row-opener]")).not.toBeNull();
  const links = within(table).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    `/logs?${span}&keys=k1`,
    `/logs?${span}&origin=playground`,
  ]);
});

test.each([
  ["Asia/Kolkata", "Nov 12, 2026", "18:30–19:30"],
  ["Pacific/Auckland", "Nov 13, 2026", "02:00–03:00"],
])("an hour in %s has the day and the clock of its reader", async (timeZone, day, hours) => {
  open({
    "auth.me": inZone(timeZone),
    "wallet.ledger": () => ({ data: { rows: [hour], nextCursor: null } }),
  });
  const table = await screen.findByRole("table", { name: /transactions/ });
  const [, first] = within(table).getAllByRole("row");
  expect(first?.textContent).toStartWith(`${day}Usagelaptop · ${hours} · 1,203 requests`);
  screen.getByText(`Times are in ${timeZone}.`);
});

test("what is reserved is shown apart from the balance, and never subtracted from it", async () => {
  const data = { ...wallet().data, balanceUsd: "12.5", heldUsd: "0.25" };
  open({ "wallet.summary": () => ({ data }) });
  await screen.findByText(wholeText("$0.25 reserved for requests"));
  within(screen.getByRole("main")).getAllByText("$12.50");
  screen.getByRole("link", { name: "Balance $12.50 $0.25 reserved" });
  screen.getByText(wholeText(/^\$0\.25 is reserved for requests in progress/));
});

test("money that is all reserved is not an empty balance", async () => {
  const data = { ...wallet().data, balanceUsd: "1", heldUsd: "1" };
  open({ "wallet.summary": () => ({ data }) });
  await screen.findByRole("link", { name: "Balance $1.00 $1.00 reserved" });
});

test("an amount is rounded once, from its exact value, and exact in copies", async () => {
  // Balances rounded down to four decimals differ by $0.0121, although the hour cost $0.01201.
  const line = { ...hour, id: "4", amountUsd: "-0.01201", balanceAfterUsd: "24.98797" };
  open({ "wallet.ledger": () => ({ data: { rows: [line, row], nextCursor: null } }) });
  const shown = await screen.findByText("−$0.0120");
  expect(shown.getAttribute("data-exact")).toBe("−$0.01201");
  expect(screen.getByText("$24.9879").getAttribute("data-exact")).toBe("$24.98797");
});

test("a tiny call leaves the ledger at four decimals and is exact in copies", async () => {
  const line = { ...hour, id: "4", amountUsd: "-0.000006", balanceAfterUsd: "24.999994" };
  open({ "wallet.ledger": () => ({ data: { rows: [line, row], nextCursor: null } }) });
  const shown = await screen.findByText("−<$0.0001");
  expect(shown.getAttribute("data-exact")).toBe("−$0.000006");
  screen.getByText("+$25.0000");
});

test("filters are in the address, as days of the reader's zone, and no match differs from no data", async () => {
  const { sent, user } = open(
    { "auth.me": inZone("Europe/Vienna") },
    "/wallet?type=refund&from=2026-11-01&to=2026-11-02&type2=x",
  );
  await screen.findByText("No transactions match.");
  expect(sent("wallet.ledger")).toEqual([
    {
      timeZone: "Europe/Vienna",
      type: "refund",
      from: "2026-10-31T23:00:00.000Z",
      to: "2026-11-02T23:00:00.000Z",
    },
  ]);
  const [clear] = screen.getAllByRole("button", { name: "Clear filters" });
  if (clear) await user.click(clear);
  await screen.findByText("No transactions yet.");
  await waitFor(() => expect(location.search).not.toContain("refund"));
});

test("the chosen amount survives an expired session", async () => {
  const { api, user } = open({
    "wallet.createTopUp": () => ({ error: { fault: "unauthenticated", status: 401 } }),
    "auth.login": () => ({ data: {} }),
  });
  await user.click(await screen.findByRole("radio", { name: "Other" }));
  await user.type(await screen.findByLabelText("Other amount"), "33.33");
  await user.click(screen.getByRole("button", { name: "Continue to payment" }));
  await screen.findByText("Your session expired. Sign in to continue where you left off.");
  await user.type(screen.getByLabelText("Password"), "a long password");
  api.answer("wallet.createTopUp", checkout);
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByLabelText("Other amount")).toHaveProperty("value", "33.33");
});

test("an empty Wallet says once how funds are added", async () => {
  open({}, "/wallet");
  await screen.findByText("No transactions yet.");
  await screen.findByRole("button", { name: "Continue to payment" });
  expect(screen.getAllByText(/add funds/i).map((each) => each.tagName)).toEqual(["H2"]);
});

test("the low-balance alert is set without leaving the Wallet", async () => {
  const none = { ...wallet().data, lowBalanceAlertUsd: null };
  const { user, sent } = open({
    "wallet.summary": () => ({ data: none }),
    "wallet.setLowBalanceAlert": () => ({ data: {} }),
  });
  await user.click(await screen.findByText("Set alert"));
  const below = await screen.findByLabelText("Below");
  await user.clear(below);
  await user.type(below, "7");
  await user.click(screen.getByText("Save"));
  await waitFor(() => expect(screen.queryByText("Save")).toBeNull());
  expect(sent("wallet.setLowBalanceAlert")).toEqual([{ usd: "7" }]);
  expect(location.pathname).toBe("/wallet");
});
