// The public status in a browser: models, incidents and the age of what is shown, while nothing else answers.
import { expect } from "bun:test";
import { browserTest } from "./browser-test.fixture.ts";
import { showBusyStatus, showStatus } from "./show-status.fixture.ts";

browserTest("STAT-1 the status is shown while every procedure fails", async (one) => {
  const { page, goTo, complaints } = one;
  await page.route("**/trpc/**", (route) => route.abort("internetdisconnected"));
  await showStatus(page);
  await goTo("/status#incident-1");
  await page.getByRole("heading", { name: "Status", level: 1 }).waitFor();
  await page.getByText("Some models do not work as they should.").waitFor();
  await page.getByText("Our database does not answer. What follows is 5 min old.").waitFor();
  await page.getByRole("heading", { name: "Small fails often" }).waitFor();
  await page.getByText("vendor/small at first").waitFor();
  await page.getByText("A provider is down.").waitFor();
  await page.getByRole("img", { name: /^Large: .* answered in 90 days\. Worst day: / }).waitFor();
  await page.getByRole("img", { name: "New: too few requests to say." }).waitFor();
  await page.getByRole("heading", { name: "Small", exact: true }).click();
  await page.getByText("2 providers").waitFor();
  await page.getByRole("img", { name: /^second: / }).waitFor();
  expect(await page.getByText("12 more models work").count()).toBe(1);
  complaints.length = 0;
});

browserTest("STAT-2 the status and its feed answer without a session", async ({ page, goTo }) => {
  await goTo("/status");
  await page.getByRole("heading", { name: "Past incidents" }).waitFor();
  const feed = await page.evaluate(async () => {
    const answer = await fetch("/status/feed.xml");
    const read = new DOMParser().parseFromString(await answer.text(), "application/xml");
    const { namespaceURI, localName } = read.documentElement;
    const required = ["id", "title", "updated", "author"];
    const found = required.filter((name) => read.querySelector(`feed > ${name}`) !== null);
    return { namespaceURI, localName, found };
  });
  expect(feed).toEqual({
    namespaceURI: "http://www.w3.org/2005/Atom",
    localName: "feed",
    found: ["id", "title", "updated", "author"],
  });
});

browserTest("STAT-3 one incident of everything is said once, on a page that ends", async (one) => {
  const { page, goTo } = one;
  await page.setViewportSize({ width: 1280, height: 800 });
  await showBusyStatus(page, 81);
  await goTo("/status");
  await page.getByRole("heading", { name: "Everything is slow" }).waitFor();
  await page.getByRole("heading", { name: "Model 80" }).waitFor();
  expect(await page.getByText("Degraded", { exact: true }).count()).toBe(1);
  const lines = page.getByRole("listitem").filter({ has: page.getByRole("img") });
  const heights = await lines.evaluateAll((all) => all.map((line) => line.clientHeight));
  expect(heights).toHaveLength(81);
  expect(Math.max(...heights)).toBeLessThanOrEqual(56);
});
