// Projects and their keys, created in the browser.
import type { Page } from "playwright-core";
import type { BrowserTest } from "./browser-test.fixture.ts";
import { readTable } from "./read-page.fixture.ts";

const dialog = (page: Page) => page.getByRole("dialog");
const table = (page: Page, name: string) => page.getByRole("table", { name });

export async function createProject({ page, goTo }: BrowserTest, name: string): Promise<void> {
  await goTo("/projects");
  await page.getByRole("button", { name: "Create project" }).click();
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByRole("button", { name: "Create project" }).click();
  await table(page, "Projects").getByRole("link", { name }).waitFor();
}

/** Returns the secret. */
export async function createKeyIn({ page, goTo }: BrowserTest, name: string, project: string) {
  await goTo("/keys?do=create-key");
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByLabel("Project").selectOption({ label: project });
  await dialog(page).getByRole("button", { name: "Create key" }).click();
  await dialog(page).getByRole("heading", { name: "Save your key" }).waitFor();
  const secret = await dialog(page).getByLabel("Your new API key").inputValue();
  await dialog(page).getByRole("button", { name: "Copy key" }).click();
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await table(page, "Your API keys").getByRole("link", { name }).waitFor();
  return secret;
}

/** The columns of the row whose first cell begins with `name`. */
export async function rowOf(page: Page, caption: string, name: string) {
  const first = Object.values;
  const rows = await readTable(table(page, caption));
  return rows.find((row) => first(row)[0]?.startsWith(name));
}
