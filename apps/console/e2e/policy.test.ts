// The content security policy: strict, and never violated by the console itself.
import { expect } from "bun:test";
import { browserTest, historyTest } from "./browser-test.fixture.ts";
import { readViolations } from "./read-violations.fixture.ts";
import { memberRoutes, publicRoutes } from "./routes.fixture.ts";

browserTest("SEC-1 no public page violates the policy", async ({ page, environment, visit }) => {
  const response = await page.goto(`${environment.url}/`);
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*/);
  const before = await readViolations(environment);
  for (const { path } of publicRoutes) {
    await visit(path);
  }
  expect(await readViolations(environment)).toBe(before);
  expect(before).toBe(0);
});

historyTest("SEC-1 no member page violates the policy", async ({ environment, visit, history }) => {
  for (const { path } of memberRoutes(history)) {
    await visit(path);
  }
  expect(await readViolations(environment)).toBe(0);
});
