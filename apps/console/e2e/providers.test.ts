// Signing in with a provider, in a browser: the button leads there, and back to the page that was asked for.
import { expect } from "bun:test";
import { type BrowserTest, browserTest, memberTest } from "./browser-test.fixture.ts";
import { newEmail } from "./member.fixture.ts";

/** Someone the provider knows. */
function addPerson({ environment }: BrowserTest, verified = true) {
  const email = newEmail();
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
  await page.getByText("Signing in was cancelled at Acme.").waitFor();
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  await page.getByRole("link", { name: email }).click();
  await page.getByText("Acme has not verified your e-mail address.").waitFor();
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
