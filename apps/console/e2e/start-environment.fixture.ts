// Runs before all test files: starts the environment they share, and stops it after the last test. If no
// Chromium can run, the suite prints the reason and passes.
import { afterAll, beforeAll } from "bun:test";
import { closeEnvironment, openEnvironment, useEnvironment } from "./environment.fixture.ts";
import { launchChromium } from "./launch-chromium.fixture.ts";
import { readViolations } from "./read-violations.fixture.ts";

const browser = await launchChromium();
if (typeof browser === "string") {
  console.log(`Browser tests are skipped: ${browser}`);
  process.exit(0);
}

const startMs = 600_000;

beforeAll(() => openEnvironment(browser), startMs);
afterAll(async () => {
  const violations = await readViolations(useEnvironment());
  await closeEnvironment();
  if (violations > 0) throw new Error(`SEC-1: the policy was broken ${violations} times.`);
}, startMs);
