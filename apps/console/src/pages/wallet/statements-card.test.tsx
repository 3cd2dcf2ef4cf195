// Statements in the Wallet: the newest month first, downloaded as the PDF that the server wrote.
import { afterEach, expect, mock, spyOn, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { openApp } from "../../../test/open-app.fixture.tsx";

afterEach(() => mock.restore());

const open = (address: string, months: readonly string[]) =>
  openApp(address, {
    "wallet.ledger": () => ({ data: { rows: [], nextCursor: null } }),
    "wallet.statements": () => ({ data: { company: null, months } }),
    "wallet.statementPdf": () => ({ data: { pdf: btoa("%PDF-\u00ff") } }),
  });

test.each([
  ["the month", ["2026-02"], () => screen.getByRole("combobox", { name: "Month" })],
  ["that the first one comes later", [], () => screen.getByText(/^The first statement is here/)],
] as const)("what asks for a statement leads to %s", async (_, months, place) => {
  open("/wallet?do=download-statement", months);
  await waitFor(() => expect(document.activeElement === place()).toBe(true));
});

test("the chosen month is downloaded as PDF, byte for byte", async () => {
  const saved: Blob[] = [];
  spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return "blob:saved";
  });
  spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const { sent, user } = open("/wallet", ["2026-02", "2026-01"]);
  const month = await screen.findByRole("combobox", { name: "Month" });
  expect(month).toHaveProperty("value", "2026-02");
  await user.selectOptions(month, "2026-01");
  await user.click(screen.getByRole("button", { name: "Download PDF" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(sent("wallet.statementPdf")).toEqual([{ month: "2026-01" }]);
  const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect([...bytes]).toEqual([0x25, 0x50, 0x44, 0x46, 0x2d, 0xff]);
});
