// Images in the playground: drawn, edited further, downloaded, and billed as their log says.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { smallImage } from "@turnpike/testing";
import type { Page } from "playwright-core";
import { memberTest } from "./browser-test.fixture.ts";
import { nanosOf } from "./expected-cost.fixture.ts";

const funded = { usd: "10" };
const studio = `/playground/images?model=${encodeURIComponent("sandbox/image")}`;
const red = smallImage("png", { width: 64, height: 64, color: [200, 0, 0] });
const picture = (name: string) => ({ name, mimeType: "image/png", buffer: red });

async function draw(page: Page, prompt: string, verb = "Draw"): Promise<void> {
  await page.getByLabel("Prompt").fill(prompt);
  await page.getByText(/^At most/).waitFor();
  await page.getByRole("button", { name: verb, exact: true }).click();
  await page.getByAltText(`1: ${prompt}`).waitFor();
}

/** Whether the browser could decode it. */
function isShown(page: Page, alt: string): Promise<boolean> {
  return page.getByAltText(alt).evaluate(async (element) => {
    if (!(element instanceof HTMLImageElement)) return false;
    await element.decode();
    return element.naturalWidth > 0;
  });
}

memberTest(
  "an image is drawn, can be saved, and costs what its log says",
  async ({ page, goTo }) => {
    await goTo(studio);
    await draw(page, "a lighthouse");
    expect(await isShown(page, "1: a lighthouse")).toBe(true);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download image 1" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("image-1.png");
    expect(readFileSync(await saved.path()).toString("latin1", 1, 4)).toBe("PNG");
    const cost = (await page.locator("[data-cost]").getAttribute("data-cost")) ?? "";
    await page.getByRole("link", { name: "View log" }).click();
    const charged = page.getByRole("dialog", { name: "Request" }).locator("[data-charged]");
    await charged.waitFor();
    expect(nanosOf((await charged.textContent()) ?? "")).toBe(nanosOf(cost));
    expect(nanosOf(cost)).toBeGreaterThan(0n);
  },
  funded,
);

memberTest(
  "images are chosen, dropped and pasted, edited with a mask, and the result is edited again",
  async ({ page, goTo, environment }) => {
    await goTo(studio);
    await page.getByLabel("Choose images").setInputFiles(picture("chosen.png"));
    const data = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        const file = new File([new Uint8Array(bytes)], "dropped.png", { type: "image/png" });
        transfer.items.add(file);
        return transfer;
      },
      [...red],
    );
    await page.dispatchEvent("main", "dragover", { dataTransfer: data });
    await page.getByText("Drop images to edit them").waitFor();
    await page.dispatchEvent("main", "drop", { dataTransfer: data });
    await page.getByRole("button", { name: "Remove dropped.png" }).waitFor();
    await page.getByLabel("Prompt").evaluate(
      (field, bytes) => {
        const clipboardData = new DataTransfer();
        const file = new File([new Uint8Array(bytes)], "pasted.png", { type: "image/png" });
        clipboardData.items.add(file);
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
      },
      [...red],
    );
    await page.getByRole("button", { name: "Remove pasted.png" }).waitFor();
    await page.getByLabel("Add a mask").setInputFiles(picture("mask.png"));
    await page.getByAltText("Mask: mask.png").waitFor();
    await draw(page, "add a boat", "Edit");
    const sent = await environment.upstream.waitFor(({ path }) => path.endsWith("/images/edits"));
    expect(JSON.stringify(sent.parsed).match(/"filename"/g)).toHaveLength(3);
    await page.getByRole("button", { name: "Edit image 1" }).click();
    await page.getByRole("button", { name: "Remove image-1.png" }).waitFor();
    await page.getByLabel("Prompt").and(page.locator(":focus")).waitFor();
  },
  funded,
);

/** Runs in the page: resolves once there is a preview, however soon it is replaced. */
function seePreview(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('img[alt^="Preview of"]') === null) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { subtree: true, childList: true });
  });
}

memberTest(
  "previews are drawn into the page before the image is finished",
  async ({ page, goTo }) => {
    await goTo(studio);
    await page.getByLabel(/^Show previews/).check();
    const seen = page.evaluate(seePreview);
    await page.getByLabel("Prompt").fill('#script {"paceMs":300}');
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await seen;
    await page.getByText("Finished: 1 image.").waitFor({ state: "attached" });
    await page.getByAltText("Preview of what is being drawn").waitFor({ state: "detached" });
  },
  funded,
);

memberTest(
  "without a balance nothing is drawn, and Add funds is offered",
  async ({ page, goTo }) => {
    await goTo(studio);
    await page.getByLabel("Prompt").fill("a lighthouse");
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await page.getByText("Your balance is too low for this request.").waitFor();
    await page.getByRole("alert").getByRole("link", { name: "Add funds" }).waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("a lighthouse");
  },
);
