// The header of every page: what is in it stays where it is, and its help leads on.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";

memberTest(
  "what is reserved moves nothing in the header, and ends without a reload",
  async ({ page, goTo }) => {
    let heldUsd = "0.02";
    await page.route(/\/trpc\/[^?]*wallet\.summary/, async (route) => {
      const answer = await route.fetch();
      const names = new URL(route.request().url()).pathname.replace("/trpc/", "").split(",");
      const parts: { result?: { data: object } }[] = await answer.json();
      const json = parts.map((part, at) =>
        names[at] === "wallet.summary" && part.result
          ? { result: { data: { ...part.result.data, balanceUsd: "12.31", heldUsd } } }
          : part,
      );
      await route.fulfill({ response: answer, json });
    });
    const search = page.getByRole("button", { name: /^Search or jump to/ });
    const leftOf = async () => (await search.boundingBox())?.x;
    await goTo("/keys");
    const reserved = page.getByRole("banner").getByText("$0.02 reserved");
    await reserved.waitFor();
    const before = await leftOf();
    heldUsd = "0";
    await reserved.waitFor({ state: "detached" });
    expect(await leftOf()).toBe(before);
  },
);

memberTest("the help menu leads to docs, status, tools and shortcuts", async ({ page, goTo }) => {
  await goTo("/keys");
  await page.getByRole("button", { name: "Help" }).click();
  expect(await page.getByRole("menuitem").allTextContents()).toEqual([
    "Docs",
    "API reference",
    "Connect a tool",
    "Status",
    "Support",
    "Keyboard shortcuts",
  ]);
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});
