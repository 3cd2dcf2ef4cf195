// The sidebar on a laptop: nothing of it has to be looked for.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";

memberTest("every page of the sidebar is in view at 1280 by 800, Settings too", async (one) => {
  const { page, visit } = one;
  await visit("/");
  const settings = page.getByRole("navigation", { name: "Main" }).getByRole("link").last();
  expect(await settings.textContent()).toBe("Settings");
  const list = await settings.evaluate((link) => {
    const scrolled = link.closest(".overflow-y-auto");
    if (scrolled === null) throw new Error("The list of the sidebar was not found.");
    const { scrollHeight, clientHeight } = scrolled;
    return { scrollHeight, clientHeight };
  });
  expect(list.scrollHeight).toBe(list.clientHeight);
});
