// Account security: step-up, undoing a change, unlocking a browser, and an address that someone else
// registered first. Each link acts on a click, never by being opened.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { refuseOnce, stepUpRefusal } from "./break-calls.fixture.ts";
import { type BrowserTest, browserTest, memberTest } from "./browser-test.fixture.ts";
import type { Environment } from "./environment.fixture.ts";
import { joinAs, linkIn, newEmail, password, signIn, tokenIn } from "./member.fixture.ts";
import { countCalls } from "./read-page.fixture.ts";

const passwordField = (page: Page) => page.getByLabel("Password", { exact: true });
const newPasswordField = (page: Page) => page.getByLabel("New password", { exact: true });
const proofDialog = (page: Page) => page.getByRole("dialog", { name: "Confirm it's you" });
const freshPassword = "an entirely new pass phrase";

const heldUp = {
  fault: "throttled",
  message: "Too many attempts. Try again in 600 s.",
  httpStatus: 429,
  retryAfterMs: 600_000,
};

/** The first email to an address whose subject matches. */
async function mailTo(environment: Environment, email: string, subject: RegExp) {
  return environment.mails.waitFor(email, (mail) => subject.test(mail.subject));
}

/** Opens an emailed link and checks that merely opening it does not use it. */
async function openUnused(one: BrowserTest, text: string, procedure: string): Promise<void> {
  const link = new URL(linkIn(text));
  const used = countCalls(one.page, procedure);
  await one.visit(link.pathname + link.search);
  expect(used()).toBe(0);
}

memberTest(
  "STEP-1 loosening a key's limits asks for the password, and then continues automatically",
  async (one) => {
    const { page, member, goTo } = one;
    await member.createKey("limited", { requestsPerMinute: 10 });
    await refuseOnce(page, "keys.update", stepUpRefusal);
    await goTo("/keys");
    await page.getByRole("button", { name: "Actions for limited" }).click();
    await page.getByRole("menuitem", { name: /Edit/ }).click();
    const edit = page.getByRole("dialog", { name: /limited/ });
    await edit.getByLabel("Requests per minute").fill("20");
    await edit.getByRole("button", { name: "Save changes" }).click();
    const proof = proofDialog(page);
    await proof.getByLabel("Your password", { exact: true }).fill("not my password");
    await proof.getByRole("button", { name: "Continue" }).click();
    await proof.getByText("This is not your password.").waitFor();
    await proof.getByLabel("Your password", { exact: true }).fill(password);
    await page.keyboard.press("Enter");
    await proof.waitFor({ state: "detached" });
    // Below the prompt the dialog is hidden from roles as well: only its toast says that it is done.
    await page.getByText("Saved limited").waitFor();
    await edit.waitFor({ state: "detached" });
    const keys = await member.query("keys.list", {});
    expect(JSON.stringify(keys)).toContain('"requestsPerMinute":20');
    // The page behind both dialogs works again.
    await page.getByRole("button", { name: "Create API Key" }).first().click();
    await page.getByRole("dialog", { name: /Create/ }).waitFor();
  },
);

memberTest("STEP-2 canceling the password prompt changes nothing and says why", async (one) => {
  const { page, member, goTo } = one;
  await member.createKey("limited", { requestsPerMinute: 10 });
  await refuseOnce(page, "keys.update", stepUpRefusal);
  await goTo("/keys");
  await page.getByRole("button", { name: "Actions for limited" }).click();
  await page.getByRole("menuitem", { name: /Edit/ }).click();
  const edit = page.getByRole("dialog", { name: /limited/ });
  await edit.getByLabel("Requests per minute").fill("");
  await edit.getByRole("button", { name: "Save changes" }).click();
  await proofDialog(page).getByRole("button", { name: "Cancel" }).click();
  await edit.getByText("Enter your password again to do this.").waitFor();
  expect(JSON.stringify(await member.query("keys.list", {}))).toContain('"requestsPerMinute":10');
});

