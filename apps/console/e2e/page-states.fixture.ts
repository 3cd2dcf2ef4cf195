// Intermediate states of pages, for screenshots: an answer, an open dialog, an invalid field.
import type { Page } from "playwright-core";
import { models } from "./catalog.fixture.ts";
import type { Route } from "./routes.fixture.ts";
import { showFigures } from "./show-figures.fixture.ts";

export type PageState = Route & {
  readonly act: (page: Page) => Promise<void>;
  /** Only if the window is wide. */
  readonly wide?: boolean;
};

const question = [
  "Which one of these is cheaper?",
  "",
  "| Model | Price |",
  "| --- | --- |",
  "| alpha | **$2.00** |",
  "| beta | $0.10 |",
  "",
  "```python",
  "print(min(2.00, 0.10))",
  "```",
].join("\n");

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Your message").fill(text);
  await page.keyboard.press("Control+Enter");
  await page.getByText(/esponses? finished/).waitFor({ state: "attached" });
}

/** In a sheet where there is no room beside the conversation. */
async function setUp(page: Page): Promise<void> {
  const parameters = page.getByRole("button", { name: "Parameters" });
  if (await parameters.isVisible()) await parameters.click();
  const tool = { type: "function", function: { name: "weather", parameters: {} } };
  await page.getByLabel("Tools").fill(JSON.stringify([tool], undefined, 2));
  await page.getByLabel("Mock result of weather").fill("sunny, 20 degrees");
  await page.getByLabel("JSON mode").check();
  await page.getByRole("button", { name: "Use an example" }).click();
  await page.getByText("Sample answer").waitFor();
}

async function callTool(page: Page): Promise<void> {
  const calls = [{ id: "call_1", name: "weather", arguments: '{"city":"Rome"}' }];
  await ask(page, `#script ${JSON.stringify({ toolCalls: calls })}`);
}

/** Shares the first conversation of the history and shows the history again. */
async function share(page: Page): Promise<void> {
  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("button", { name: "Actions for Say something" }).first().click();
  await page.getByRole("menuitem", { name: "Save in your account" }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "Say something" }).first().waitFor();
}

async function reloadWithFigures(page: Page): Promise<void> {
  await showFigures(page);
  await page.reload();
  await page.getByText("640 ms").first().waitFor();
}

/** For a member with funds. */
export const pageStates: readonly PageState[] = [
  {
    name: "playground-answer",
    path: "/playground?model=sandbox/echo",
    act: (page) => ask(page, question),
  },
  {
    name: "playground-four",
    path: `/playground?compare=${models.large},${models.mini},${models.gamma},sandbox/echo`,
    act: (page) => ask(page, "Say something short."),
  },
  { name: "playground-setup", path: `/playground?model=${models.large}`, act: setUp },
  { name: "playground-tools", path: `/playground?model=${models.large}`, act: callTool },
  {
    name: "playground-history",
    path: "/playground?model=sandbox/echo",
    async act(page) {
      await ask(page, "Say something short.");
      await share(page);
    },
  },
  {
    name: "playground-shared",
    path: "/playground?model=sandbox/echo",
    async act(page) {
      await ask(page, "Say something short.");
      await share(page);
      await page.getByRole("link", { name: "Say something" }).first().click();
      await page.getByText(/^Shared by /).waitFor();
    },
  },
  {
    name: "models-measured",
    path: "/models",
    act: reloadWithFigures,
  },
  {
    name: "model-measured",
    path: `/models/${models.large}`,
    act: reloadWithFigures,
  },
  {
    name: "compare-measured",
    path: `/models/compare?ids=${models.large},${models.mini},${models.gamma}`,
    act: reloadWithFigures,
  },
  {
    name: "create-key-limits",
    path: "/keys?do=create-key",
    async act(page) {
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Limits and access").click();
      await dialog.getByLabel("Spend limit").fill("ten");
      await dialog.getByRole("button", { name: "Create key" }).click();
    },
  },
  {
    name: "budgets-set",
    path: "/budgets",
    async act(page) {
      await page.getByRole("button", { name: "Set budget" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("For", { exact: true }).selectOption({ label: "A project" });
      await dialog.getByRole("button", { name: "Set budget" }).click();
    },
  },
  {
    name: "projects-limits",
    path: "/projects",
    async act(page) {
      await page.getByRole("button", { name: "Actions for Research" }).click();
      await page.getByRole("menuitem", { name: "Rate limits" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Tokens per minute").fill("many");
      await dialog.getByRole("button", { name: "Save limits" }).click();
    },
  },
  {
    name: "guardrails-set",
    path: "/settings/guardrails",
    async act(page) {
      const account = page.getByRole("region", { name: "Guardrail of the account" });
      await account.getByRole("button", { name: "Change rules" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("From").fill("8");
      await dialog.getByRole("button", { name: "Save rules" }).click();
    },
  },
  {
    name: "guardrails-remove",
    path: "/settings/guardrails",
    async act(page) {
      const account = page.getByRole("region", { name: "Guardrail of the account" });
      await account.getByRole("button", { name: "Remove all rules" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "projects-archive",
    path: "/projects",
    async act(page) {
      await page.getByRole("button", { name: "Actions for Research" }).click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "wallet-other",
    path: "/wallet",
    async act(page) {
      await page.getByText("Other", { exact: true }).click();
      await page.getByLabel("Other amount").fill("1");
      await page.getByRole("button", { name: "Continue to payment" }).click();
    },
  },
  {
    name: "palette",
    path: "/",
    async act(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").waitFor();
    },
  },
  {
    name: "offline",
    path: "/settings/profile",
    act: async (page) => page.context().setOffline(true),
  },
];
