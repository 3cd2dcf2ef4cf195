// Projects and budgets in a browser: keys grouped, money limited, the refusal explained where it is read.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { type BrowserTest, inBrowser, memberTest, signInBrowser } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { createKeyIn, createProject, rowOf } from "./create-project.fixture.ts";
import { accept, joinOrganization } from "./join-organization.fixture.ts";
import { linkIn } from "./member.fixture.ts";
import { readTable, requestSheet } from "./read-page.fixture.ts";

const dialog = (page: Page) => page.getByRole("dialog");
const table = (page: Page, name: string) => page.getByRole("table", { name });

async function setBudget(page: Page, amount: string): Promise<void> {
  await dialog(page).getByLabel("Amount").fill(amount);
  await dialog(page).getByRole("button", { name: "Set budget" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

const ask = ({ environment }: BrowserTest, key: string) =>
  askChat(environment, key, { model: models.large, content: "Hello!", max_tokens: 200 });

memberTest(
  "PRJ-1 a key of a project spends for it: in its row, in Usage by project, and in filters",
  async (one) => {
    const { page, goTo } = one;
    await createProject(one, "Research");
    const key = await createKeyIn(one, "lab", "Research");
    await one.member.createKey("elsewhere");
    expect((await ask(one, key)).status).toBe(200);

    await goTo("/projects");
    await table(page, "Projects").waitFor();
    expect((await rowOf(page, "Projects", "Research"))?.["API keys"]).toBe("1");
    await page.getByRole("button", { name: "Actions for Research" }).click();
    await page.getByRole("menuitem", { name: "View usage" }).click();
    await page.getByRole("combobox", { name: "Group by" }).selectOption({ label: "By project" });
    await table(page, "Usage by project").waitFor();
    expect(await readTable(table(page, "Usage by project"))).toMatchObject([
      { Project: "Research", Requests: "1" },
    ]);
    await table(page, "Usage by project").getByRole("link", { name: "Research" }).click();
    await page.waitForURL(/\/logs\?.*projects=/);
    await page.getByRole("button", { name: "Projects: Research" }).waitFor();
    await page.getByRole("link", { name: /\d:\d\d:\d\d/ }).waitFor();

    await goTo("/keys");
    await page.getByRole("combobox", { name: "Project" }).selectOption({ label: "Research" });
    await page.waitForURL(/projects=/);
    const keys = await readTable(table(page, "Your API keys"));
    expect(keys.map((row) => [row.Name, row.Project])).toEqual([["lab", "Research"]]);
  },
  { usd: "10" },
);

memberTest(
  "PRJ-2 a key is moved to another project, and an archived project hands its keys to the default one",
  async (one) => {
    const { page, goTo } = one;
    await createProject(one, "Old team");
    const { id } = await one.member.createKey("worker");
    await goTo(`/keys/${id}`);
    await page.getByRole("button", { name: "Actions for worker" }).click();
    await page.getByRole("menuitem", { name: "Move to another project" }).click();
    await dialog(page).getByLabel("Project").selectOption({ label: "Old team" });
    await dialog(page).getByRole("button", { name: "Move key" }).click();
    await page.getByRole("link", { name: "Project Old team" }).waitFor();

    await goTo("/projects");
    await page.getByRole("button", { name: "Actions for Old team" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Archive project" }).click();
    await page.getByText("Archived Old team").first().waitFor();
    await page.getByRole("checkbox", { name: "Show archived" }).check();
    expect((await rowOf(page, "Projects", "Old team"))?.Status).toBe("Archived");
    expect((await rowOf(page, "Projects", "Default"))?.["API keys"]).toBe("1");
    await page.getByRole("button", { name: "Actions for Old team" }).click();
    await page.getByRole("menuitem", { name: "Restore" }).click();
    await page.getByText("Restored Old team").first().waitFor();
    await page.getByRole("button", { name: "Actions for Default" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Archive" }).count()).toBe(0);
  },
);

memberTest(
  "BUD-1 a hard budget refuses a call, Logs say whose it is, and once raised calls pass",
  async (one) => {
    const { page, goTo } = one;
    await createProject(one, "Research");
    const key = await createKeyIn(one, "lab", "Research");
    await goTo("/budgets");
    await page.getByText("No budgets yet.").waitFor();
    await page.getByRole("button", { name: "Set budget" }).first().click();
    await dialog(page).getByLabel("For", { exact: true }).selectOption({ label: "A project" });
    await dialog(page).getByLabel("Which one").selectOption({ label: "Research" });
    await setBudget(page, "0");
    const row = await rowOf(page, "Budgets", "Research");
    expect(row?.Limit).toBe("$0.00 per month");
    expect(row?.["At the limit"]).toStartWith("Blocks requests");

    const refused = await ask(one, key);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ error: { metadata: { reason: "budget_reached" } } });
    await goTo("/logs?status=4xx");
    await page.getByRole("link", { name: /\d:\d\d:\d\d/ }).click();
    await requestSheet(page).getByText("It is the budget of the project Research:").waitFor();
    await requestSheet(page).getByRole("link", { name: "Raise the budget" }).click();
    await page.waitForURL(/\/budgets\?id=/);
    await page.getByRole("button", { name: "Actions for the budget of Research" }).click();
    await page.getByRole("menuitem", { name: "Change" }).click();
    await setBudget(page, "5");
    expect((await ask(one, key)).status).toBe(200);

    await page.getByRole("button", { name: "Actions for the budget of Research" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove budget" }).click();
    await page.getByText("No budgets yet.").waitFor();
  },
  { usd: "10" },
);

memberTest(
  "BUD-5 the nearest budget comes first and is said, beside the balance, the alert and the rates",
  async (one) => {
    const { page, goTo, member } = one;
    await createProject(one, "Research");
    await member.mutate("wallet.setLowBalanceAlert", { usd: "15" });
    await member.mutate("accounts.setLimits", { requestsPerMinute: 600 });
    await goTo("/budgets");
    await page.getByRole("button", { name: "Set budget" }).first().click();
    await setBudget(page, "20");
    await page.getByRole("button", { name: "Set budget" }).first().click();
    await dialog(page).getByLabel("For", { exact: true }).selectOption({ label: "A project" });
    await dialog(page).getByLabel("Which one").selectOption({ label: "Research" });
    await setBudget(page, "0");
    await page.getByText("The budget of Research ($0.00 per month) is reached.").waitFor();
    const budgets = await readTable(table(page, "Budgets"));
    expect(budgets.map((row) => row.Limit)).toEqual(["$0.00 per month", "$20.00 per month"]);
    const limits = await readTable(table(page, "Limits of the account"));
    expect(limits.map((row) => [row["Limit of"], row.Now, row.Limit])).toEqual([
      ["Low-balance alert", "$10.00", "Email below $15.00Reached"],
      ["Balance", "$10.00", "Not below zero"],
      ["Requests per minute", expect.any(String), "600"],
    ]);
  },
  { usd: "10" },
);

memberTest("BUD-2 the time zone of the account is set where its budgets are", async (one) => {
  const { page, goTo } = one;
  await goTo("/budgets");
  await page.getByLabel("Time zone of the account").selectOption("Europe/Vienna");
  await page.getByText("Saved").first().waitFor();
  await page.reload();
  await page.getByLabel("Time zone of the account").waitFor();
  expect(await page.getByLabel("Time zone of the account").inputValue()).toBe("Europe/Vienna");
});

const changing = ["Set budget", "Create project"];

for (const role of ["developer", "viewer"] as const) {
  memberTest(`BUD-3 as ${role}, budgets and projects are shown and not changed`, async (one) => {
    const team = await joinOrganization(one, role);
    await one.goTo(`${team.base}/budgets`);
    await one.page.getByRole("button", { name: "Set budget" }).first().click();
    await setBudget(one.page, "20");
    await accept(one, team, async ({ page, goTo }) => {
      await goTo(`${team.base}/budgets`);
      await table(page, "Budgets").getByText("$20.00 per month").waitFor();
      expect(await page.getByLabel("Time zone of the account").count()).toBe(0);
      expect(await page.getByRole("button", { name: /^Actions for/ }).count()).toBe(0);
      await goTo(`${team.base}/projects`);
      await table(page, "Projects").waitFor();
      await page.getByRole("button", { name: "Actions for Default" }).click();
      await page.getByRole("menuitem", { name: "View keys" }).waitFor();
      expect(await page.getByRole("menuitem", { name: "Rename" }).count()).toBe(0);
      for (const name of changing) {
        expect(await page.getByRole("button", { name }).count()).toBe(0);
      }
    });
  });
}

memberTest("BUD-4 as billing, budgets are set and projects are not changed", async (one) => {
  const team = await joinOrganization(one, "billing");
  await accept(one, team, async ({ page, goTo }) => {
    await goTo(`${team.base}/budgets`);
    await page.getByRole("button", { name: "Set budget" }).first().click();
    await setBudget(page, "20");
    await table(page, "Budgets").getByText("$20.00 per month").waitFor();
    await goTo(`${team.base}/projects`);
    await table(page, "Projects").waitFor();
    expect(await page.getByRole("button", { name: "Create project" }).count()).toBe(0);
  });
});

memberTest("TEAM-7 a member works in the projects chosen for them", async (one) => {
  const { page, goTo } = one;
  const { base, colleague } = await joinOrganization(one, "developer");
  for (const name of ["Research", "Sales"]) {
    await goTo(`${base}/projects`);
    await page.getByRole("button", { name: "Create project" }).click();
    await dialog(page).getByLabel("Name").fill(name);
    await dialog(page).getByRole("button", { name: "Create project" }).click();
    await table(page, "Projects").getByRole("link", { name }).waitFor();
  }
  await goTo(`${base}/settings/members`);
  await page.getByLabel("Email").fill(colleague.email);
  await page.getByRole("checkbox", { name: /^All projects/ }).uncheck();
  await page.getByRole("checkbox", { name: "Research" }).check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  const mail = await one.environment.mails.waitFor(colleague.email, (each) =>
    /invited you/.test(each.subject),
  );
  await inBrowser(one.environment, "colleague", undefined, async (opened) => {
    await signInBrowser(opened, colleague);
    await opened.page.goto(linkIn(mail.text));
    await opened.page.getByRole("button", { name: /^Join / }).click();
    await opened.page.waitForURL(`**${base}`);
    await opened.goTo(`${base}/projects`);
    await table(opened.page, "Projects").waitFor();
    const names = async () =>
      (await readTable(table(opened.page, "Projects"))).map((row) => row.Name);
    expect(await names()).toEqual(["Research"]);

    await goTo(`${base}/settings/members`);
    await page.getByRole("button", { name: `Actions for ${colleague.email}` }).click();
    await page.getByRole("menuitem", { name: "Change projects" }).click();
    await dialog(page).getByRole("checkbox", { name: "Sales" }).check();
    await dialog(page).getByRole("button", { name: "Change projects" }).click();
    await page.getByText(`The projects of ${colleague.email} are saved.`).first().waitFor();
    await opened.page.reload();
    await table(opened.page, "Projects").waitFor();
    expect(await names()).toEqual(["Research", "Sales"]);
  });
});

memberTest("TEAM-8 the palette switches the account", async (one) => {
  const { page, goTo } = one;
  const { base } = await joinOrganization(one, "viewer");
  await goTo("/keys");
  await page.getByRole("heading", { name: "API Keys" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("switch to team");
  await page.getByRole("option", { name: /Switch to Team of viewer/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${base}`);
  await page.getByRole("button", { name: /^Account: Team of viewer/ }).waitFor();
});
