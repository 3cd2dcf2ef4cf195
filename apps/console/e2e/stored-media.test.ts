// What was drawn and spoken, in Logs of a project that stores answers: shown on demand, from the page's own memory, and not
// where storing is off.
import { expect } from "bun:test";
import { askGateway } from "./ask-gateway.fixture.ts";
import { askUntilStored } from "./ask-until-stored.fixture.ts";
import { type MemberTest, memberTest } from "./browser-test.fixture.ts";
import { requestSheet } from "./read-page.fixture.ts";

const drawing = { model: "sandbox/image", prompt: "a lighthouse", size: "1024x1024", n: 2 };
const spoken = { model: "sandbox/speech", input: "Hello!", voice: "alloy" };

/** Of the newest request. */
async function showAnswer({ page, goTo }: MemberTest) {
  await goTo("/logs");
  await page
    .getByRole("table", { name: "Requests, newest first" })
    .locator("tbody a")
    .first()
    .click();
  const sheet = requestSheet(page);
  await sheet.getByRole("button", { name: "Show prompt and answer" }).click();
  return sheet;
}

memberTest(
  "images and speech of stored answers are shown where storing is on",
  async (one) => {
    const { page, goTo, member, environment } = one;
    const { key } = await member.createKey("draws");
    await goTo("/settings/privacy");
    const setting = page.getByLabel("Prompts and answers of Default");
    await setting.selectOption({ label: "Stored for 7 days" });
    await page.getByLabel("Replace secrets and addresses").uncheck();
    await page.getByText("Saved").nth(1).waitFor();
    const draw = () => askGateway(environment, key, "/images/generations", drawing);
    await askUntilStored(member, draw);
    const sheet = await showAnswer(one);
    const image = sheet.getByAltText("Image 2 of the answer");
    await image.waitFor();
    expect(await image.getAttribute("src")).toStartWith("blob:");
    const width = await image.evaluate(async (element) => {
      if (!(element instanceof HTMLImageElement)) return 0;
      await element.decode();
      return element.naturalWidth;
    });
    expect(width).toBeGreaterThan(0);
    await askUntilStored(member, () => askGateway(environment, key, "/audio/speech", spoken));
    await (await showAnswer(one)).getByLabel("Speech of the answer").waitFor();
  },
  { usd: "10" },
);

memberTest(
  "where storing is off, nothing of an image is shown",
  async (one) => {
    const { member, environment } = one;
    const { key } = await member.createKey("draws");
    await askGateway(environment, key, "/images/generations", drawing);
    const sheet = await showAnswer(one);
    await sheet.getByText("Nothing is stored of this request").waitFor();
    expect(await sheet.getByRole("img").count()).toBe(0);
  },
  { usd: "10" },
);
