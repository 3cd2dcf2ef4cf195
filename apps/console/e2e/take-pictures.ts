// Takes a picture of every page, empty, loaded and in trouble, light and dark, wide and narrow, into
// `.artifacts/pictures/`. Words as arguments choose pages by name: `bun run pictures wallet keys`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { breakCalls } from "./break-calls.ts";
import { fillAccount, type Past } from "./fill-account.ts";
import { artifacts, openContext, signInBrowser } from "./journey.ts";
import { launchChromium } from "./launch-chromium.ts";
import { joinAs, type Member } from "./member.ts";
import { memberRoutes, publicRoutes, type Route } from "./routes.ts";
import { type Scene, scenes } from "./scenes.ts";
import { closeStage, openStage, type Stage } from "./stage.ts";
import { watchRequests } from "./watch-requests.ts";

const folder = join(artifacts, "pictures");
const looks = (["light", "dark"] as const).flatMap((theme) =>
  [1280, 390].map((width) => ({ theme, width })),
);
type Look = (typeof looks)[number];
type Visit = {
  readonly state: string;
  readonly routes: readonly (Route | Scene)[];
  readonly member?: Member;
  readonly inTrouble?: boolean;
};

/** Returns the exit code. */
async function takePictures(wanted: readonly string[]): Promise<number> {
  const browser = await launchChromium();
  if (typeof browser === "string") {
    console.error(`There are no pictures: ${browser}`);
    return 1;
  }
  try {
    const stage = await openStage(browser);
    const newcomer = await joinAs(stage);
    const regular = await joinAs(stage);
    const past = await fillAccount(stage, regular);
    let taken = 0;
    for (const look of looks) {
      for (const visit of visitsOf(newcomer, regular, past)) {
        taken += await takeAll(stage, look, visit, wanted);
      }
    }
    console.log(`${taken} pictures in ${folder}`);
    return taken > 0 ? 0 : 1;
  } finally {
    await closeStage();
  }
}

function visitsOf(newcomer: Member, regular: Member, past: Past): readonly Visit[] {
  return [
    { state: "public", routes: publicRoutes },
    { state: "empty", routes: memberRoutes(), member: newcomer },
    { state: "loaded", routes: memberRoutes(past), member: regular },
    { state: "scene", routes: scenes, member: regular },
    { state: "error", routes: memberRoutes(past), member: regular, inTrouble: true },
  ];
}

async function takeAll(stage: Stage, look: Look, visit: Visit, wanted: readonly string[]) {
  const routes = visit.routes.filter(
    (route) =>
      (wanted.length === 0 || wanted.includes(route.name)) &&
      (look.width >= 1024 || !("wide" in route)),
  );
  if (routes.length === 0) return 0;
  const context = await openContext(stage, { ...look, reducedMotion: true });
  try {
    if (visit.member !== undefined) await signInBrowser({ context, stage }, visit.member);
    const page = await context.newPage();
    if (visit.inTrouble) await breakCalls(page, 500);
    const place = join(folder, `${look.theme}-${look.width}`);
    mkdirSync(place, { recursive: true });
    const settle = watchRequests(context);
    for (const route of routes) {
      const { name, path } = route;
      await page.goto(`${stage.url}${path}`);
      await settle(page);
      if ("act" in route) await route.act(page);
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      // Colours that are on their way have arrived after a frame.
      await page.evaluate(
        () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
      );
      await page.screenshot({ path: join(place, `${name}.${visit.state}.png`), fullPage: true });
    }
    return routes.length;
  } finally {
    await context.close();
  }
}

process.exit(await takePictures(process.argv.slice(2)));
