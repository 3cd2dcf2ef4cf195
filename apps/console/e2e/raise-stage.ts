// Runs before all test files: raises the one stage they share, and takes it down when the last test
// is over. Where no Chromium can run, the suite says so and ends well.
import { afterAll, beforeAll } from "bun:test";
import { launchChromium } from "./launch-chromium.ts";
import { closeStage, openStage } from "./stage.ts";

const browser = await launchChromium();
if (typeof browser === "string") {
  console.log(`Browser tests are skipped: ${browser}`);
  process.exit(0);
}

const startMs = 90_000;

beforeAll(() => openStage(browser), startMs);
afterAll(closeStage, startMs);
