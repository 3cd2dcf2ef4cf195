// One browser test: a context of its own, a page, and eyes on what no page may do unseen. A failed
// one leaves a picture of what it saw in `.artifacts/e2e/`.
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { type Past, useRegular } from "./fill-account.ts";
import { joinAs, type Member } from "./member.ts";
import { type Stage, useStage } from "./stage.ts";
import { watchRequests } from "./watch-requests.ts";

export const artifacts = join(import.meta.dirname, "../../../.artifacts");

export type Journey = {
  readonly stage: Stage;
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a path of the console. */
  readonly goTo: (path: string) => Promise<void>;
  /** Opens a path and waits until the page has come to rest. */
  readonly visit: (path: string) => Promise<void>;
  /** What the browser complained about so far. A test that provokes a complaint empties it. */
  readonly complaints: string[];
};

export type MemberJourney = Journey & { readonly member: Member };

export type Look = {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
};

const actionMs = 60_000;
const journeyMs = 600_000;

/** A test that begins as a stranger. */
export function journey(name: string, run: (journey: Journey) => Promise<void>, look?: Look): void {
  test(name, () => inBrowser(useStage(), name, look, run), journeyMs);
}

/** A test that begins signed in, with `usd` in the Wallet. */
export function memberJourney(
  name: string,
  run: (journey: MemberJourney) => Promise<void>,
  { usd, ...look }: Look & { readonly usd?: string } = {},
): void {
  test(
    name,
    async () => {
      const stage = useStage();
      const member = await joinAs(stage);
      if (usd !== undefined) await member.addFunds(usd);
      await inBrowser(stage, name, look, async (opened) => {
        await signInBrowser(opened, member);
        await run({ ...opened, member });
      });
    },
    journeyMs,
  );
}

/** A test that looks at an account with a past, and changes nothing of it. */
export function regularJourney(
  name: string,
  run: (journey: MemberJourney & { readonly past: Past }) => Promise<void>,
  look?: Look,
): void {
  test(
    name,
    async () => {
      const stage = useStage();
      const { member, past } = await useRegular(stage);
      await inBrowser(stage, name, look, async (opened) => {
        await signInBrowser(opened, member);
        await run({ ...opened, member, past });
      });
    },
    journeyMs,
  );
}

/** Gives a member's session to the browser. */
export function signInBrowser(
  { context, stage }: Pick<Journey, "context" | "stage">,
  member: Member,
): Promise<void> {
  const kept = { url: stage.url, httpOnly: true, sameSite: "Lax" } as const;
  return context.addCookies(member.cookies().map((cookie) => ({ ...cookie, ...kept })));
}

export async function inBrowser(
  stage: Stage,
  name: string,
  look: Look | undefined,
  run: (journey: Journey) => Promise<void>,
): Promise<void> {
  const context = await openContext(stage, look);
  const page = await context.newPage();
  const complaints: string[] = [];
  listen(stage, context, complaints);
  const settle = watchRequests(context);
  const goTo = async (path: string) => {
    await page.goto(`${stage.url}${path}`);
  };
  const visit = async (path: string) => {
    await goTo(path);
    await settle(page);
  };
  try {
    await run({ stage, page, context, goTo, visit, complaints });
    expect(complaints).toEqual([]);
  } catch (error) {
    await keepPicture(page, name);
    throw error;
  } finally {
    await context.close();
  }
}

export async function openContext(stage: Stage, look: Look = {}): Promise<BrowserContext> {
  const { theme = "light", width = 1280, reducedMotion, forcedColors } = look;
  const context = await stage.browser.newContext({
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

/** A refused request is part of many tests; a script that fails or a policy that bites is not. */
function listen(stage: Stage, context: BrowserContext, complaints: string[]): void {
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
    complaints.push(message.text());
  });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const known = origin === stage.url || origin === new URL(stage.stripe.url).origin;
    if (!known && !/^(data|blob):$/.test(protocol)) complaints.push(`asked ${request.url()}`);
  });
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = join(artifacts, "e2e");
  mkdirSync(folder, { recursive: true });
  const file = `${name.replace(/[^\w-]+/g, "-").slice(0, 60)}.png`;
  // The page may be gone; the reason why matters more than its picture.
  await page.screenshot({ path: join(folder, file), timeout: 5_000 }).catch(() => undefined);
}
