// Registering, verifying and signing in: by mouse, by keyboard, by emailed links.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import {
  type BrowserTest,
  browserTest,
  inBrowser,
  memberTest,
  signInBrowser,
} from "./browser-test.fixture.ts";
import { joinAs, linkIn, newEmail, password, signIn } from "./member.fixture.ts";
import { countCalls } from "./read-page.fixture.ts";

const emailField = (page: Page) => page.getByLabel("Email");
const passwordField = (page: Page) => page.getByLabel("Password", { exact: true });

async function register({ page, goTo }: BrowserTest, email: string): Promise<void> {
  await goTo("/register");
  await emailField(page).fill(email);
  await passwordField(page).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
}

async function logIn({ page, goTo }: BrowserTest, email: string, path = "/login"): Promise<void> {
  await goTo(path);
  await emailField(page).fill(email);
  await passwordField(page).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

browserTest(
  "AUT-1 signing in before verifying is refused and offers the link again",
  async (one) => {
    const { page, environment } = one;
    const email = newEmail();
    await register(one, email);
    const first = await environment.mails.waitFor(email);
    await logIn(one, email);
    await page.getByText("Verify your email to sign in.").waitFor();
    const cookies = await one.context.cookies();
    expect(cookies.map(({ name }) => name)).toEqual(["turnpike_registration"]);
    await page.getByRole("button", { name: "Send the link again" }).click();
    await page.getByText(/Send again in \d+ s/).waitFor();
    await environment.mails.waitFor(email, (mail) => mail !== first);
  },
);

browserTest(
  "AUT-2 in another browser, the emailed link and the password of the registration lead to the Overview",
  async (one) => {
    const { page, environment } = one;
    const email = newEmail();
    await register(one, email);
    await one.context.clearCookies();
    await page.goto(linkIn((await environment.mails.waitFor(email)).text));
    await passwordField(page).fill("not the password of the registration");
    await page.getByRole("button", { name: "Verify email" }).click();
    await page.getByText("This is not the password the address was registered with.").waitFor();
    await passwordField(page).fill(password);
    await page.getByRole("button", { name: "Verify email" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const cookies = await one.context.cookies();
    const session = cookies.find(({ name }) => name === "turnpike_session");
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  },
);

browserTest(
  "AUT-3 another browser uses a link only on a click, and a second use says the address is verified",
  async (one) => {
    const { page, environment } = one;
    const email = newEmail();
    await register(one, email);
    const link = linkIn((await environment.mails.waitFor(email)).text);
    await one.context.clearCookies();
    const used = countCalls(page, "auth.verifyEmail");
    await one.visit(new URL(link).pathname + new URL(link).search);
    expect(used()).toBe(0);
    await passwordField(page).fill(password);
    await page.getByRole("button", { name: "Verify email" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    // On another day, signed out.
    await one.context.clearCookies();
    await page.goto(link);
    await page.getByText("This address is already verified. You can sign in.").waitFor();
    expect(await emailField(page).inputValue()).toBe(email);
  },
);

browserTest(
  "AUT-2 in the browser that registered, the emailed link alone leads to the Overview",
  async (one) => {
    const { page, environment } = one;
    const email = newEmail();
    await register(one, email);
    await page.goto(linkIn((await environment.mails.waitFor(email)).text));
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const names = (await one.context.cookies()).map(({ name }) => name);
    expect(names).toContain("turnpike_session");
  },
);

browserTest(
  "an address with an international domain registers, and signs in by either spelling",
  async (one) => {
    const { page, environment } = one;
    const [local] = newEmail().split("@");
    const email = `${local}@m\u00fcnchen.example`;
    const stored = `${local}@xn--mnchen-3ya.example`;
    await register(one, email);
    // The mail catcher decodes the domain.
    await page.goto(linkIn((await environment.mails.waitFor(email)).text));
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    for (const spelling of [`${local}@M\u00fcnchen.example`, stored]) {
      await one.context.clearCookies();
      await logIn(one, spelling);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
    }
    await one.context.clearCookies();
    await logIn(one, `quac\u212a@xn--mnchen-3ya.example`);
    await page.getByText(/before the @ can only have plain letters/).waitFor();
  },
);

browserTest("AUT-4 a known and an unknown address are shown the same screens", async (one) => {
  const { page, environment, goTo } = one;
  const { email: known } = await joinAs(environment);
  const unknown = newEmail();
  const screens = async (email: string) => {
    const words = async () =>
      (await page.locator("#root, body").first().textContent())?.replaceAll(email, "…") ?? "";
    // Before registering, which makes any address a known one.
    await goTo("/forgot-password");
    await emailField(page).fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByText("If an account exists, a link is on its way.").waitFor();
    const forgotten = await words();
    await goTo("/login");
    await emailField(page).fill(email);
    await passwordField(page).fill("this is not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Incorrect email or password.").waitFor();
    const refused = await words();
    await register(one, email);
    return [forgotten, refused, await words()].map(withoutCountdown);
  };
  expect(await screens(known)).toEqual(await screens(unknown));
});

const withoutCountdown = (text: string) => text.replace(/in \d+ s/, "in … s");

browserTest("AUT-5 from registering to the Overview without a mouse", async (one) => {
  const { page, environment, goTo } = one;
  const email = newEmail();
  const { keyboard } = page;
  await goTo("/register");
  await waitForFocus(page, "email");
  await keyboard.type(email);
  await keyboard.press("Tab");
  await keyboard.type(password);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.goto(linkIn((await environment.mails.waitFor(email)).text));
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});

/** Waits until the field of this name has the focus. */
async function waitForFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.activeElement?.getAttribute("name") === wanted,
    name,
  );
}

browserTest("AUT-6 a next on another origin is ignored", async (one) => {
  const { page, environment } = one;
  const { email } = await joinAs(environment);
  for (const next of [
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
  ]) {
    await one.context.clearCookies();
    await logIn(one, email, `/login?next=${encodeURIComponent(next)}`);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toBe(`${environment.url}/`);
  }
  await one.context.clearCookies();
  await logIn(one, email, "/login?next=%2Fkeys%3Fstatus%3Drevoked");
  await page.waitForURL(`${environment.url}/keys?status=revoked`);
});

memberTest("SET-1 a password change signs out every other session", async (one) => {
  const { page, member, environment, goTo } = one;
  const other = await signIn(environment, member.email);
  await goTo("/settings/security");
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByLabel("New password", { exact: true }).fill("an entirely new pass phrase");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed. All other sessions were signed out.").waitFor();
  expect(await other.query("sessions.list").catch(String)).toContain("unauthenticated");
  await page.reload();
  await page.getByRole("heading", { name: "Security", exact: true }).waitFor();
  expect(await signIn(environment, member.email).catch(String)).toContain("wrong_credentials");
  await signIn(environment, member.email, "an entirely new pass phrase");
});

memberTest(
  "SET-4 a session ended elsewhere lands on the sign-in page at its next action",
  async (one) => {
    const { page, member, environment, goTo } = one;
    const phone = await signIn(environment, member.email);
    await inBrowser(environment, "SET-4 phone", undefined, async (other) => {
      await signInBrowser(other, phone);
      await other.goTo("/keys");
      await other.page.getByText("No keys yet.").waitFor();
      await goTo("/settings/security");
      await page.getByRole("button", { name: "Sign out all others" }).click();
      await page
        .getByRole("alertdialog")
        .getByRole("button", { name: "Sign out all others" })
        .click();
      await page.getByText("Signed out 1 session.").waitFor();
      await other.page.getByRole("link", { name: "Wallet", exact: true }).first().click();
      await other.page.waitForURL(/\/login\?next=%2Fwallet$/);
      await other.page.getByText("Your session expired.").waitFor();
    });
  },
);

memberTest(
  "SET-5 sessions say from where, and signing out everywhere ends this one, too",
  async ({ page, member, environment, goTo }) => {
    const phone = await signIn(environment, member.email);
    const mail = await environment.mails.waitFor(member.email, ({ subject }) =>
      subject.startsWith("New sign-in"),
    );
    expect(mail.text).toContain("Vienna, Austria");
    await goTo("/settings/security");
    const sessions = page.getByRole("table", { name: "Your sessions" });
    await sessions.getByText("near Vienna, Austria").nth(1).waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: "Sign out everywhere" })
      .click();
    await page.waitForURL(/\/login$/);
    expect(await phone.query("sessions.list").catch(String)).toContain("unauthenticated");
    await goTo("/settings/security");
    await page.waitForURL(/\/login/);
  },
);
