// The operator's pages of money name days and months as the reader's language does.
import { expect, test } from "bun:test";
import { render, screen, within } from "@solidjs/testing-library";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { App } from "../../app.tsx";

const figures = {
  calls: 3,
  failedCalls: 0,
  freeCalls: 0,
  refusedCalls: 0,
  marginPercent: null,
  revenueUsd: "2",
  costUsd: "1",
  marginUsd: "1",
  shortfallUsd: "0",
};

function open(verbs: readonly string[], report: object) {
  history.replaceState(null, "", "/operator/money");
  const { data } = signedIn();
  answerApi({
    "auth.me": () => ({
      data: { ...data, person: { ...data.person, operatorRole: "finance", verbs } },
    }),
    "config.public": config,
    "wallet.summary": wallet,
    "operator.money.report": () => ({ data: { total: figures, coveredFrom: null, ...report } }),
  });
  render(() => <App />);
}

test("a day is named in the reader's language, and the total follows", async () => {
  open([], { rows: [{ ...figures, name: "2026-11-05", label: "2026-11-05" }] });
  await screen.findByRole("rowheader", { name: "Nov 5, 2026" });
  const names = screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
  expect(names).toEqual(["Nov 5, 2026", "Total"]);
});

test("a month that can be closed is named in the reader's language", async () => {
  open(["money.close"], { rows: [] });
  const months = await screen.findByRole("combobox", { name: "Month (UTC)" });
  const [first] = within(months).getAllByRole("option");
  const now = new Date();
  const name = `${now.toLocaleString("en-US", { month: "long", timeZone: "UTC" })} ${now.getUTCFullYear()}`;
  expect(first?.textContent).toBe(name);
});
