// Somebody invited who has no account: the link of the invitation is the only mail, and one form makes them a member.
import { expect } from "bun:test";
import { inBrowser, type MemberTest, memberTest, signInBrowser } from "./browser-test.fixture.ts";
import { joinAs, linkIn, newEmail, password, signIn, tokenIn } from "./member.fixture.ts";

let organizations = 0;

async function invite({ member, environment }: MemberTest, email: string, role = "developer") {
  organizations += 1;
  const name = `Crew ${organizations}`;
  const { slug } = await member.mutate("accounts.create", { name });
  await member.inAccount(String(slug)).mutate("invitations.create", { email, role });
  const mail = await environment.mails.waitFor(email, (one) => /invited you/.test(one.subject));
  return { name, base: `/a/${slug}`, link: linkIn(mail.text), inviter: member.email };
}

memberTest(
  "TEAM-7 without an account, a name and a password lead into the organization",
  async (one) => {
    const { environment } = one;
    const email = newEmail();
    const { name, base, link, inviter } = await invite(one, email);
    await inBrowser(environment, "invited", undefined, async ({ page }) => {
      await page.goto(link);
      await page.getByText(`${inviter} invites you to join ${name} as developer.`).waitFor();
      // Password managers file the password under the address.
      const address = page.getByLabel("Email");
      expect(await address.inputValue()).toBe(email);
      expect(await address.getAttribute("autocomplete")).toBe("username");
      await page.getByLabel("Your name").fill("Ada");
      await page.getByLabel("Password", { exact: true }).fill("short");
      await page.getByRole("button", { name: `Join ${name}` }).click();
      await page.getByText("Use at least 12 characters.").waitFor();
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: `Join ${name}` }).click();
      await page.waitForURL(`**${base}`);
      await page.getByRole("button", { name: new RegExp(`^Account: ${name}`) }).waitFor();
      await page
        .getByRole("navigation", { name: "Main" })
        .getByRole("link", { name: "API Keys" })
        .waitFor();
    });
    expect((await signIn(environment, email)).email).toBe(email);
  },
);

memberTest(
  "TEAM-8 who registered by themselves meanwhile is led to the invitation",
  async (one) => {
    const { environment } = one;
    const email = newEmail();
    const { name, base } = await invite(one, email);
    await inBrowser(environment, "registers", undefined, async ({ page, goTo }) => {
      await goTo("/register");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByText(`We sent a link to ${email}.`).waitFor();
      const mail = await environment.mails.waitFor(email, ({ text }) =>
        text.includes("/verify-email"),
      );
      await goTo(`/verify-email?token=${tokenIn(mail.text)}`);
      await page.waitForURL("**/join");
      // Not now: every page says so until they decide.
      await page.getByRole("link", { name: "Not now" }).click();
      await page.getByRole("link", { name: "View invitation" }).click();
      await page.getByRole("button", { name: `Join ${name}` }).click();
      await page.waitForURL(`**${base}`);
      await page.getByRole("button", { name: new RegExp(`^Account: ${name}`) }).waitFor();
    });
  },
);

memberTest(
  "TEAM-9 signed in as another person, one may leave that session and join",
  async (one) => {
    const { environment } = one;
    const email = newEmail();
    const { name, base, link } = await invite(one, email, "viewer");
    const other = await joinAs(environment);
    await inBrowser(environment, "another", undefined, async (opened) => {
      const { page } = opened;
      await signInBrowser(opened, other);
      await page.goto(link);
      await page.getByRole("button", { name: `Ask to join as ${other.email}` }).waitFor();
      await page.getByRole("button", { name: `Sign out and join as ${email}` }).click();
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: `Join ${name}` }).click();
      await page.waitForURL(`**${base}`);
    });
  },
);

memberTest(
  "TEAM-10 a provider that vouches for the address leads into the organization",
  async (one) => {
    const { environment } = one;
    const email = newEmail();
    const { base, link } = await invite(one, email);
    const person = { sub: `subject of ${email}`, email, email_verified: true, name: "Ada" };
    environment.provider.people.set(person.sub, person);
    await inBrowser(environment, "provider", undefined, async ({ page }) => {
      await page.goto(link);
      await page.getByRole("button", { name: "Continue with Acme" }).click();
      await page.getByRole("link", { name: email }).click();
      await page.waitForURL(`**${base}`);
    });
  },
);
