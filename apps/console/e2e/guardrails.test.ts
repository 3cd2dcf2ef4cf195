// Guardrails and rate limits in a browser: set by an owner, explained where a refused call is read, changed where that
// leads to; roles that may not change them see them.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { type BrowserTest, memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { createKeyIn, createProject } from "./create-project.fixture.ts";
import { accept, joinOrganization } from "./join-organization.fixture.ts";
import { requestSheet } from "./read-page.fixture.ts";

const dialog = (page: Page) => page.getByRole("dialog");
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const ofAccount = "Guardrail of the account";

const ask = ({ environment }: BrowserTest, key: string, model: string = models.large) =>
  askChat(environment, key, { model, content: "Hello!", max_tokens: 200 });

async function setRule(page: Page, guardrail: string, label: string, value: string) {
  await card(page, guardrail)
    .getByRole("button", { name: /^(Set|Change) rules$/ })
    .click();
  await dialog(page).getByLabel(label).waitFor();
  const removals = dialog(page).getByRole("button", { name: /^Remove / });
  while ((await removals.count()) > 0) await removals.first().click();
  await dialog(page).getByLabel(label).fill(value);
  await dialog(page).getByRole("button", { name: "Save rules" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

/** Opens the newest refused call, which says `text`, and follows its link. */
async function followRefusal({ page, goTo }: BrowserTest, text: string): Promise<void> {
  await goTo("/logs?status=4xx");
  await page
    .getByRole("link", { name: /\d:\d\d:\d\d/ })
    .first()
    .click();
  await requestSheet(page).getByText(text).waitFor();
  await requestSheet(page).getByText("can be changed by").first().waitFor();
  await requestSheet(page).getByRole("link", { name: "Change the rules" }).click();
}

memberTest(
  "GRD-1 a rule of the account refuses a call, Logs say whose it is, and once it is changed calls pass",
  async (one) => {
    const { page, member, goTo } = one;
    const { key } = await member.createKey("worker");
    await goTo("/settings/guardrails");
    await setRule(page, ofAccount, "Allowed models", models.mini);
    await card(page, ofAccount).getByText(`Models: ${models.mini}`).waitFor();

    const refused = await ask(one, key);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      error: { metadata: { rule: "allowed_models", rule_of: "account" } },
    });
    await followRefusal(one, "It is a rule of the account: allowed models.");
    await page.waitForURL(/\/settings\/guardrails\?id=/);
    await setRule(page, ofAccount, "Allowed models", "northwind/*");
    await card(page, ofAccount).getByText("Models: northwind/*").waitFor();
    expect((await ask(one, key)).status).toBe(200);
    expect((await ask(one, key, models.gamma)).status).toBe(403);

    await card(page, ofAccount).getByRole("button", { name: "Remove all rules" }).click();
    const confirm = page.getByRole("alertdialog");
    await confirm.getByRole("button", { name: "Remove all rules" }).click();
    await card(page, ofAccount).getByText("No rules: every request is allowed.").waitFor();
    expect((await ask(one, key, models.gamma)).status).toBe(200);
  },
  { usd: "10" },
);

memberTest(
  "GRD-2 a maximum price of a project excludes the expensive model, and Logs name the project",
  async (one) => {
    const { page, goTo } = one;
    await createProject(one, "Research");
    const key = await createKeyIn(one, "lab", "Research");
    const guardrail = "Guardrail of the project Research";
    await goTo("/settings/guardrails");
    await card(page, guardrail).getByRole("button", { name: "Set rules" }).click();
    await dialog(page).getByRole("button", { name: "Save rules" }).click();
    await dialog(page).getByText("Set at least one rule.").waitFor();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await setRule(page, guardrail, "Maximum output price per 1M tokens", "1");
    await card(page, guardrail).getByText("At most $1 per million output tokens").waitFor();

    expect((await ask(one, key)).status).toBe(403);
    expect((await ask(one, key, models.mini)).status).toBe(200);
    await followRefusal(one, "It is a rule of the project Research: price of output tokens.");
    await page.waitForURL(/\/settings\/guardrails\?id=/);
    await card(page, guardrail).getByText("At most $1 per million output tokens").waitFor();
  },
  { usd: "10" },
);

memberTest(
  "GRD-3 the models of a key take a wildcard, and are the same in its dialog and its guardrail",
  async (one) => {
    const { page, member, goTo } = one;
    const { id, key } = await member.createKey("worker");
    await goTo(`/keys/${id}`);
    await card(page, "Guardrail").getByText("No rules: every request is allowed.").waitFor();
    await page.getByRole("button", { name: "Actions for worker" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog(page).getByLabel("Allowed models").fill("lumen/*");
    await dialog(page).getByRole("button", { name: "Save changes" }).click();
    await card(page, "Guardrail").getByText("Models: lumen/*").waitFor();
    expect((await ask(one, key)).status).toBe(403);
    expect((await ask(one, key, models.gamma)).status).toBe(200);

    await followRefusal(one, "It is a rule of the API key: allowed models.");
    await page.waitForURL(`**/keys/${id}`);
    await setRule(page, "Guardrail", "Allowed models", "northwind/*, lumen/*");
    await card(page, "Guardrail").getByText("Models: northwind/*, lumen/*").waitFor();
    expect((await ask(one, key)).status).toBe(200);
  },
  { usd: "10" },
);

for (const role of ["developer", "viewer"] as const) {
  memberTest(
    `GRD-4 as ${role}, the rules and limits of others are shown and not changed`,
    async (one) => {
      const team = await joinOrganization(one, role);
      await one.goTo(`${team.base}/settings/guardrails`);
      await setRule(one.page, ofAccount, "Allowed models", "northwind/*");
      const ownersKey = await createKey(one, team.base, "owner's");
      await accept(one, team, async (opened) => {
        const { page, goTo } = opened;
        await goTo(`${team.base}/settings/guardrails`);
        await card(page, ofAccount).getByText("Models: northwind/*").waitFor();
        await card(page, "Guardrail of the project Default").waitFor();
        expect(await page.getByRole("button", { name: /rules$/ }).count()).toBe(0);
        await goTo(`${team.base}/projects`);
        await page.getByRole("button", { name: "Actions for Default" }).click();
        await page.getByRole("menuitem", { name: "View keys" }).waitFor();
        expect(await page.getByRole("menuitem", { name: "Rate limits" }).count()).toBe(0);
        if (role === "developer") {
          await goTo(await createKey(opened, team.base, "mine"));
          await setRule(page, "Guardrail", "Allowed models", models.mini);
          await card(page, "Guardrail").getByText(`Models: ${models.mini}`).waitFor();
        } else {
          await goTo(ownersKey);
          await card(page, "Guardrail").getByText("No rules: every request is allowed.").waitFor();
          expect(await page.getByRole("button", { name: /rules$/ }).count()).toBe(0);
        }
      });
    },
  );
}

/** In the browser; returns the path of its page. */
async function createKey({ page, goTo }: BrowserTest, base: string, name: string): Promise<string> {
  await goTo(`${base}/keys?do=create-key`);
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByRole("button", { name: "Create key" }).click();
  await dialog(page).getByRole("button", { name: "Copy key" }).click();
  await dialog(page).getByRole("button", { name: "Done" }).click();
  const link = page.getByRole("table", { name: /API keys/ }).getByRole("link", { name });
  return (await link.getAttribute("href")) ?? "";
}

memberTest(
  "LIM-1 the second call of a project limited to one request a minute is refused, and Logs say so",
  async (one) => {
    const { page, member, goTo } = one;
    await createProject(one, "Research");
    const key = await createKeyIn(one, "lab", "Research");
    const elsewhere = await member.createKey("elsewhere");
    await goTo("/projects");
    await page.getByRole("button", { name: "Actions for Research" }).click();
    await page.getByRole("menuitem", { name: "Rate limits" }).click();
    await dialog(page).getByLabel("Requests per minute").fill("one");
    await dialog(page).getByRole("button", { name: "Save limits" }).click();
    await dialog(page).getByText("Enter a whole number, or leave it empty.").waitFor();
    await dialog(page).getByLabel("Requests per minute").fill("1");
    await dialog(page).getByRole("button", { name: "Save limits" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await page.getByRole("table", { name: "Projects" }).getByText("1 request a minute").waitFor();

    expect((await ask(one, key)).status).toBe(200);
    const refused = await ask(one, key);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      error: { code: "rate_limit_exceeded", metadata: { limit_source: "project_limit" } },
    });
    expect((await ask(one, elsewhere.key)).status).toBe(200);
    await goTo("/logs?status=4xx");
    await page.getByRole("link", { name: /\d:\d\d:\d\d/ }).click();
    await requestSheet(page)
      .getByText("This project is limited to 1 requests per minute.")
      .first()
      .waitFor();
  },
  { usd: "10" },
);

memberTest(
  "LIM-2 the rate limits of an organization are kept, changed and removed",
  async (one) => {
    const { page, goTo } = one;
    const { base } = await joinOrganization(one, "viewer");
    const limits = card(page, "Rate limits");
    const set = async (requests: string, concurrency: string) => {
      await goTo(`${base}/settings/organization`);
      await limits.getByLabel("Requests per minute").fill(requests);
      await limits.getByLabel("Concurrent requests").fill(concurrency);
      await limits.getByRole("button", { name: "Save limits" }).click();
    };
    const read = async () => {
      await goTo(`${base}/settings/organization`);
      await limits.getByLabel("Requests per minute").waitFor();
      const labels = ["Requests per minute", "Tokens per minute", "Concurrent requests"];
      return Promise.all(labels.map((label) => limits.getByLabel(label).inputValue()));
    };
    await set("600", "20000");
    await limits.getByText("At most 10,000.").waitFor();
    await set("600", "20");
    await page.getByText("Saved").first().waitFor();
    expect(await read()).toEqual(["600", "", "20"]);
    await set("", "20");
    await page.getByText("Saved").first().waitFor();
    expect(await read()).toEqual(["", "", "20"]);
  },
);
