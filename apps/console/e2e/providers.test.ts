// Signing in with a provider, in a browser: the button leads there, and back to the page that was asked for.
import { expect } from "bun:test";
import {
  type BrowserTest,
  browserTest,
  inBrowser,
  memberTest,
  signInBrowser,
} from "./browser-test.fixture.ts";
import { joinAs, newEmail, password } from "./member.fixture.ts";

/** Someone the provider knows. */
function addPerson({ environment }: BrowserTest, verified = true, email = newEmail()) {
  const person = { sub: `subject of ${email}`, email, email_verified: verified, name: "Ada" };
  environment.provider.people.set(person.sub, person);
  return person;
}

browserTest(
  "IDP-1 a new person signs in with a provider and is at the page they asked for",
  async (one) => {
    const { page, goTo, environment } = one;
    const { email } = addPerson(one);
    await goTo("/usage");
    await page.getByRole("button", { name: "Continue with Acme" }).click();
    await page.waitForURL(`${environment.provider.issuer}/**`);
    await page.getByRole("link", { name: email }).click();
    await page.waitForURL(`${environment.url}/usage`);
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await goTo("/settings/profile");
    const name = page.getByRole("textbox", { name: "Name" });
    await name.waitFor();
    expect(await name.inputValue()).toBe("Ada");
  },
);

browserTest("IDP-2 who declines, or has no verified address, is told why", async (one) => {
  const { page, goTo } = one;
  const { email } = addPerson(one, false);
  await goTo("/login?next=%2Fkeys");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.getByRole("link", { name: "Decline" }).click();
  await page.getByText("Signing in was canceled at Acme.").waitFor();
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.getByRole("link", { name: email }).click();
  await page.getByText("Acme has not verified your email address.").waitFor();
  expect(new URL(page.url()).searchParams.get("next")).toBe("/keys");
});

memberTest(
  "IDP-3 an identity is linked in the settings, signs in, and is unlinked",
  async (one) => {
    const { page, goTo, environment, context } = one;
    const { email } = addPerson(one);
    await goTo("/settings/security");
    await page.getByRole("button", { name: "Link Acme" }).click();
    await page.getByRole("link", { name: email }).click();
    await page.getByText("Acme is linked.").waitFor();
    const identities = page.getByRole("table", { name: "Sign-in providers" });
    await identities.getByText(email).waitFor();

    await context.clearCookies({ domain: new URL(environment.url).hostname });
    await goTo("/login");
    await page.getByRole("button", { name: "Continue with Acme" }).click();
    await page.waitForURL(`${environment.url}/`);
    await goTo("/settings/profile");
    await page.getByText(`You sign in with ${one.member.email}.`).waitFor();

    await goTo("/settings/security");
    await page.getByRole("button", { name: `Unlink Acme ${email}` }).click();
    await page.getByRole("button", { name: "Unlink", exact: true }).last().click();
    await page.getByText("Unlinked Acme.").first().waitFor();
    await page.getByText("No identity is linked.").waitFor();
  },
);

browserTest("IDP-4 the only way to sign in cannot be unlinked", async (one) => {
  const { page, goTo } = one;
  const { email } = addPerson(one);
  await goTo("/login?next=%2Fsettings%2Fsecurity");
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.getByRole("link", { name: email }).click();
  await page.getByText("it is the only way you can sign in").waitFor();
  expect(await page.getByRole("button", { name: `Unlink Acme ${email}` }).count()).toBe(0);
});

browserTest(
  "IDP-5 an owner proves a domain and requires its provider; a password is refused then",
  async (one) => {
    const { page, goTo, environment } = one;
    const { email } = addPerson(one, true, "owner@company.example");
    const ada = await joinAs(environment, "ada@company.example");
    await goTo("/login");
    await page.getByRole("button", { name: "Continue with Acme" }).click();
    await page.getByRole("link", { name: email }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByRole("button", { name: /^Account: / }).click();
    await page.getByRole("menuitem", { name: "Create organization" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Company");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.waitForURL("**/a/company");
    await goTo("/a/company/settings/organization");
    await page.getByRole("textbox", { name: "Domain" }).fill("company.example");
    await page.getByRole("button", { name: "Add domain" }).click();
    await page.getByRole("button", { name: "Check record" }).click();
    await page.getByText("There is no TXT record at _turnpike.company.example.").first().waitFor();
    const value = (await page.getByText(/^turnpike-domain=/).textContent()) ?? "";
    environment.dns.records.set("_turnpike.company.example", [value]);
    await page.getByRole("button", { name: "Check record" }).click();
    await page.getByText("company.example is proven.").first().waitFor();
    await page.getByLabel("Sign-in of company.example").selectOption({ label: "Only with Acme" });
    await page.getByRole("button", { name: "Require it" }).click();
    await page.getByText("Addresses at company.example sign in with Acme now.").first().waitFor();

    await inBrowser(environment, "refused", undefined, async (other) => {
      await signInBrowser(other, ada);
      await other.goTo("/usage");
      await other.page.getByLabel("Email").fill(ada.email);
      await other.page.getByLabel("Password", { exact: true }).fill(password);
      await other.page.getByRole("button", { name: "Sign in", exact: true }).click();
      await other.page.getByText("Addresses at company.example sign in with Acme.").waitFor();
    });
  },
);
