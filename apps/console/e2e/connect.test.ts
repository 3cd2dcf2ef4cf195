// Connecting a tool: the setup beside a new key holds the key, and the page and the dialog say when its first request
// arrived, what it cost, and why one failed.
import { expect } from "bun:test";
import { askChat } from "./ask-gateway.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { askUntilShown } from "./pass-time.fixture.ts";

/** The page asks again while it waits for a request. */
const askAgainMs = 2_000;

memberTest(
  "CON-1 a new key comes with the setup of a tool, a failure with its reason, and then the first request with its cost",
  async ({ page, goTo, installClock, environment }) => {
    await installClock();
    await goTo("/keys?do=create-key");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("my-laptop");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = await dialog.getByLabel("Your new API key").inputValue();
    await dialog.getByLabel("Use it in").selectOption({ label: "Claude Code" });
    await dialog.getByText(`ANTHROPIC_API_KEY="${key}"`).waitFor();
    await dialog.getByText("Waiting for the first request…").waitFor();

    await askChat(environment, key, { model: "no/model" });
    const failed = dialog.getByText("Your request arrived and failed: 404, model_not_found");
    await askUntilShown(page, askAgainMs, failed);
    await dialog.getByRole("link", { name: "Browse models" }).waitFor();
    await askChat(environment, key, { model: models.large });
    const received = dialog.getByText(/^First request received: \$0\.\d+/);
    await askUntilShown(page, askAgainMs, received);

    await dialog.getByRole("button", { name: "Copy key" }).click();
    await dialog.getByRole("link", { name: "View log" }).click();
    await page.getByRole("dialog", { name: "Request" }).waitFor();
  },
  { usd: "10" },
);

memberTest(
  "CON-2 the page of tools remembers the choice and waits for the key that is chosen",
  async ({ page, goTo, installClock, member, environment }) => {
    const { key } = await member.createKey("editor");
    await installClock();
    await goTo("/connect");
    await page.getByLabel("Use it in").selectOption({ label: "Codex" });
    await page.getByText('wire_api = "responses"').waitFor();
    await page.getByText("Waiting for the first request…").waitFor();
    await askChat(environment, key, { model: models.large });
    const received = page.getByText(/^First request received: \$/);
    await askUntilShown(page, askAgainMs, received);
    await page.reload();
    await page.getByText('wire_api = "responses"').waitFor();
    expect(await page.getByLabel("API key").inputValue()).not.toBe("");
    await page.getByText("Waiting for the next request…").waitFor();
  },
  { usd: "10" },
);
