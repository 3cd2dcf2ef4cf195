// What each role in an organization sees: every page is shown, or says that the role does not include it.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";
import { accept, joinOrganization } from "./join-organization.fixture.ts";
import { memberRoutes } from "./routes.fixture.ts";

/** The pages that a role does not have; `docs/permissions.md` says why. */
const withheld = {
  developer: ["wallet", "notifications", "audit-log", "webhooks"],
  viewer: ["playground", "management-keys", "audit-log", "webhooks"],
  billing: ["playground", "logs", "audit-log", "webhooks"],
} as const;

for (const role of ["developer", "viewer", "billing"] as const) {
  memberTest(`NAV-3 the ${role} role: each page is shown, or explained`, async (one) => {
    const organization = await joinOrganization(one, role);
    await accept(one, organization, async ({ page, follow }) => {
      const refused: string[] = [];
      for (const { name, path } of memberRoutes()) {
        await follow(`${organization.base}${path === "/" ? "" : path}`);
        const explained = page.getByText("does not include this page.");
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        if ((await explained.count()) > 0) refused.push(name.replace("settings-", ""));
        else expect([name, await page.getByText("404").count()]).toEqual([name, 0]);
      }
      expect(refused).toEqual([...withheld[role]]);
    });
  });
}

memberTest(
  "TEA-2 a viewer cannot create a key, neither in the console nor by the API",
  async (one) => {
    const organization = await joinOrganization(one, "viewer");
    await accept(one, organization, async ({ page, visit }) => {
      await visit(`${organization.base}/keys?do=create-key`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect(await page.getByRole("button", { name: /create (api )?key/i }).count()).toBe(0);
      expect(await page.getByRole("dialog").count()).toBe(0);
      const answer = await page.evaluate(async (slug) => {
        const response = await fetch("/trpc/keys.create?batch=1", {
          method: "POST",
          headers: { "content-type": "application/json", "x-turnpike-account": slug },
          body: JSON.stringify({ 0: { name: "forbidden" } }),
        });
        return { status: response.status, text: await response.text() };
      }, organization.base.slice("/a/".length));
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("permission_denied");
    });
  },
);
