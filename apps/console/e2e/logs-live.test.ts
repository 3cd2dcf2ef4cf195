// The live list while many requests arrive: nothing moves under the pointer, and what it does not show is counted.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { askUntilShown } from "./pass-time.fixture.ts";

/** The page asks again for requests. */
const tailEveryMs = 3_000;

const rows = (page: Page) =>
  page.getByRole("table", { name: "Requests, newest first" }).locator("tbody tr");

const shownIds = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((one) => one.getAttribute("data-row")));

memberTest(
  "LOG-6 the live list stands still while someone reads it, counts new requests, and shows them",
  async ({ page, goTo, installClock, member, environment }) => {
    const { key } = await member.createKey("busy");
    const ask = () => askChat(environment, key, { model: models.mini, max_tokens: 8 });
    const fill = async (batches: number) => {
      for (let batch = 0; batch < batches; batch += 1) {
        await Promise.all(Array.from({ length: 12 }, ask));
      }
    };
    await fill(1);
    await installClock();
    await goTo("/logs?live=1");
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
    await rows(page).nth(11).waitFor();

    await rows(page).nth(3).hover();
    await page.getByText("Paused while you read").waitFor();
    const before = await shownIds(page);
    await fill(6);
    const fresh = page.getByRole("button", { name: "72 new requests" });
    await askUntilShown(page, tailEveryMs, fresh);
    expect(await shownIds(page)).toEqual(before);

    await fresh.click();
    await page.getByText("22 left out, too fast to read.").waitFor();
    const after = await shownIds(page);
    expect(after).toHaveLength(50);
    expect(after.filter((id) => before.includes(id))).toEqual([]);

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("status").getByText("Paused", { exact: true }).waitFor();
    await fill(1);
    const more = page.getByRole("button", { name: "12 new requests" });
    await askUntilShown(page, tailEveryMs, more);
    expect(await shownIds(page)).toEqual(after);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
    await page.clock.fastForward(tailEveryMs);
    await page.waitForFunction(
      (old) => document.querySelector("tbody tr")?.getAttribute("data-row") !== old,
      after[0],
    );
  },
  { usd: "10" },
);
