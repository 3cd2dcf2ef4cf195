// The contexts in which tests open their pages. One that a test has left is used by the next, without anything stored in
// it: its process has loaded and compiled the console already.
import type { BrowserContext, CDPSession } from "playwright-core";

export type BorrowedContext = {
  readonly context: BrowserContext;
  /** After a test that passed; the pages of the test are closed. */
  readonly giveBack: () => Promise<void>;
};

type Kept = { readonly context: BrowserContext; readonly storage: CDPSession };

const unused: Kept[] = [];
const eventsOfTests = ["console", "request", "requestfailed", "requestfinished", "weberror"];

/** `open` makes another one, of the same looks as all that are borrowed. */
export async function borrowContext(
  origin: string,
  open: () => Promise<BrowserContext>,
): Promise<BorrowedContext> {
  const kept = unused.pop() ?? (await keepOpen(await open(), origin));
  const { context, storage } = kept;
  const [anchor] = context.pages();
  return {
    context,
    async giveBack() {
      for (const event of eventsOfTests) context.removeAllListeners(event);
      await Promise.all(context.pages().map((page) => page !== anchor && page.close()));
      await context.clearCookies();
      await storage.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
      unused.push(kept);
    },
  };
}

/** A page that stays keeps the process. */
async function keepOpen(context: BrowserContext, origin: string): Promise<Kept> {
  const anchor = await context.newPage();
  await anchor.goto(`${origin}/robots.txt`);
  return { context, storage: await context.newCDPSession(anchor) };
}
