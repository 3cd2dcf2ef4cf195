// Second factors in a browser: added with a QR code, asked for at sign-in and step-up, replaced by a recovery
// code, and removed.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { refuseOnce, stepUpRefusal } from "./break-calls.fixture.ts";
import {
  type BrowserTest,
  inBrowser,
  type MemberTest,
  memberTest,
  signInBrowser,
} from "./browser-test.fixture.ts";
import { joinAs, password, tokenIn } from "./member.fixture.ts";
import { hiddenHeight, readTable } from "./read-page.fixture.ts";
import { showCode } from "./show-code.fixture.ts";

const factorTable = (page: Page) => page.getByRole("table", { name: "Your second factors" });

/** On the Security page; returns the secret and the recovery codes that were shown. */
async function addApp({ page, goTo }: BrowserTest) {
  await goTo("/settings/security");
  await page.getByRole("button", { name: "Add authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Add authenticator app" });
  await dialog.getByRole("img", { name: /QR code/ }).waitFor();
  expect(await hiddenHeight(dialog)).toBe(0);
  const secret = (await dialog.locator("[data-secret]").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Add app" }).click();
  await dialog.getByText("This is not the code that belongs to the QR code.").waitFor();
  await dialog.getByLabel("Code", { exact: true }).fill(showCode(secret));
  await dialog.getByLabel("Name", { exact: true }).fill("My phone");
  await dialog.getByRole("button", { name: "Add app" }).click();
  const shown = page.getByRole("dialog", { name: "Save your recovery codes" });
  await shown.getByRole("listitem").first().waitFor();
  const codes = await shown.getByRole("listitem").allTextContents();
  await shown.getByRole("button", { name: "I saved them" }).click();
  await factorTable(page).getByText("My phone").waitFor();
  return { secret, codes };
}

async function signInAgain({ page, context, goTo, member }: MemberTest): Promise<void> {
  await context.clearCookies();
  await goTo("/login");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Your account also asks for a second factor.").waitFor();
  // It can be typed at once.
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "code");
}

async function giveCode(page: Page, label: RegExp, code: string): Promise<void> {
  await page.getByLabel(label).fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
}

memberTest(
  "2FA-1, SET-2 an app is added by its QR code, and then signing in asks for its code",
  async (one) => {
    const { page, environment, member } = one;
    const { secret, codes } = await addApp(one);
    expect(new Set(codes).size).toBe(10);
    expect((await readTable(factorTable(page))).map((row) => [row.Name, row.Kind])).toEqual([
      ["My phone", "Authenticator app"],
    ]);
    await environment.mails.waitFor(member.email, (mail) => /factor was added/.test(mail.subject));
    await signInAgain(one);
    await giveCode(page, /^Code of your/, "000000");
    await page.getByText("This code is wrong or was already used.").waitFor();
    await giveCode(page, /^Code of your/, showCode(secret, 1));
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  },
);

memberTest("2FA-2, SET-2 a recovery code signs in once; new ones replace the rest", async (one) => {
  const { page, goTo } = one;
  const { codes } = await addApp(one);
  await signInAgain(one);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await giveCode(page, /^Recovery code/, codes[0] ?? "");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await goTo("/settings/security");
  await page.getByText("You have 9 unused recovery codes.").waitFor();
  await page.getByRole("button", { name: "Make new codes" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make new codes" }).click();
  const shown = page.getByRole("dialog", { name: "Save your recovery codes" });
  await shown.getByRole("button", { name: "I saved them" }).click();
  await page.getByText("You have 10 unused recovery codes.").waitFor();
  await signInAgain(one);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  for (const used of [codes[0], codes[1]]) {
    await giveCode(page, /^Recovery code/, used ?? "");
    await page.getByText("This is not one of your recovery codes").waitFor();
  }
});

memberTest("2FA-2 an app is added after a step-up, with the focus in each field", async (one) => {
  const { page, goTo } = one;
  await goTo("/settings/security");
  await refuseOnce(page, "factors.beginTotp", stepUpRefusal);
  await page.getByRole("button", { name: "Add authenticator app" }).click();
  await page.getByText("Preparing the QR code…").waitFor();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.locator("input[type=password]:focus").waitFor();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await proof.waitFor({ state: "detached" });
  const dialog = page.getByRole("dialog", { name: "Add authenticator app" });
  await dialog.getByLabel("Code", { exact: true }).and(page.locator(":focus")).waitFor();
});

memberTest("2FA-3 step-up takes a code, and an app is renamed and removed", async (one) => {
  const { page } = one;
  const { secret } = await addApp(one);
  await page.getByRole("button", { name: "Rename My phone" }).click();
  const rename = page.getByRole("dialog", { name: "Rename My phone" });
  await rename.getByLabel("Name", { exact: true }).fill("Old phone");
  await rename.getByRole("button", { name: "Save" }).click();
  await refuseOnce(page, "factors.remove", stepUpRefusal);
  await page.getByRole("button", { name: "Remove Old phone" }).click();
  await page.getByText("afterwards your password alone signs in").waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByRole("button", { name: "Use your authenticator app" }).click();
  await proof.getByLabel(/^Code of your/).fill(showCode(secret, 1));
  await proof.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Old phone was removed.").first().waitFor();
  await page.getByText("None yet.").waitFor();
});

memberTest(
  "2FA-4 an organization requires a factor: its date is shown, and then who has none is refused",
  async (one) => {
    const { page, goTo, environment } = one;
    await addApp(one);
    const { slug } = await one.member.mutate("accounts.create", { name: "Careful" });
    const base = `/a/${slug}`;
    const ada = await joinAs(environment);
    await goTo(`${base}/settings/members`);
    await page.getByLabel("Email").fill(ada.email);
    await page.getByRole("button", { name: "Send invitation" }).click();
    const mail = await environment.mails.waitFor(ada.email, (sent) =>
      /invited you/.test(sent.subject),
    );
    await ada.mutate("invitations.accept", { token: tokenIn(mail.text) });
    await goTo(`${base}/settings/organization`);
    await page.getByRole("button", { name: "Require a second factor" }).click();
    await page.getByText(/^Members need a second factor from/).waitFor();
    await inBrowser(environment, "2FA-4 member", undefined, async (other) => {
      await signInBrowser(other, ada);
      await other.goTo(`${base}/keys`);
      await other.page.getByText(/^Careful requires a second factor from/).waitFor();
      await page.getByRole("button", { name: "Stop requiring it" }).click();
      await page.getByLabel("Required").selectOption({ label: "At once" });
      await page.getByRole("button", { name: "Require a second factor" }).click();
      await page.getByText(/^Members need a second factor from/).waitFor();
      await other.goTo(`${base}/keys`);
      await other.page.getByText(/Until you add one, you cannot use it/).waitFor();
      await other.page.getByRole("link", { name: "Add one" }).click();
      await other.page.getByRole("button", { name: "Add authenticator app" }).waitFor();
    });
  },
);
