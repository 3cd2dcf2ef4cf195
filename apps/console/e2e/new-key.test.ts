// The dialog that shows a new key: all of it is in view, and the key is copied with the code that sends it too.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";
import { hiddenHeight } from "./read-page.fixture.ts";

memberTest(
  "KEY-4 the new key and the code that sends it fit 800 px, and copying the code counts",
  async (one) => {
    const { page } = one;
    await one.member.addFunds("10");
    await one.goTo("/keys?do=create-key");
    await page.getByLabel("Name", { exact: true }).fill("by curl");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = await page.getByLabel("Your new API key").inputValue();
    const dialog = page.getByRole("dialog", { name: "Save your key" });
    await dialog.getByRole("tab", { name: "curl" }).click();
    expect(await hiddenHeight(dialog)).toBe(0);
    await dialog.getByRole("button", { name: "Copy", exact: true }).click();
    await dialog.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(key);
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByRole("alertdialog").count()).toBe(0);
  },
);
