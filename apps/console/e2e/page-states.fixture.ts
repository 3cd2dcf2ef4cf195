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
    name: "playground-compare",
    path: `/playground?compare=${models.large},${models.mini},sandbox/echo`,
    wide: true,
    act: (page) => ask(page, "Say something short."),
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
    path: "/keys?create=1",
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
