// The operator's pages of models, money and the installation in a browser: a route is switched off and on, calls are
// refused for maintenance, a job runs, a batch is stopped, and a month is downloaded.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { becomeOperator } from "./become-operator.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models, providerKey } from "./catalog.fixture.ts";
import type { Environment } from "./environment.fixture.ts";
import { readCsv, readDownload, readTable } from "./read-page.fixture.ts";
import { submitBatch, writeLine } from "./submit-batch.fixture.ts";

/** Gives the reason that the dialog asks for, and waits until it is done. */
async function confirm(page: Page, name: string, message?: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("ticket 7");
  if (message !== undefined) await dialog.getByLabel("What callers read").fill(message);
  await dialog.getByRole("button", { name }).click();
  await dialog.waitFor({ state: "detached" });
}

memberTest(
  "OPS-1 a route that is switched off is shown as such until it is on again",
  async (one) => {
    const { page, goTo, environment, member } = one;
    await becomeOperator(environment, member);
    await goTo("/operator/models");
    const routes = page.getByRole("table", { name: "Routes of all models" });
    // The two tables are read one after the other.
    const awaitState = (state: string) =>
      routes.getByRole("row", { name: models.gamma }).getByText(state, { exact: true }).waitFor();
    await awaitState("Offered");
    await page.getByRole("button", { name: `Switch ${models.gamma}` }).click();
    await page.getByRole("menuitem", { name: "Switch this route off" }).click();
    await confirm(page, "Switch off");
    const off = page.getByRole("table", { name: "What is switched off" });
    await off.waitFor();
    await awaitState("Switched off");
    expect((await readTable(off))[0]).toMatchObject({ By: member.email, Why: "ticket 7" });
    await off.getByRole("button", { name: "Switch on" }).click();
    await confirm(page, "Switch on");
    await off.waitFor({ state: "detached" });
    await awaitState("Offered");
  },
);

memberTest("OPS-2 maintenance is announced on every page until it is over", async (one) => {
  const { page, goTo, environment, member } = one;
  await becomeOperator(environment, member);
  await goTo("/operator/system");
  await page.getByRole("button", { name: "Refuse calls" }).click();
  await confirm(page, "Refuse calls", "Back at 14:00 UTC.");
  await page.getByText("Calls are refused since").waitFor();
  await goTo("/models");
  await page.getByText("Back at 14:00 UTC.").waitFor();
  await goTo("/operator/system");
  await page.getByRole("button", { name: "Accept calls" }).click();
  await confirm(page, "Accept calls");
  await page.getByText("Calls are accepted.").waitFor();
});

memberTest(
  "OPS-3 the installation is shown with its jobs, queues, tables and settings",
  async (one) => {
    const { page, goTo, environment, member } = one;
    await becomeOperator(environment, member);
    await goTo("/operator/system");
    const processes = page.getByRole("table", { name: "Processes that serve" });
    await processes.waitFor();
    expect((await readTable(processes))[0]).toMatchObject({ State: "Running" });
    const jobs = page.getByRole("table", { name: "Jobs that all instances share" });
    await jobs.getByRole("row", { name: "measure queues" }).getByRole("button").click();
    await confirm(page, "Run now");
    await page.getByRole("tab", { name: "Queues" }).click();
    await page.getByRole("heading", { name: "Events of Stripe" }).waitFor();
    await page.getByRole("tab", { name: "Database" }).click();
    await page.getByRole("table", { name: "Tables by size" }).waitFor();
    await page.getByRole("tab", { name: "Configuration" }).click();
    const settings = page.getByRole("table", { name: "Configuration in force" });
    await settings.waitFor();
    const text = JSON.stringify(await readTable(settings));
    expect(text).toContain("127.0.0.1");
    for (const name of ["SEALING_KEY", "METRICS_TOKEN", "STRIPE_SECRET_KEY"]) {
      expect(text).not.toContain(String(environment.settings[name]));
    }
  },
);

memberTest(
  "OPS-4 money is added up by account, and a month's journal balances",
  async ({ page, goTo, environment, member }) => {
    await becomeOperator(environment, member, "finance");
    await goTo("/operator/money?by=account");
    await page.getByText("Revenue and cost").first().waitFor();
    await page.getByLabel("Month (UTC)").selectOption({ index: 0 });
    await page.getByText("This month is not over.").waitFor();
    const button = page.getByRole("button", { name: "Download the journal" });
    const lines = readCsv(await readDownload(page, button));
    expect(lines.length).toBeGreaterThan(1);
    for (const entry of Map.groupBy(lines, ({ journal }) => journal).values()) {
      expect(sumOf(entry, "debit")).toBe(sumOf(entry, "credit"));
    }
  },
  { usd: "20" },
);

