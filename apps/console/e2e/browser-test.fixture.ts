// One browser test: its own context and page, and checks for errors and foreign requests. A failed test
// leaves a screenshot in `.artifacts/e2e/`.
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { type BorrowedContext, borrowContext } from "./borrow-context.fixture.ts";
import { type Environment, useEnvironment } from "./environment.fixture.ts";
import { joinAs, type Member } from "./member.fixture.ts";
import { type SeededHistory, useSeededAccount } from "./seed-history.fixture.ts";
import { watchRequests } from "./watch-requests.fixture.ts";

export const artifacts = join(import.meta.dirname, "../../../.artifacts");

export type BrowserTest = {
  readonly environment: Environment;
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a path of the console. */
  readonly goTo: (path: string) => Promise<void>;
  /** Opens a path and waits until the page is idle. */
  readonly visit: (path: string) => Promise<void>;
  /** Leads to another path as a link of the open page does, and waits until the page is idle. */
  readonly follow: (path: string) => Promise<void>;
  /** From now on `page.clock` can let time pass for the page. */
  readonly installClock: () => Promise<void>;
  /** Errors of the browser so far. A test that provokes one empties it. */
  readonly complaints: string[];
};

export type MemberTest = BrowserTest & { readonly member: Member };

export type Look = {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
};

const actionMs = 60_000;
const testMs = 600_000;

/** A test that starts signed out. */
export function browserTest(
  name: string,
  run: (opened: BrowserTest) => Promise<void>,
  look?: Look,
): void {
  test(name, () => inBrowser(useEnvironment(), name, look, run), testMs);
}

/** A test that starts signed in, with `usd` in the Wallet. */
export function memberTest(
  name: string,
  run: (opened: MemberTest) => Promise<void>,
  { usd, ...look }: Look & { readonly usd?: string } = {},
): void {
  test(
    name,
    async () => {
      const environment = useEnvironment();
      const member = await joinAs(environment);
      if (usd !== undefined) await member.addFunds(usd);
      await inBrowser(environment, name, look, async (opened) => {
        await signInBrowser(opened, member);
        await run({ ...opened, member });
      });
    },
    testMs,
  );
}

/** A test on the shared account with a seeded history, which it must not change. */
export function historyTest(
  name: string,
  run: (opened: MemberTest & { readonly history: SeededHistory }) => Promise<void>,
  look?: Look,
): void {
  test(
    name,
    async () => {
      const environment = useEnvironment();
      const { member, history } = await useSeededAccount(environment);
      await inBrowser(environment, name, look, async (opened) => {
        await signInBrowser(opened, member);
        await run({ ...opened, member, history });
      });
    },
    testMs,
  );
}

/** Puts a member's session cookies into the browser. */
export function signInBrowser(
  { context, environment }: Pick<BrowserTest, "context" | "environment">,
  member: Member,
): Promise<void> {
  const kept = { url: environment.url, httpOnly: true, sameSite: "Lax" } as const;
  return context.addCookies(member.cookies().map((cookie) => ({ ...cookie, ...kept })));
}

export async function inBrowser(
  environment: Environment,
  name: string,
  look: Look | undefined,
  run: (opened: BrowserTest) => Promise<void>,
): Promise<void> {
  const { context, giveBack } = await enterContext(environment, look);
  const page = await context.newPage();
  const complaints: string[] = [];
  listen(environment, context, complaints);
  const settle = watchRequests(context);
  const goTo = async (path: string) => {
    await page.goto(`${environment.url}${path}`);
    // Until then the page is the one that the build drew, and answers to nothing.
    await page.locator("#first-view").waitFor({ state: "detached" });
  };
  const visit = async (path: string) => {
    await goTo(path);
    await settle(page);
  };
  const follow = async (path: string) => {
    const { pathname } = new URL(path, environment.url);
    await page.evaluate(clickLink, path);
    await page.waitForURL((url) => url.pathname === pathname);
    await settle(page);
  };
  let hasOwnClock = false;
  const installClock = async () => {
    hasOwnClock = true;
    await page.clock.install();
  };
  const ways = { goTo, visit, follow, installClock };
  try {
    await run({ environment, page, context, ...ways, complaints });
    expect(complaints).toEqual([]);
  } catch (error) {
    await keepScreenshot(page, name);
    await context.close();
    throw error;
  }
  // A clock stays with its context.
  if (hasOwnClock) await context.close();
  else await giveBack();
}

/** Most tests have the same look. */
async function enterContext(environment: Environment, look: Look = {}): Promise<BorrowedContext> {
  const open = () => openContext(environment, look);
  if (Object.keys(look).length === 0) return borrowContext(environment.url, open);
  const context = await open();
  return { context, giveBack: () => context.close() };
}

/** Runs in the page. */
function clickLink(path: string): void {
  const link = document.createElement("a");
  link.href = path;
  document.body.append(link);
  link.click();
  link.remove();
}

export async function openContext(
  environment: Environment,
  look: Look = {},
): Promise<BrowserContext> {
  const { theme = "light", width = 1280, reducedMotion, forcedColors } = look;
  const context = await environment.browser.newContext({
    viewport: { width, height: width < 640 ? 844 : 800 },
    colorScheme: theme,
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    forcedColors: forcedColors ? "active" : "none",
    permissions: ["clipboard-read", "clipboard-write"],
    locale: "en-US",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(actionMs);
  return context;
}

/** Refused requests are part of many tests; script errors and policy violations are not. */
function listen(environment: Environment, context: BrowserContext, complaints: string[]): void {
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
    complaints.push(message.text());
  });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const { stripe, provider } = environment;
    const known = [environment.url, new URL(stripe.url).origin, provider.issuer];
    if (!known.includes(origin) && !/^(data|blob):$/.test(protocol))
      complaints.push(`asked ${request.url()}`);
  });
}

async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = join(artifacts, "e2e");
  mkdirSync(folder, { recursive: true });
  const file = `${name.replace(/[^\w-]+/g, "-").slice(0, 60)}.png`;
  // The page may be gone; the original error matters more than its screenshot.
  await page.screenshot({ path: join(folder, file), timeout: 5_000 }).catch(() => undefined);
}