memberTest("STEP-3 forms that ask for the password need no second prompt", async (one) => {
  const { page, member, environment, goTo } = one;
  await refuseOnce(page, "profile.changePassword", stepUpRefusal);
  await goTo("/settings/security");
  const current = page.getByLabel("Current password", { exact: true });
  await current.fill("not my password");
  await newPasswordField(page).fill(freshPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("This is not your password.").waitFor();
  await refuseOnce(page, "profile.changePassword", stepUpRefusal);
  await current.fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed. All other sessions were signed out.").waitFor();
  expect(await proofDialog(page).count()).toBe(0);
  await signIn(environment, member.email, freshPassword);
});

browserTest("UNDO-1 the old address recovers a stolen account by emailed links", async (one) => {
  const { page, environment } = one;
  const thief = await joinAs(environment);
  const { email } = thief;
  const stolen = newEmail();
  await thief.mutate("profile.changeEmail", { newEmail: stolen, password });
  await mailTo(environment, email, /about to change/);
  const token = tokenIn((await mailTo(environment, stolen, /Confirm your new email/)).text);
  await thief.mutate("auth.confirmEmailChange", { token, password });
  const { text } = await mailTo(environment, email, /was changed/);
  await openUnused(one, text, "auth.undoChange");
  await page.getByRole("button", { name: "Undo the change" }).click();
  await page.getByText(`Undone. ${email} is the address of your account.`).waitFor();
  expect(await thief.query("sessions.list").catch(String)).toContain("unauthenticated");
  const reset = await mailTo(environment, email, /Choose a new .* password to finish/);
  await openUnused(one, reset.text, "auth.resetPassword");
  await newPasswordField(page).fill(freshPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText(/all sessions signed out and all API keys revoked/).waitFor();
  await signIn(environment, email, freshPassword);
  expect(await signIn(environment, stolen).catch(String)).toContain("wrong_credentials");
  // A second click reports that, and offers what helps.
  await page.goto(linkIn(text));
  await page.getByRole("button", { name: "Undo the change" }).click();
  await page.getByText("This link has expired or was already used.").waitFor();
  await page.getByRole("link", { name: "Choose a new password" }).waitFor();
});

memberTest("MOVE-1 a new address is confirmed with the password, on a click", async (one) => {
  const { page, member, environment, goTo } = one;
  const next = newEmail();
  await refuseOnce(page, "profile.changeEmail", stepUpRefusal);
  await goTo("/settings/profile");
  await page.getByLabel("New email").fill(next);
  await page.getByLabel("Your password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText(`We sent a link to ${next}.`).waitFor();
  const other = await signIn(environment, member.email);
  const { text } = await mailTo(environment, next, /Confirm your new email/);
  await openUnused(one, text, "auth.confirmEmailChange");
  await passwordField(page).fill("not the password");
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.getByText(/This is not the password of the account/).waitFor();
  await passwordField(page).fill(password);
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.getByText(`Your email address is now ${next}.`).waitFor();
  expect(await other.query("sessions.list").catch(String)).toContain("unauthenticated");
  await page.getByRole("link", { name: "Open settings" }).click();
  await page.getByText(`You sign in with ${next}.`).waitFor();
});

browserTest("HIJACK-1 the owner of an address sets their own password", async (one) => {
  const { page, environment } = one;
  const email = newEmail();
  await one.goTo("/register");
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill("the password of an attacker");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  const { text } = await environment.mails.waitFor(email);
  // The owner's browser is not the one that registered.
  await one.context.clearCookies();
  await openUnused(one, text, "auth.verifyWithNewPassword");
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await newPasswordField(page).fill(freshPassword);
  await page.getByRole("button", { name: "Set password and verify" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect(await signIn(environment, email, "the password of an attacker").catch(String)).toContain(
    "wrong_credentials",
  );
});

browserTest("RESET-1 a reset revokes all keys unless it is told not to", async (one) => {
  const { page, environment, goTo } = one;
  const member = await joinAs(environment);
  const { key } = await member.createKey("old");
  const callModels = async () =>
    (await fetch(`${environment.baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } }))
      .status;
  expect(await callModels()).toBe(200);
  await goTo("/forgot-password");
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send link" }).click();
  const { text } = await mailTo(environment, member.email, /^Reset your/);
  await page.goto(linkIn(text));
  await newPasswordField(page).fill(freshPassword);
  expect(await page.getByLabel(/Also revoke all API keys/).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText(/all API keys revoked/).waitFor();
  while ((await callModels()) !== 401) await Bun.sleep(20);
});

browserTest("LOCK-2 an owner whose reset links others used up is offered a link", async (one) => {
  const { page, environment, goTo } = one;
  const { email } = await joinAs(environment);
  await refuseOnce(page, "auth.forgotPassword", heldUp);
  await goTo("/forgot-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText(/Too many attempts\. Try again in \d+ \w+/).waitFor();
  await page.getByRole("button", { name: "Email me a link" }).click();
  await page.getByText("If an account exists, a link is on its way.").waitFor();
  await mailTo(environment, email, /Too many sign-in attempts/);
});

browserTest("LOCK-1 a throttled owner signs in by an emailed link", async (one) => {
  const { page, environment, goTo } = one;
  const { email } = await joinAs(environment);
  await refuseOnce(page, "auth.login", heldUp);
  await goTo("/login");
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText(/Too many attempts\. Try again in \d+ \w+/).waitFor();
  await page.getByRole("button", { name: "Email me a link" }).click();
  await page.getByText("If an account exists, a link is on its way.").waitFor();
  const first = await mailTo(environment, email, /Too many sign-in attempts/);
  await page.reload();
  await refuseOnce(page, "auth.login", heldUp);
  await page.getByLabel("Email").fill(email);
  await passwordField(page).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Email me a link" }).click();
  const second = await environment.mails.waitFor(
    email,
    (mail) => mail !== first && /Too many sign-in attempts/.test(mail.subject),
  );
  await page.goto(linkIn(first.text));
  await page.getByRole("button", { name: "Unlock this browser" }).click();
  await page.getByText("This link has expired or was already used.").waitFor();
  await openUnused(one, second.text, "auth.unlockBrowser");
  await page.getByRole("button", { name: "Unlock this browser" }).click();
  await page.getByText("Browser unlocked. Sign in.").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  await passwordField(page).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});
