// The operator's report of money names days as the reader's language does.
import { expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { App } from "../../app.tsx";

const figures = {
  ...{ calls: 3, failedCalls: 0, freeCalls: 0, refusedCalls: 0, marginPercent: null },
  ...{ revenueUsd: "2", costUsd: "1", marginUsd: "1", shortfallUsd: "0" },
};

test("a day is named in the reader's language, and the total follows", async () => {
  history.replaceState(null, "", "/operator/money");
  const { data } = signedIn();
  answerApi({
    "auth.me": () => ({
      data: { ...data, person: { ...data.person, operatorRole: "finance", verbs: [] } },
    }),
    "config.public": config,
    "wallet.summary": wallet,
    "operator.money.report": () => ({
      data: {
        rows: [{ ...figures, name: "2026-11-05", label: "2026-11-05" }],
        total: figures,
        coveredFrom: null,
      },
    }),
  });
  render(() => <App />);
  await screen.findByRole("rowheader", { name: "Nov 5, 2026" });
  const names = screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
  expect(names).toEqual(["Nov 5, 2026", "Total"]);
});
