// Responses in a browser: an owner has a project store them by default, and an agent that says nothing of it continues them.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";

memberTest(
  "RESP-1 a project stores responses by default once it says so",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("agent");
    const respond = async (fields: object) => {
      const response = await fetch(`${environment.baseUrl}/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: models.large, input: "Hello!", ...fields }),
      });
      return (await response.json()) as { id: string; store: boolean };
    };
    expect((await respond({})).store).toBe(false);
    await goTo("/settings/privacy");
    const setting = page.getByLabel("Responses of Default");
    await setting.selectOption({ label: "Stored for 7 days" });
    await page.getByText("Saved").first().waitFor();
    const first = await respond({});
    expect(first.store).toBe(true);
    expect((await respond({ previous_response_id: first.id })).store).toBe(true);
    await goTo("/settings/audit-log");
    await page.getByText("Default").first().waitFor();
  },
  { usd: "10" },
);
