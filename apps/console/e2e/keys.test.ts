// API keys in a browser: created, shown once, limited, revoked.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat, askModels } from "./ask-gateway.fixture.ts";
import { inBrowser, type MemberTest, memberTest, signInBrowser } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { countCalls, readTable, whereIs } from "./read-page.fixture.ts";

const createButton = (page: Page) => page.getByRole("button", { name: "Create API Key" }).first();
const nameField = (page: Page) => page.getByLabel("Name", { exact: true });
const keyField = (page: Page) => page.getByLabel("Your new API key");
const confirmButton = (page: Page) => page.getByRole("button", { name: "Create key" });

/** Up to the dialog that shows the new key. */
async function create({ page, goTo }: MemberTest, name: string): Promise<string> {
  await goTo("/keys");
  await createButton(page).click();
  await nameField(page).fill(name);
  await confirmButton(page).click();
  return keyField(page).inputValue();
}

memberTest("KEY-1 Create API Key is at the right edge, and visible on a phone", async (one) => {
  const { page, visit } = one;
  await visit("/keys");
  await page.getByText("No keys yet.").waitFor();
  const wide = await whereIs(createButton(page));
  const main = await whereIs(page.locator("main"));
  // Only the padding of the page is in between.
  expect(main.right - wide.right).toBeLessThanOrEqual(32);
  expect(wide.top).toBeLessThan(200);
  await page.setViewportSize({ width: 320, height: 568 });
  await visit("/keys");
  const phone = await whereIs(createButton(page));
  expect(phone.bottom).toBeLessThanOrEqual(568);
  expect(phone.left).toBeGreaterThanOrEqual(0);
  expect(phone.right).toBeLessThanOrEqual(320);
});

memberTest(
  "KEY-2 Esc and a click beside a dialog ask before they discard what was entered",
  async (one) => {
    const { page, goTo } = one;
    await goTo("/keys");
    await createButton(page).click();
    await nameField(page).fill("half written");
    await page.keyboard.press("Escape");
    const question = page.getByRole("alertdialog", { name: "Discard changes?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    expect(await nameField(page).inputValue()).toBe("half written");
    await page.mouse.click(5, 5);
    await question.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await createButton(page).click();
    expect(await nameField(page).inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
);

memberTest("KEY-2 an empty name shows an error at the field, and nothing is sent", async (one) => {
  const { page, goTo } = one;
  await goTo("/keys");
  await createButton(page).click();
  const calls = countCalls(page, "keys.create");
  await nameField(page).fill("   ");
  await confirmButton(page).click();
  await page.getByText("Enter a name for this key.").first().waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "name");
  expect(calls()).toBe(0);
});

memberTest("KEY-3 a name is all it takes to get a key that works", async (one) => {
  const key = await create(one, "production");
  expect(await askModels(one.environment, key)).toBe(200);
  expect(await askModels(one.environment, `${key}x`)).toBe(401);
});

memberTest("KEY-4 the clipboard equals the field", async (one) => {
  const { page } = one;
  const key = await create(one, "laptop");
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
});

memberTest(
  "KEY-5 closing without copying asks, and afterwards the key is in neither DOM, storage nor URL",
  async (one) => {
    const { page } = one;
    const key = await create(one, "forgotten");
    await page.keyboard.press("Escape");
    await page.getByText("Close without copying the key?").waitFor();
    await page.getByRole("button", { name: "Go back" }).click();
    expect(await keyField(page).inputValue()).toBe(key);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Close anyway" }).click();
    await page.getByRole("link", { name: "forgotten" }).waitFor();
    expect(await readEverything(page)).not.toContain(key);
  },
);

memberTest("KEY-5 Back asks too while the key is not copied", async (one) => {
  const { page, goTo, environment } = one;
  await goTo("/logs");
  await page.getByRole("link", { name: "API Keys" }).first().click();
  await createButton(page).click();
  await nameField(page).fill("forgotten");
  await confirmButton(page).click();
  const key = await keyField(page).inputValue();
  // A reload, here or after Back, must not ask for another key.
  expect(page.url()).toBe(`${environment.url}/keys`);
  const asking = page.getByText("Close without copying the key?");
  const goBack = () => page.evaluate(() => history.go(-2));
  await goBack();
  await asking.waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  expect(await keyField(page).inputValue()).toBe(key);
  await goBack();
  await asking.waitFor();
  await page.getByRole("button", { name: "Close anyway" }).click();
  await page.waitForURL(`${environment.url}/logs`);
  expect(await readEverything(page)).not.toContain(key);
});

/** The page, its address, its history state and its storage. */
function readEverything(page: Page): Promise<string> {
  return page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll<HTMLInputElement>("input, textarea")].map((f) => f.value),
      location.href,
      JSON.stringify(history.state),
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      document.cookie,
    ].join("\n"),
  );
}

memberTest("KEY-6 the new row comes first without a reload, masked", async (one) => {
  const { page, member } = one;
  await member.createKey("older");
  const key = await create(one, "newer");
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "newer" }).waitFor();
  const rows = await readTable(page.getByRole("table"));
  expect(rows.map((row) => row.Name)).toEqual(["newer", "older"]);
  expect(rows[0]?.Key).toEndWith(key.slice(-4));
  expect(rows[0]?.Key).toStartWith("sk-");
  expect(rows[0]?.Key?.length).toBeLessThan(20);
  await page.waitForFunction(() => document.activeElement?.textContent === "newer");
});

