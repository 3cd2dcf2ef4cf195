// Takes a screenshot of every page, empty, loaded and failing, light and dark, wide and narrow, into
// `.artifacts/pictures/`. Arguments choose pages by name: `bun run pictures wallet keys`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { becomeOperator } from "./become-operator.fixture.ts";
import { breakCalls } from "./break-calls.fixture.ts";
import { artifacts, openContext, signInBrowser } from "./browser-test.fixture.ts";
import { closeEnvironment, type Environment, openEnvironment } from "./environment.fixture.ts";
import { launchChromium } from "./launch-chromium.fixture.ts";
import { joinAs, type Member } from "./member.fixture.ts";
import { type PageState, pageStates } from "./page-states.fixture.ts";
import { memberRoutes, operatorRoutes, publicRoutes, type Route } from "./routes.fixture.ts";
import { seedBudgets } from "./seed-budgets.fixture.ts";
import { type SeededHistory, seedHistory } from "./seed-history.fixture.ts";
import { watchRequests } from "./watch-requests.fixture.ts";

const folder = join(artifacts, "pictures");
const looks = (["light", "dark"] as const).flatMap((theme) =>
  [1280, 390].map((width) => ({ theme, width })),
);
type Look = (typeof looks)[number];
type Visit = {
  readonly state: string;
  readonly routes: readonly (Route | PageState)[];
  readonly member?: Member;
  readonly inTrouble?: boolean;
};

/** Returns the exit code. */
async function takeScreenshots(wanted: readonly string[]): Promise<number> {
  const browser = await launchChromium();
  if (typeof browser === "string") {
    console.error(`There are no pictures: ${browser}`);
    return 1;
  }
  try {
    const environment = await openEnvironment(browser);
    const newcomer = await joinAs(environment);
    const seeded = await joinAs(environment);
    const history = await seedHistory(environment, seeded);
    await seedBudgets(seeded, history);
    const operator = await joinAs(environment);
    await becomeOperator(environment, operator);
    const desk = await operatorRoutes(operator, seeded, history);
    const visits = [
      ...visitsOf(newcomer, seeded, history),
      { state: "desk", routes: desk, member: operator },
    ];
    let taken = 0;
    for (const look of looks) {
      for (const visit of visits) {
        taken += await takeAll(environment, look, visit, wanted);
      }
    }
    console.log(`${taken} pictures in ${folder}`);
    return taken > 0 ? 0 : 1;
  } finally {
    await closeEnvironment();
  }
}

function visitsOf(newcomer: Member, seeded: Member, history: SeededHistory): readonly Visit[] {
  return [
    { state: "public", routes: publicRoutes },
    { state: "empty", routes: memberRoutes(), member: newcomer },
    { state: "loaded", routes: memberRoutes(history), member: seeded },
    { state: "state", routes: pageStates, member: seeded },
    { state: "error", routes: memberRoutes(history), member: seeded, inTrouble: true },
  ];
}

async function takeAll(
  environment: Environment,
  look: Look,
  visit: Visit,
  wanted: readonly string[],
) {
  const routes = visit.routes.filter(
    (route) =>
      (wanted.length === 0 || wanted.includes(route.name)) &&
      (look.width >= 1024 || !("wide" in route)),
  );
  if (routes.length === 0) return 0;
  const context = await openContext(environment, { ...look, reducedMotion: true });
  try {
    if (visit.member !== undefined) await signInBrowser({ context, environment }, visit.member);
    const page = await context.newPage();
    if (visit.inTrouble) await breakCalls(page, 500);
    const place = join(folder, `${look.theme}-${look.width}`);
    mkdirSync(place, { recursive: true });
    const settle = watchRequests(context);
    for (const route of routes) {
      const { name, path } = route;
      await page.goto(`${environment.url}${path}`);
      await settle(page);
      if ("act" in route) await route.act(page);
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.evaluate(waitForAnimations);
      await page.screenshot({ path: join(place, `${name}.${visit.state}.png`), fullPage: true });
    }
    return routes.length;
  } finally {
    await context.close();
  }
}

/** Dialogs have opened and colors have settled once finite animations are over and a frame is drawn. */
async function waitForAnimations(): Promise<void> {
  const ends = (one: Animation) => one.effect?.getComputedTiming().iterations !== Infinity;
  const running = document.getAnimations().filter(ends);
  await Promise.allSettled(running.map((one) => one.finished));
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}

process.exit(await takeScreenshots(process.argv.slice(2)));
