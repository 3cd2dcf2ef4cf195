// The content security policy: strict, and never in the way of the console itself.
import { expect } from "bun:test";
import { journey, regularJourney } from "./journey.ts";
import { readViolations } from "./read-violations.ts";
import { memberRoutes, publicRoutes } from "./routes.ts";

journey("SEC-1 no page for strangers breaks the policy", async ({ page, stage, visit }) => {
  const response = await page.goto(`${stage.url}/`);
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*/);
  const before = await readViolations(stage);
  for (const { path } of publicRoutes) {
    await visit(path);
  }
  expect(await readViolations(stage)).toBe(before);
  expect(before).toBe(0);
});

regularJourney("SEC-1 no page for members breaks the policy", async ({ stage, visit, past }) => {
  for (const { path } of memberRoutes(past)) {
    await visit(path);
  }
  expect(await readViolations(stage)).toBe(0);
});
