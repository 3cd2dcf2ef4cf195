// Overview: three steps for a new account, figures that link to their source.
import { expect } from "bun:test";
import { askChat } from "./ask-gateway.fixture.ts";
import { historyTest, memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { costOf, nanosOf } from "./expected-cost.fixture.ts";
import type { Member } from "./member.fixture.ts";
import { readExact } from "./read-page.fixture.ts";

memberTest("OVR-1 an empty account sees three steps and no empty chart", async ({ page, goTo }) => {
  await goTo("/");
  const steps = page.getByRole("list", { name: "Steps to your first answer" }).getByRole("heading");
  await steps.first().waitFor();
  expect(await steps.allTextContents()).toEqual([
    "Add funds",
    "Create an API key",
    "Send your first request",
  ]);
  await page.getByText("Waiting for the first request…").waitFor();
  expect(await page.getByRole("application").count()).toBe(0);
  expect(await page.getByText(/NaN|undefined|Infinity/).count()).toBe(0);
});

async function waitForLogged(member: Member): Promise<void> {
  const read = async () => Object.values((await member.query("logs.list")).rows ?? {});
  while ((await read()).length === 0) await Bun.sleep(20);
}

memberTest(
  "OVR-2 the first request appears within 5 s, without a reload",
  async ({ page, environment, member, goTo, installClock }) => {
    const { key } = await member.createKey("first");
    await installClock();
    await goTo("/");
    await page.getByText("Waiting for the first request…").waitFor();
    // From here on no time passes for the page.
    await page.clock.pauseAt(Date.now() + 60_000);
    const { body } = await askChat(environment, key, { model: models.large });
    await waitForLogged(member);
    await page.clock.runFor(5_000);
    const received = page.getByText(/^First request received: \$/);
    await received.waitFor();
    await page.clock.resume();
    const shown = /\$[\d.]+/.exec((await received.textContent()) ?? "")?.[0] ?? "";
    expect(nanosOf(shown.replace(/\.$/, ""))).toBe(costOf(models.large, body.usage));
    await page.getByRole("link", { name: "View log" }).click();
    await page.getByRole("dialog", { name: "Request" }).waitFor();
  },
  { usd: "10" },
);

historyTest(
  "OVR-3 each figure links to the view it comes from",
  async ({ page, goTo, environment }) => {
    const views = {
      Balance: "/wallet",
      "Spend today": "/usage?range=today",
      "This month": "/usage?range=month",
      "Requests today": "/usage?range=today",
      "Error rate": "/usage?range=30d&tab=errors",
      "Median latency": "/usage?range=30d&tab=performance",
    };
    await goTo("/");
    const figure = (name: string) =>
      page.locator("main .relative").filter({ hasText: name }).first();
    await figure("Spend today").waitFor();
    const spend = await readExact(figure("Spend today").locator(".figures span").first());
    for (const [name, path] of Object.entries(views)) {
      await goTo("/");
      await page.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(`${environment.url}${path}`);
    }
    await page.getByRole("tab", { name: "Performance", selected: true }).waitFor();
    await goTo("/usage?range=today");
    await figure("Spend").waitFor();
    expect(await readExact(figure("Spend").locator(".figures span").first())).toBe(spend);
  },
);
