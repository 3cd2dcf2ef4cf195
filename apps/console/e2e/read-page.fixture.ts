// Reads pages as a person would: tables by their cells, files by downloading them.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";

/** The cells of every body row, by the headings of their columns. */
export async function readTable(table: Locator): Promise<readonly Record<string, string>[]> {
  return table.evaluate((element) => {
    const text = (cell: Element) => cell.textContent?.trim() ?? "";
    const heads = [...element.querySelectorAll("thead th")].map(text);
    return [...element.querySelectorAll("tbody tr")].map((row) =>
      Object.fromEntries(
        [...row.querySelectorAll("th, td")].map((cell, at) => [heads[at], text(cell)]),
      ),
    );
  });
}

/** Presses a button that downloads a file, and reads it. */
export async function readDownload(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFile(await download.path(), "utf8");
}

/** Rows of a CSV by the names of its columns; quoted fields may hold commas. */
export function readCsv(text: string): readonly Record<string, string>[] {
  const lines = text
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/);
  const [heads = [], ...rows] = lines.map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
      .slice(0, line.length === 0 ? 0 : undefined)
      .map(([, field = ""]) => field.replace(/^"|"$/g, "").replaceAll('""', '"')),
  );
  return rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at] ?? ""])));
}

/** The details of one request, beside the list of `/logs`. */
export const requestSheet = (page: Page) => page.getByRole("dialog", { name: "Request" });

/** What that request was charged, in full. */
export const chargedLine = (page: Page) => requestSheet(page).locator("[data-charged]");

/** The sum on the first card of `/usage`, for `readExact`. */
export const spendCard = (page: Page) =>
  page
    .locator("main .relative")
    .filter({ hasText: /^Spend/ })
    .locator(".figures span")
    .first();

/** Counts the calls of a procedure from now on, also inside a batch. */
export function countCalls(page: Page, procedure: string): () => number {
  let calls = 0;
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/trpc/")) return;
    calls += pathname
      .slice("/trpc/".length)
      .split(",")
      .filter((name) => name === procedure).length;
  });
  return () => calls;
}

type Place = { left: number; top: number; right: number; bottom: number };

export async function whereIs(target: Locator): Promise<Place> {
  const box = await target.boundingBox();
  if (box === null) throw new Error("It is not on the page.");
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

/** The exact amount behind a rounded one: from its tooltip, or the text itself if it is exact. */
export async function readExact(figure: Locator): Promise<string> {
  const shown = (await figure.textContent())?.trim() ?? "";
  // Not by moving the mouse: that may scroll, and scrolling hides the tooltip.
  await figure.dispatchEvent("pointerenter");
  const tip = figure.page().getByRole("tooltip");
  const text = (await tip.count()) > 0 ? ((await tip.textContent()) ?? "") : shown;
  await figure.dispatchEvent("pointerleave");
  return text;
}

/** How many pixels of a dialog's content are out of sight. */
export function hiddenHeight(dialog: Locator): Promise<number> {
  return dialog.evaluate((content) =>
    Math.max(
      ...[content, ...content.children].map(
        ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
      ),
    ),
  );
}