/** In nano-dollars. */
function sumOf(lines: readonly Record<string, string>[], side: "debit" | "credit"): bigint {
  return lines.reduce((sum, line) => {
    const [dollars = "0", cents = ""] = (line[side] || "0").split(".");
    return sum + BigInt(dollars) * 1_000_000_000n + BigInt(cents.padEnd(9, "0"));
  }, 0n);
}

memberTest(
  "OPS-5, ADM-5 a catalog is checked while it is edited, applied and released",
  async (one) => {
    const { page, goTo, environment, member } = one;
    await becomeOperator(environment, member);
    await goTo("/operator/catalog");
    const editor = page.getByRole("textbox", { name: "Text of the catalog" });
    await editor.waitFor();
    const text = (await editor.locator(".cm-line").allTextContents()).join("\n");
    expect(text).toContain("UPSTREAM_KEY");
    expect(await page.content()).not.toContain(providerKey);
    const write = async (written: string) => {
      await editor.press("Control+A");
      // Over text with colors Chromium would insert styles of its own, which the policy refuses.
      await editor.press("Backspace");
      await page.keyboard.insertText(written);
    };
    const apply = page.getByRole("button", { name: "Apply…" });
    await write("providers: []\nmodels: 7");
    await page.getByRole("heading", { name: /mistakes?$/ }).waitFor();
    await page.getByText(/^Line 2: models: /).waitFor();
    await page.locator(".cm-lint-marker-error").waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await write(text.replace(/\binput: "[\d.]+"/, 'input: "123.5"'));
    await page.getByText(/ input \$\S+ → \$123\.50 per million$/).waitFor();
    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    await page.locator(".cm-foldPlaceholder").first().waitFor();
    await page.getByRole("button", { name: "Unfold all" }).click();
    await editor.press("Control+F");
    await page.getByRole("textbox", { name: "Find" }).press("Escape");
    // Undoes everything that was written.
    await page.getByRole("button", { name: "Discard changes" }).click();
    await editor.press("Control+End");
    await editor.press("Enter");
    await page.keyboard.insertText("# a note");
    await page.getByText("Nothing but the text.").waitFor();
    await apply.click();
    await confirm(page, "Apply");
    await page.getByText("In force: what was applied here").waitFor();
    const applied = page.getByRole("table", { name: "Texts that were applied" });
    expect((await readTable(applied))[0]).toMatchObject({ By: member.email, Why: "ticket 7" });
    await page.getByRole("table", { name: /^Prices of / }).waitFor();
    await page.getByRole("button", { name: "Return to the files…" }).click();
    await confirm(page, "Return");
    await page.getByText("In force: the file of each server.").waitFor();
  },
);

/** The server keeps an answer for two seconds. */
async function waitForStatus({ url }: Environment, text: string): Promise<void> {
  const read = async () => (await fetch(`${url}/status.json`)).text();
  while (!(await read()).includes(text)) await Bun.sleep(50);
}

memberTest(
  "OPS-6 an incident is published, and resolved, and support cannot stop all calls",
  async (one) => {
    const { page, goTo, environment, member } = one;
    await becomeOperator(environment, member, "support");
    await goTo("/operator/incidents");
    await page.getByRole("button", { name: "Open an incident…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Slow answers");
    await dialog.getByLabel("What readers are told").fill("We look into it.");
    await confirm(page, "Publish");
    const incidents = page.getByRole("table", { name: "Incidents, newest first" });
    await incidents.getByText("Investigating").waitFor();
    await waitForStatus(environment, "We look into it.");
    await goTo("/status");
    await page.getByText("We look into it.").waitFor();
    await goTo("/operator/incidents");
    await incidents.getByRole("button", { name: "Update…" }).click();
    await dialog.getByLabel("State").selectOption({ label: "Resolved" });
    await dialog.getByLabel("What readers are told").fill("It is over.");
    await confirm(page, "Publish");
    await incidents.getByText("Resolved").waitFor();
    await goTo("/operator/system");
    await page.getByText("Calls are accepted.").waitFor();
    expect(await page.getByRole("button", { name: "Refuse calls" }).count()).toBe(0);
  },
);

memberTest("OPS-7 a batch that waits is listed with its account, and stopped", async (one) => {
  const { page, goTo, environment, member } = one;
  const { key } = await member.createKey("poor");
  const id = await submitBatch(key, writeLine("only"));
  await becomeOperator(environment, member);
  await goTo("/operator/system?tab=queues");
  const running = page.getByRole("table", { name: "Batches that run" });
  await running.getByRole("row", { name: id }).waitFor();
  const menu = running.getByRole("button", { name: `Actions for ${id}` });
  await menu.click();
  await page.getByRole("menuitem", { name: "Stop" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Reason").fill("ticket 7");
  await dialog.getByRole("button", { name: "Stop" }).click();
  await menu.waitFor({ state: "detached" });
  await goTo("/settings/audit-log");
  await page.getByText("ticket 7").waitFor();
});
