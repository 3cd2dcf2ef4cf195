// The content security policy is strict. That no page violates it is tested where every page is opened, and, for all that
// the suite does, after each file.
import { expect } from "bun:test";
import { browserTest } from "./browser-test.fixture.ts";

browserTest("SEC-1 the policy allows only what is named in it", async ({ page, environment }) => {
  const response = await page.goto(`${environment.url}/`);
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*/);
});
