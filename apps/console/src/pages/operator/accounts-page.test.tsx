// The list of accounts asks the server for what was chosen, and leads to each account.
import { expect, test } from "bun:test";
import { fireEvent, render, screen, waitFor, within } from "@solidjs/testing-library";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { App } from "../../app.tsx";

const account = {
  accountId: "01980000-0000-7000-8000-000000000001",
  kind: "personal",
  name: "",
  slug: "u-1",
  email: "ada@example.com",
  states: ["suspended", "owing"],
  balanceUsd: "-2.5",
  spentUsd: "40",
  createdAt: "2026-01-02T03:04:05.000Z",
  deletionDueAt: null,
};

test("accounts are listed with their states, and filtered and sorted by the server", async () => {
  history.replaceState(null, "", "/operator/accounts?order=balance-up");
  const { data } = signedIn();
  const asked: unknown[] = [];
  answerApi({
    "auth.me": () => ({
      data: { ...data, person: { ...data.person, operatorRole: "support", verbs: [] } },
    }),
    "config.public": config,
    "wallet.summary": wallet,
    "operator.account.list": (input) => {
      asked.push(input);
      return { data: { accounts: [account], nextCursor: null } };
    },
  });
  render(() => <App />);
  const link = await screen.findByRole("link", { name: "ada@example.com" });
  expect(link.getAttribute("href")).toBe(`/operator/accounts/${account.accountId}`);
  const row = within(screen.getByRole("row", { name: /ada@example\.com/ }));
  expect([row.getByText("Suspended"), row.getByText("Owing")]).toHaveLength(2);
  expect(asked).toEqual([{ sort: "balance", ascending: true }]);
  const state = screen.getByRole("combobox", { name: "State" });
  fireEvent.change(state, { target: { value: "owing" } });
  await waitFor(() =>
    expect(asked.at(-1)).toEqual({ state: "owing", sort: "balance", ascending: true }),
  );
});
