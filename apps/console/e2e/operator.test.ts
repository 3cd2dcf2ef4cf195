// The operator's desk in a browser: a customer is found by what they quote, helped with a reason they can read, and
// nobody else finds the desk.
import { expect } from "bun:test";
import { becomeOperator } from "./become-operator.fixture.ts";
import { memberTest, openContext, signInBrowser } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { joinAs } from "./member.fixture.ts";

memberTest(
  "OP-1, ADM-1 who is no operator has no link to the desk and does not find it",
  async (one) => {
    const { page, visit } = one;
    await visit("/");
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Operator's desk" }).count()).toBe(0);
    for (const path of ["/operator", "/operator/accounts/any", "/operator/requests/any"]) {
      await visit(path);
      await page.getByText("404").waitFor();
    }
  },
);

memberTest(
  "OP-2, ADM-4 a call a customer quotes is explained, and their account helped",
  async (one) => {
    const { page, environment, member, visit } = one;
    await becomeOperator(environment, member);
    const customer = await joinAs(environment);
    await customer.addFunds("20");
    const { key } = await customer.createKey("laptop");
    const ask = () =>
      fetch(`${environment.baseUrl}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: models.large, messages: [{ role: "user", content: "hi" }] }),
      });
    const answer = await ask();
    const requestId = answer.headers.get("x-request-id") ?? "";
    await answer.text();

    await visit("/");
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("menuitem", { name: "Operator's desk" }).click();
    await page.getByLabel(/^Find an account/).fill(requestId);
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await page.getByRole("link", { name: /^gen-/ }).click();
    await page.getByRole("heading", { name: "Why was this charged?" }).waitFor();
    await page.getByRole("rowheader", { name: "Output" }).waitFor();
    await page.getByRole("link", { name: customer.email }).click();

    const act = async (button: string, reason: string, amount?: string) => {
      await page.getByRole("button", { name: button, exact: true }).first().click();
      const dialog = page.getByRole("dialog");
      if (amount !== undefined) await dialog.getByLabel("Amount in USD").fill(amount);
      await dialog.getByLabel("Reason").fill(reason);
      await dialog.locator("button[type=submit]").click();
      await dialog.waitFor({ state: "detached" });
    };
    await act("Refund", "a duplicate", "5");
    await page.getByRole("cell", { name: "$5.00", exact: true }).first().waitFor();
    await act("Suspend", "key was leaked");
    await page.getByText("Suspended", { exact: true }).first().waitFor();
    expect((await ask()).status).toBe(403);
    await act("Resume", "key was replaced");
    await page.getByText("Active", { exact: true }).first().waitFor();

    await act("Adjust", "goodwill for Monday", "3");
    const { rows: ledger } = await customer.query("wallet.ledger", { timeZone: "UTC" });
    expect(JSON.stringify(ledger)).toContain("goodwill for Monday");

    const { rows } = await customer.query("audit.list", {});
    expect(JSON.stringify(rows)).toContain("key was leaked");
    expect(JSON.stringify(rows)).toContain("a duplicate");
  },
);

memberTest(
  "OP-3 an account is viewed read-only, and both sides see it until it ends",
  async (one) => {
    const { page, environment, member, visit, complaints } = one;
    await becomeOperator(environment, member);
    const customer = await joinAs(environment);
    await customer.createKey("laptop");
    const account = Object((await customer.query("auth.me")).account);
    await visit(`/operator/accounts/${account.id}`);
    await page.getByRole("button", { name: "View as a viewer" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("cannot find a key");
    await dialog.locator("button[type=submit]").click();
    await page.getByText(/^You are viewing .+ read-only, until/).waitFor();
    await visit(`/a/${account.slug}/keys`);
    await page.getByText("laptop").first().waitFor();
    expect(await page.getByRole("button", { name: "Create key" }).count()).toBe(0);

    const members = await openContext(environment, {});
    try {
      await signInBrowser({ context: members, environment }, customer);
      const theirs = await members.newPage();
      await theirs.goto(environment.url);
      await theirs.getByText(/^Support is viewing this account, read-only, until/).waitFor();
    } finally {
      await members.close();
    }
    await page.getByRole("button", { name: "End view" }).click();
    await page.getByRole("button", { name: "View as a viewer" }).waitFor();
    await page.goto(`${environment.url}/a/${account.slug}/keys`);
    await page.getByText("There is no account at this address").waitFor();
    complaints.length = 0;
  },
);

memberTest(
  "OP-4 an action without a form of its own is drawn from what its verb takes, and done",
  async (one) => {
    const { page, environment, member, visit } = one;
    await becomeOperator(environment, member);
    const customer = await joinAs(environment);
    const account = Object((await customer.query("auth.me")).account);
    await visit(`/operator/accounts/${account.id}`);
    const name = `Actions for ${customer.email}`;
    const menu = page.getByRole("button", { name, exact: true });
    await menu.click();
    await page.getByRole("menuitem", { name: "Make an operator" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: `Make an operator: ${customer.email}` }).waitFor();
    await dialog.getByLabel("Role").selectOption("support");
    await dialog.locator("button[type=submit]").click();
    await dialog.getByText("Give a reason.").waitFor();
    await dialog.getByLabel("Reason").fill("joins the team");
    await dialog.locator("button[type=submit]").click();
    await page.getByText("Done.").waitFor();
    await dialog.waitFor({ state: "detached" });
    const { operators } = await member.query("operator.operator.list", {});
    expect(operators).toContainEqual(
      expect.objectContaining({ email: customer.email, role: "support" }),
    );
  },
);
