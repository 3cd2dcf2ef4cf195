// Statements in the Wallet: the newest month first, downloaded as the PDF that the server wrote.
import { afterEach, beforeEach, expect, mock, spyOn, test } from "bun:test";
import { render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { App } from "../../app.tsx";

beforeEach(() => history.replaceState(null, "", "/wallet"));
afterEach(() => mock.restore());

test("the chosen month is downloaded as PDF, byte for byte", async () => {
  const saved: Blob[] = [];
  spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return "blob:saved";
  });
  spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "wallet.ledger": () => ({ data: { rows: [], nextCursor: null } }),
    "wallet.statements": () => ({ data: { company: null, months: ["2026-02", "2026-01"] } }),
    "wallet.statementPdf": () => ({ data: { pdf: btoa("%PDF-\u00ff") } }),
  });
  render(() => <App />);
  const user = userEvent.setup();
  const month = await screen.findByRole("combobox", { name: "Month" });
  expect(month).toHaveProperty("value", "2026-02");
  await user.selectOptions(month, "2026-01");
  await user.click(screen.getByRole("button", { name: "Download PDF" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const sent = api.calls.filter(({ path }) => path === "wallet.statementPdf");
  expect(sent.map(({ input }) => input)).toEqual([{ month: "2026-01" }]);
  const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect([...bytes]).toEqual([0x25, 0x50, 0x44, 0x46, 0x2d, 0xff]);
});
