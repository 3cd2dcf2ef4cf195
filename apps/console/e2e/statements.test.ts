// Monthly statements in a browser: the company is entered in the Wallet.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";

memberTest(
  "a company is entered and changed, and says when the first statement comes",
  async (one) => {
    const { page, goTo, member } = one;
    await goTo("/wallet");
    await page.getByText("The first statement is here when this month is over.").waitFor();
    await page.getByText("Statements name this account only.").waitFor();
    await page.getByRole("button", { name: "Company details" }).click();
    await page.getByRole("textbox", { name: "Company" }).fill("Acme Research");
    await page.getByRole("textbox", { name: "Address" }).fill("1 Main Street\n\nSpringfield ");
    await page.getByRole("textbox", { name: "Tax ID" }).fill("TP-1");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Acme Research, 1 Main Street, Springfield, Tax ID TP-1").waitFor();
    expect(await member.query("wallet.statements")).toMatchObject({
      company: {
        name: "Acme Research",
        addressLines: ["1 Main Street", "Springfield"],
        taxNumber: "TP-1",
      },
    });
  },
);
