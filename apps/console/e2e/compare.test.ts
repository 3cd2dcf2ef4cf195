// Comparing models in the Playground, and attaching files.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { nanosOf } from "./expected-cost.fixture.ts";

const funded = { usd: "10" };
const draft = (page: Page) => page.getByLabel("Your message");
const column = (page: Page, name: string) =>
  page.getByRole("region", { name: `Answers of ${name}` });

memberTest(
  "up to four models answer one question side by side, each with its own cost",
  async ({ page, goTo, member }) => {
    await goTo(`/playground?model=${encodeURIComponent(models.large)}`);
    await page.getByRole("button", { name: "Compare" }).click();
    await column(page, "Alpha Large").waitFor();
    await column(page, "Beta Mini").waitFor();
    await page.getByRole("button", { name: "Add model" }).click();
    await column(page, "Gamma").waitFor();
    await page.getByRole("button", { name: "Add model" }).click();
    const fourth = page.getByRole("region", { name: /^Answers of / }).nth(3);
    await fourth.waitFor();
    expect(await page.getByRole("button", { name: "Add model" }).count()).toBe(0);
    await fourth.getByRole("button", { name: /^Remove / }).click();
    await fourth.waitFor({ state: "detached" });
    await draft(page).fill('#script {"deltas":50}');
    await page.getByText(/^Input about \$0\.\d+ for 3 models$/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("All responses finished.").waitFor({ state: "attached" });
    const costs: bigint[] = [];
    for (const name of ["Alpha Large", "Beta Mini", "Gamma"]) {
      const cost = column(page, name).locator("[data-cost]");
      costs.push(nanosOf((await cost.getAttribute("data-cost")) ?? ""));
    }
    expect(new Set(costs).size).toBe(3);
    const rows = Object.values((await member.query("logs.list")).rows ?? {});
    const logged = rows.map(({ costUsd }) => nanosOf(String(costUsd)));
    expect(logged.sort()).toEqual(costs.sort());

    await page.reload();
    await column(page, "Gamma").waitFor();
    await column(page, "Gamma").getByRole("button", { name: "Remove Gamma" }).click();
    await column(page, "Gamma").waitFor({ state: "detached" });
    expect(await page.getByText("View log").count()).toBe(2);
    await column(page, "Beta Mini").getByRole("button", { name: "Remove Beta Mini" }).click();
    await page.getByRole("button", { name: "Compare" }).click();
    // The added model continues from what was said.
    const added = page.getByRole("region", { name: /^Answers of / }).nth(1);
    await added.getByRole("heading", { name: "Alpha Large" }).waitFor();
  },
  funded,
);

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

memberTest(
  "an image can be sent to a vision model; another says it does not accept attachments",
  async ({ page, goTo, environment }) => {
    await goTo(`/playground?model=${encodeURIComponent(models.gamma)}`);
    const blocked = page.getByRole("button", { name: "Gamma does not accept attachments" });
    expect(await blocked.getAttribute("aria-disabled")).toBe("true");

    await goTo(`/playground?model=${encodeURIComponent(models.large)}`);
    const picking = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach files" }).click();
    const buffer = Buffer.from(pixel, "base64");
    const picker = await picking;
    await picker.setFiles([{ name: "notes.txt", mimeType: "text/plain", buffer }]);
    await page.getByText("This model does not accept notes.txt.").waitFor();
    await picker.setFiles([{ name: "dot.png", mimeType: "image/png", buffer }]);
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await draft(page).fill('What is this? #script {"deltas":9}');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(/Response finished, 9 tokens/).waitFor({ state: "attached" });
    const sent = await environment.upstream.waitFor(({ body }) => body.includes(pixel));
    expect(sent.body).toContain('"type":"image_url"');

    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await page.reload();
    await page.getByText("not kept after reloading").waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(pixel);
  },
  funded,
);

memberTest(
  "files dropped on the page are attached",
  async ({ page, goTo }) => {
    await goTo(`/playground?model=${encodeURIComponent(models.large)}`);
    await draft(page).waitFor();
    const files = await page.evaluateHandle((base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "dot.png", { type: "image/png" }));
      return data;
    }, pixel);
    const heading = page.getByText("Send a message to start.");
    await heading.dispatchEvent("dragover", { dataTransfer: files });
    await page.getByText("Drop files to attach them").waitFor();
    await heading.dispatchEvent("drop", { dataTransfer: files });
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    expect(await page.getByText("Drop files to attach them").count()).toBe(0);
  },
  funded,
);
