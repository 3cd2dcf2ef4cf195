// Prompts in a browser: an owner switches storing on, sees that it is on, reads a request, and switches it off again.
import { expect } from "bun:test";
import { askChat } from "./ask-gateway.fixture.ts";
import { askUntilStored } from "./ask-until-stored.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { requestSheet } from "./read-page.fixture.ts";

memberTest(
  "PROMPT-1 a prompt is stored once its project says so, shown on demand, and gone when it no longer does",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("talks");
    const ask = (content: string) => askChat(environment, key, { model: models.large, content });
    await ask("said before it was on");
    await goTo("/settings/privacy");
    const setting = page.getByLabel("Prompts and answers of Default");
    await setting.selectOption({ label: "Stored for 30 days" });
    await page.getByText("Saved").first().waitFor();
    await page.getByLabel("Replace secrets and addresses").waitFor();
    await askUntilStored(member, () => ask("write to ada@example.org about the canary's song"));

    await goTo("/logs");
    await page.getByText(/^Prompts and answers of Default are stored/).waitFor();
    const rows = page.getByRole("table", { name: "Requests, newest first" }).locator("tbody a");
    await rows.first().click();
    const sheet = requestSheet(page);
    expect(await sheet.getByText("about the canary").count()).toBe(0);
    const show = sheet.getByRole("button", { name: "Show prompt and answer" });
    await show.click();
    const prompt = sheet.getByRole("group", { name: "Prompt" });
    await prompt.waitFor();
    expect(await prompt.textContent()).toContain("write to [redacted email] about the canary");
    expect(await sheet.getByRole("group", { name: "Answer" }).textContent()).toContain("choices");
    await sheet.getByRole("button", { name: "Copy prompt" }).waitFor();
    await sheet.getByRole("button", { name: "Copy as curl" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const run = Bun.spawn(["sh", "-c", copied], { env: { ...process.env, API_KEY: key } });
    const answer = JSON.stringify(await new Response(run.stdout).json());
    expect(answer).toContain("chat.completion");
    expect(copied).toContain("[redacted email] about the canary");

    expect(await sheet.locator(":focus").count()).toBe(1);
    await goTo("/logs");
    await rows.last().click();
    await sheet.getByRole("button", { name: "Show prompt and answer" }).click();
    await sheet.getByText("Nothing is stored of this request").waitFor();

    await goTo("/settings/privacy");
    await setting.selectOption({ label: "Not stored" });
    await page.getByRole("button", { name: "Stop and delete" }).click();
    await page.getByText("Saved").first().waitFor();
    await goTo("/logs");
    await rows.first().click();
    await sheet.getByRole("button", { name: "Show prompt and answer" }).click();
    await sheet.getByText("Nothing is stored of this request").waitFor();
    expect(await page.getByText(/^Prompts and answers of Default are stored/).count()).toBe(0);
  },
  { usd: "10" },
);
