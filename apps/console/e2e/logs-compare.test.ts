// Two requests side by side: chosen by keyboard, kept by the address, below each other on a phone.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { historyTest } from "./browser-test.fixture.ts";
import { openKeyboard } from "./keyboard.fixture.ts";
import { requestSheet, whereIs } from "./read-page.fixture.ts";

const comparison = (page: Page) => page.getByRole("dialog", { name: "Compare requests" });

historyTest("LOG-7 two requests are compared by keyboard, also after a reload", async (one) => {
  const { page, goTo, history } = one;
  const { press } = openKeyboard(page);
  await goTo(`/logs?id=${history.goodRequest}`);
  await press(requestSheet(page).getByRole("button", { name: "Compare with…" }));
  await page.getByText("Open another request to compare it with").waitFor();
  await page.locator(`[data-row="${history.failedRequest}"] a`).focus();
  await page.keyboard.press("Enter");
  await comparison(page)
    .getByText(/^\d+ of \d+ fields differ\.$/)
    .waitFor();
  await page.reload();
  const row = (title: string) => comparison(page).getByRole("row", { name: title });
  await row("Status Differs").getByText("502").waitFor();
  await row("Status Differs").getByText("200").waitFor();
  await row("Operation").waitFor();
  await press(comparison(page).getByRole("switch", { name: "Only differences" }));
  await page.keyboard.press("Space");
  await row("Operation").waitFor({ state: "detached" });
  expect(await comparison(page).locator("tr:not([data-differs]) td").count()).toBe(0);
  await page.keyboard.press("Escape");
  await comparison(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
});

historyTest("LOG-7 a request that does not exist is named in the comparison", async (one) => {
  const { page, goTo, history } = one;
  const unknown = `gen-${"0".repeat(31)}1`;
  for (const wrong of [unknown, "nonsense"]) {
    await goTo(`/logs?id=${history.goodRequest}&with=${wrong}`);
    await comparison(page)
      .getByText("One of the two requests was not found.", { exact: false })
      .waitFor();
    await comparison(page).getByText(`Not found: ${wrong}`).waitFor();
  }
});

historyTest(
  "LOG-7 on a phone the values of two requests stand below each other",
  async ({ page, goTo, history }) => {
    await goTo(`/logs?id=${history.goodRequest}&with=${history.failedRequest}`);
    const status = comparison(page).locator("dl > div", { hasText: /^Status/ });
    await status.waitFor();
    const [first, second] = [status.locator("dd").first(), status.locator("dd").last()];
    expect((await whereIs(second)).top).toBeGreaterThanOrEqual((await whereIs(first)).bottom);
  },
  { width: 390 },
);
