// Automatic top-up in a browser: the card is saved at the scripted Stripe, and nothing is on until its owner turns it on.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";

memberTest(
  "a card is saved with a top-up, automatic top-up turned on, and the card removed",
  async (one) => {
    const { page, goTo, member } = one;
    await goTo("/wallet");
    await page.getByText("Off. To use it, add funds").waitFor();
    await page.getByRole("checkbox", { name: "Save this card for automatic top-ups" }).check();
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.getByText("$25.00 added. Your balance is $25.00.").waitFor();
    await goTo("/wallet");
    await page.getByText("ending in 4242").waitFor();
    expect(await member.query("wallet.autoTopUp")).toMatchObject({ enabled: false, state: "ok" });
    await page.getByRole("checkbox", { name: "Top up automatically" }).check();
    await page.getByRole("textbox", { name: "At most a month" }).fill("60");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await member.query("wallet.autoTopUp")).toMatchObject({
      enabled: true,
      thresholdUsd: "5",
      amountUsd: "25",
      ceilingUsd: "60",
    });
    await page.getByRole("button", { name: "Remove card" }).click();
    await page.getByText("Off. To use it, add funds").waitFor();
    expect(await member.query("wallet.autoTopUp")).toMatchObject({ enabled: false, card: null });
  },
);