memberTest("KEY-7 a revoked key is refused, and its row shows it", async (one) => {
  const { page, member, environment, goTo } = one;
  const { key } = await member.createKey("leaked");
  expect(await askModels(environment, key)).toBe(200);
  await goTo("/keys");
  await page.getByRole("button", { name: "Actions for leaked" }).click();
  await page.getByRole("menuitem", { name: "Revoke", exact: true }).click();
  await page.getByLabel(/^Type the last four characters of sk-/).fill(key.slice(-4));
  await page.getByRole("button", { name: "Revoke key" }).click();
  await page.getByText("Revoked leaked").waitFor();
  // How soon is a promise of apps/server/test/money/revocation.test.ts.
  while ((await askModels(environment, key)) !== 401) await Bun.sleep(50);
  // It stays in its place, without a reload.
  await page
    .getByRole("row", { name: /leaked/ })
    .getByText("Revoked")
    .waitFor();
  const [row] = await readTable(page.getByRole("table"));
  expect(row).toMatchObject({ Name: "leaked", Status: "Revoked" });
});

memberTest(
  "A11Y-2 the focus stays at the key that is rotated, disabled and revoked",
  async ({ page, member, goTo }) => {
    const { key } = await member.createKey("changed");
    await member.createKey("other");
    const choose = async (item: string) => {
      await page.getByRole("button", { name: "Actions for changed" }).click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
    };
    const waitForFocus = () =>
      page.waitForFunction(
        () => document.activeElement?.getAttribute("aria-label") === "Actions for changed",
      );
    await goTo("/keys");
    await choose("Disable");
    await page.getByText("Disabled changed").waitFor();
    await waitForFocus();
    await choose("Enable");
    await page.getByText("Enabled changed").waitFor();
    await choose("Rotate secret");
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const fresh = await keyField(page).inputValue();
    expect(fresh).not.toBe(key);
    await page.getByRole("button", { name: "Copy key" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Old secret stops working in 1 day").waitFor();
    await waitForFocus();
    await choose("Revoke");
    await page.getByLabel(/^Type the last four characters of sk-/).fill(fresh.slice(-4));
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Revoked changed").waitFor();
    await waitForFocus();
    // None of its secrets works any more.
    expect(await page.getByText("Old secret stops working").count()).toBe(0);
  },
);

memberTest(
  "KEY-8 a key over its limit shows that, and when the limit resets",
  async ({ page, member, environment, goTo }) => {
    const { key } = await member.createKey("tight");
    // 2,000 tokens of the large model cost $0.016.
    const content = `#script ${JSON.stringify({ deltas: 2_000 })}`;
    const call = { model: models.large, max_tokens: 2_000, content };
    expect((await askChat(environment, key, call)).status).toBe(200);
    await goTo("/keys");
    await page.getByText(/\$0\.016\d? in total/).waitFor();
    await page.getByRole("button", { name: "Actions for tight" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByLabel("Spend limit").fill("0.01");
    await page.getByLabel("Per", { exact: true }).selectOption("day");
    await page.getByRole("button", { name: "Save changes" }).click();
    const row = page.getByRole("row", { name: /tight/ });
    await row.getByText("Limit reached").waitFor();
    await row.getByText(/resets in \d+ (h|min|days?)/).waitFor();
    const refused = await askChat(environment, key, call);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ error: { metadata: { reason: "key_limit_reached" } } });
  },
  { usd: "10" },
);

memberTest("KEY-9 two fast clicks create one key", async (one) => {
  const { page, member, goTo } = one;
  await goTo("/keys");
  await createButton(page).click();
  await nameField(page).fill("once");
  const calls = countCalls(page, "keys.create");
  await confirmButton(page).dblclick();
  await keyField(page).waitFor();
  expect(calls()).toBe(1);
  expect(Object.values(await member.query("keys.list"))).toHaveLength(1);
});

memberTest("SEC-2 after the reveal the key is in no storage, page or later answer", async (one) => {
  const { page, environment, member, visit } = one;
  const key = await create(one, "secret");
  const bodies: Promise<string>[] = [];
  page.on("response", (response) => bodies.push(response.text().catch(() => "")));
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "secret" }).waitFor();
  for (const path of ["/keys", "/", "/logs"]) {
    await visit(path);
    expect(await readEverything(page)).not.toContain(key);
  }
  const answers = await Promise.all(bodies);
  expect(answers.filter((body) => body.includes("secret")).length).toBeGreaterThan(0);
  expect(answers.filter((body) => body.includes(key))).toEqual([]);
  // Another browser of the same person does not get it either.
  await inBrowser(environment, "SEC-2 elsewhere", undefined, async (other) => {
    await signInBrowser(other, member);
    await other.visit("/keys");
    expect(await readEverything(other.page)).not.toContain(key);
  });
});

memberTest("the page of a key shows its history", async (one) => {
  const { page, goTo, member } = one;
  const { id } = await member.createKey("ci");
  await member.mutate("keys.update", {
    id,
    name: "ci 2",
    limits: { spendLimitsUsd: { day: "3" } },
  });
  await goTo(`/keys/${id}`);
  const history = page.getByRole("region", { name: "History" });
  await history.getByText("Renamed from ci to ci 2").waitFor();
  await history.getByText("Spend limit per day: none → $3.00").waitFor();
  await history.getByText("Created").waitFor();
  await member.mutate("keys.setDisabled", { id, disabled: true });
  await page.reload();
  await history.getByText("Disabled").waitFor();
  expect(await history.getByRole("listitem").count()).toBe(3);
});
