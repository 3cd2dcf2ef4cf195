// Settings of mails in a browser: the one about unusual spending is on until it is turned off.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";

memberTest("the mail about unusual spending is turned off, and stays off", async (one) => {
  const { page, goTo, member } = one;
  await goTo("/settings/notifications");
  const mail = page.getByRole("switch", { name: "Email about unusual spending" });
  await mail.waitFor();
  expect(await mail.isChecked()).toBe(true);
  await mail.click();
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(await member.query("wallet.unusualSpendMail")).toEqual({ on: false });
  await page.reload();
  await mail.waitFor();
  expect(await mail.isChecked()).toBe(false);
});
