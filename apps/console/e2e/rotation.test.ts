// Rotating a key in a browser: at most two secrets, and revoking one always asks first.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askModels } from "./ask-gateway.fixture.ts";
import { type MemberTest, memberTest } from "./browser-test.fixture.ts";
import { countCalls } from "./read-page.fixture.ts";

const asking = (page: Page) => page.getByRole("alertdialog");
const endOld = (page: Page) => page.getByRole("button", { name: "Revoke old secret" });
const rotateButton = (page: Page) => page.getByRole("button", { name: "Rotate secret" });

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "Actions for ci" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** A key whose old secret works for one more hour. */
async function makeRotated({ member }: MemberTest) {
  const { id, key: old } = await member.createKey("ci");
  const { key } = await member.mutate("keys.rotate", { id, graceSeconds: 3_600 });
  return { id, old, current: String(key) };
}

/** Waits until the key is refused. */
async function waitForRefusal({ environment }: MemberTest, key: string): Promise<void> {
  while ((await askModels(environment, key)) !== 401) await Bun.sleep(50);
}

memberTest("revoking the old secret asks first, in the list and on the key's page", async (one) => {
  const { page, goTo, environment, member } = one;
  const { id, old, current } = await makeRotated(one);
  const calls = countCalls(page, "keys.endPrevious");
  await goTo("/keys");
  await expectAsked(one, () => choose(page, "Revoke old secret"), old);
  expect(await askModels(environment, current)).toBe(200);
  await member.mutate("keys.rotate", { id, graceSeconds: 3_600 });
  await goTo(`/keys/${id}`);
  await expectAsked(one, () => endOld(page).click(), current);
  await endOld(page).waitFor({ state: "detached" });
  expect(calls()).toBe(2);
});

/** Cancel changes nothing; the second time, without a reload between, the old secret ends. */
async function expectAsked(one: MemberTest, ask: () => Promise<void>, old: string) {
  const { page, environment } = one;
  const calls = countCalls(page, "keys.endPrevious");
  await ask();
  await asking(page).getByText("Requests that still use it will fail immediately").waitFor();
  await asking(page).getByRole("button", { name: "Cancel" }).click();
  await asking(page).waitFor({ state: "detached" });
  expect(calls()).toBe(0);
  expect(await askModels(environment, old)).toBe(200);
  await ask();
  await asking(page).getByRole("button", { name: "Revoke old secret" }).click();
  await page.getByText("The old secret of ci is revoked").waitFor();
  await waitForRefusal(one, old);
}

memberTest(
  "no third secret: rotating again says until when the old one works, and offers to revoke it",
  async (one) => {
    const { page, goTo, environment } = one;
    const { old, current } = await makeRotated(one);
    const calls = countCalls(page, "keys.rotate");
    await goTo("/keys");
    await choose(page, "Rotate secret");
    await page.getByText(/The old secret still works until .+ \(in (1 h|\d+ min)\)\./).waitFor();
    expect(await rotateButton(page).count()).toBe(0);
    await endOld(page).click();
    await asking(page).getByRole("button", { name: "Revoke old secret" }).click();
    await rotateButton(page).waitFor();
    await waitForRefusal(one, old);
    expect(calls()).toBe(0);
    // Keyboard users continue with the next step.
    await page.waitForFunction(() => document.activeElement?.textContent === "Rotate secret");
    await page.keyboard.press("Enter");
    const fresh = await page.getByLabel("Your new API key").inputValue();
    expect(await askModels(environment, fresh)).toBe(200);
    expect(await askModels(environment, current)).toBe(200);
  },
);

memberTest("rotated in another tab meanwhile: the dialog explains the conflict", async (one) => {
  const { page, goTo, member, environment } = one;
  const { id, key } = await member.createKey("ci");
  await goTo("/keys");
  await choose(page, "Rotate secret");
  await rotateButton(page).waitFor();
  await member.mutate("keys.rotate", { id, graceSeconds: 3_600 });
  await rotateButton(page).click();
  await page
    .getByRole("alert")
    .getByText(/previous secret still works/i)
    .waitFor();
  expect(await rotateButton(page).count()).toBe(0);
  expect(await askModels(environment, key)).toBe(200);
  await endOld(page).click();
  await asking(page).getByRole("button", { name: "Revoke old secret" }).click();
  await rotateButton(page).click();
  const fresh = await page.getByLabel("Your new API key").inputValue();
  expect(await askModels(environment, fresh)).toBe(200);
});
