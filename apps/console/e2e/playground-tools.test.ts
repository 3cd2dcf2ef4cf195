// Tools with mock results, and structured output, in the Playground.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";

const funded = { usd: "10" };
const ask = async (page: Page, text: string) => {
  await page.getByLabel("Your message").fill(text);
  await page.keyboard.press("Enter");
};

memberTest(
  "the mock result of a tool is filled in, can be edited, and is sent",
  async ({ page, goTo, environment }) => {
    await goTo(`/playground?model=${encodeURIComponent(models.large)}`);
    const tool = { type: "function", function: { name: "weather", parameters: {} } };
    await page.getByLabel("Tools").fill(JSON.stringify([tool]));
    await page.getByLabel("Mock result of weather").fill("sunny, 20 degrees");
    const calls = [{ id: "call_1", name: "weather", arguments: "{}" }];
    await ask(page, `#script ${JSON.stringify({ toolCalls: calls })}`);
    const result = page.getByLabel("Result of weather", { exact: true });
    await result.waitFor();
    expect(await result.inputValue()).toBe("sunny, 20 degrees");
    await result.fill("rain, 4 degrees");
    await page.getByRole("button", { name: "Send results" }).click();
    const sent = await environment.upstream.waitFor(({ body }) => body.includes('"role":"tool"'));
    expect(sent.body).toContain("rain, 4 degrees");
    expect(sent.body).not.toContain("sunny");
  },
  funded,
);

memberTest(
  "an answer is checked against the schema, which is checked while it is typed",
  async ({ page, goTo }) => {
    await goTo("/playground?model=sandbox/echo");
    await page.getByLabel("JSON mode").check();
    const schema = page.getByLabel("JSON Schema");
    await schema.fill('{"type":');
    await page.getByText(/^This is not JSON: /).waitFor();
    await ask(page, "{}");
    await page.getByText("Check the parameters first.").waitFor();
    await schema.fill("");
    await page.getByRole("button", { name: "Use an example", exact: true }).click();
    await page.getByText("Sample answer").waitFor();
    await ask(page, '{"name":"Rome","inhabitants":2800000,"sights":[]}');
    await page.getByText("Matches the schema").waitFor();
    await ask(page, '{"name":"Rome","inhabitants":"many"}');
    await page.getByText("Does not match the schema").waitFor();
    await page.getByText('/: Instance does not have required property "sights".').waitFor();
    await page.getByText(/^\/inhabitants: Instance type "string" is invalid/).waitFor();
  },
  funded,
);
