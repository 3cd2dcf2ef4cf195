// Files and batches in a browser: a batch is followed to its results, which are downloaded; one that has begun is canceled; a file is
// deleted.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { askUntilShown } from "./pass-time.fixture.ts";
import { readDownload, readTable } from "./read-page.fixture.ts";
import { endpoint, submitBatch, writeLine } from "./submit-batch.fixture.ts";

/** The page asks again for batches. */
const askAgainMs = 5_000;

const batches = (page: Page) => page.getByRole("table", { name: /^Batches/ });
const files = (page: Page) => page.getByRole("table", { name: /^Files/ });

memberTest(
  "FILES-1 a batch is followed to its results, which are downloaded",
  async ({ page, goTo, installClock, member }) => {
    await member.addFunds("10");
    const { key } = await member.createKey("nightly");
    await installClock();
    await goTo("/files");
    await page.getByText("No batches yet.").waitFor();
    await page.getByText("No files yet.").waitFor();
    const unknown = writeLine("refused").replace(models.mini, "nobody/knows");
    const id = await submitBatch(key, [writeLine("first"), unknown].join("\n"));
    await askUntilShown(page, askAgainMs, batches(page).getByText("Completed"));
    const [row] = await readTable(batches(page));
    expect(row).toMatchObject({
      Batch: id,
      "Requests to": endpoint,
      Lines: "1 of 2, 1 with errors",
    });
    const results = page.getByRole("link", { name: `Results of ${id}` });
    expect(await readDownload(page, results)).toContain('"custom_id":"first"');
    const errors = page.getByRole("link", { name: `Errors of ${id}` });
    expect(await readDownload(page, errors)).toContain('"custom_id":"refused"');
  },
);

memberTest(
  "FILES-2 a batch without money says what it waits for, and is canceled",
  async ({ page, goTo, installClock, member }) => {
    const { key } = await member.createKey("poor");
    await submitBatch(key, writeLine("only"));
    await installClock();
    await goTo("/files");
    await askUntilShown(page, askAgainMs, batches(page).getByText("Waits for funds"));
    await batches(page)
      .getByRole("button", { name: /^Cancel/ })
      .click();
    await page.getByRole("button", { name: "Cancel batch", exact: true }).click();
    await askUntilShown(page, askAgainMs, batches(page).getByText("Canceled", { exact: true }));
  },
);

memberTest(
  "FILES-3 a file with mistakes says in which line, and files are deleted",
  async ({ page, goTo, installClock, member }) => {
    const { key } = await member.createKey("careless");
    await submitBatch(key, `${writeLine("first")}\n{"custom_id":`);
    await installClock();
    await goTo("/files");
    await askUntilShown(page, askAgainMs, batches(page).getByText("Refused"));
    await batches(page)
      .getByText(/^Line 2: /)
      .waitFor();
    const [row] = await readTable(files(page));
    expect(row).toMatchObject({ Purpose: "Lines of a batch" });
    expect(row?.Name).toStartWith("lines.jsonl");
    await page.getByRole("button", { name: "Delete lines.jsonl" }).click();
    await page.getByRole("button", { name: "Delete file", exact: true }).click();
    await page.getByText("No files yet.").waitFor();
  },
);
