// Runs before the test files of a process: starts the environment they share. It ends with the process: the server and
// the browser end when its pipes close, and the runner removes the rest.
import { afterAll, beforeAll } from "bun:test";
import { openEnvironment, useEnvironment } from "./environment.fixture.ts";
import { launchChromium } from "./launch-chromium.fixture.ts";
import { readViolations } from "./read-violations.fixture.ts";

const browser = await launchChromium();
if (typeof browser === "string") throw new Error(browser);

const startMs = 600_000;
let opening: Promise<unknown> | undefined;

// Both are called for each file.
beforeAll(() => {
  opening ??= openEnvironment(browser);
  return opening;
}, startMs);
afterAll(async () => {
  const violations = await readViolations(useEnvironment());
  if (violations > 0) throw new Error(`SEC-1: the policy was broken ${violations} times.`);
}, startMs);
