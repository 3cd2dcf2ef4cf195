// Passkeys in a browser with a virtual authenticator: added, used instead of the password and after it, for step-up,
// and removed. On a server of its own, because a passkey belongs to a name, not to an address such as 127.0.0.1.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { freePort, type SpawnedServer, spawnServer } from "@turnpike/testing";
import type { CDPSession, Page } from "playwright-core";
import { refuseOnce, stepUpRefusal } from "./break-calls.fixture.ts";
import { inBrowser, type MemberTest, signInBrowser } from "./browser-test.fixture.ts";
import { type Environment, useEnvironment } from "./environment.fixture.ts";
import { joinAs, newEmail, password, tokenIn } from "./member.fixture.ts";
import { readTable } from "./read-page.fixture.ts";

let server: SpawnedServer;
let site: Environment;

beforeAll(async () => {
  const shared = useEnvironment();
  const PORT = String(await freePort());
  const url = `http://localhost:${PORT}`;
  server = await spawnServer({ ...shared.settings, PORT, PUBLIC_URL: url });
  site = { ...shared, server, url, baseUrl: `${url}/v1` };
}, 120_000);
afterAll(() => server.kill());

type PasskeyTest = MemberTest & { readonly keys: CDPSession; readonly authenticatorId: string };

function passkeyTest(name: string, run: (one: PasskeyTest) => Promise<void>): void {
  test(name, async () => {
    const member = await joinAs(useEnvironment());
    await inBrowser(site, name, undefined, async (opened) => {
      await signInBrowser(opened, member);
      const keys = await opened.context.newCDPSession(opened.page);
      await keys.send("WebAuthn.enable", { enableUI: false });
      const { authenticatorId } = await keys.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await run({ ...opened, member, keys, authenticatorId });
    });
  }, 600_000);
}

const table = (page: Page) => page.getByRole("table", { name: "Your second factors" });

async function addPasskey(
  { page, goTo }: PasskeyTest,
  name = "Laptop",
): Promise<readonly string[]> {
  await goTo("/settings/security");
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add passkey" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const shown = page.getByRole("dialog", { name: "Save your recovery codes" });
  await shown.getByRole("listitem").first().waitFor();
  const codes = await shown.getByRole("listitem").allTextContents();
  await shown.getByRole("button", { name: "I saved them" }).click();
  await table(page).getByText(name).waitFor();
  return codes;
}

/** Where the browser offers nothing by itself. */
async function openLogin({ page, context, goTo }: PasskeyTest): Promise<void> {
  await context.clearCookies();
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  await goTo("/login");
}

const overview = (page: Page) => page.getByRole("heading", { name: "Overview" }).waitFor();

passkeyTest("KEYS-1, SET-3 a passkey signs in without address and password", async (one) => {
  const { page } = one;
  expect(await addPasskey(one)).toHaveLength(10);
  expect((await readTable(table(page))).map((row) => [row.Name, row.Kind])).toEqual([
    ["Laptop", "Passkey"],
  ]);
  await openLogin(one);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await overview(page);
});

passkeyTest("KEYS-2 the browser offers a passkey with the addresses it suggests", async (one) => {
  const { page, context, goTo } = one;
  await addPasskey(one);
  await context.clearCookies();
  await goTo("/login");
  const field = page.getByLabel("Email");
  expect(await field.getAttribute("autocomplete")).toBe("username webauthn");
  // The virtual authenticator answers what is offered, as if it had been chosen from the suggestions.
  await overview(page);
});

passkeyTest("KEYS-3 after the password a passkey or a recovery code is asked for", async (one) => {
  const { page, member } = one;
  await addPasskey(one);
  await openLogin(one);
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Use your passkey" }).click();
  await overview(page);
});

passkeyTest("KEYS-4 who declines, or is not verified by the passkey, is told so", async (one) => {
  const { page, keys, authenticatorId } = one;
  await addPasskey(one);
  await openLogin(one);
  await keys.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("Your browser gave no passkey.").waitFor();
});

passkeyTest("KEYS-5 step-up takes a passkey; a removed one no longer signs in", async (one) => {
  const { page } = one;
  await addPasskey(one);
  await refuseOnce(page, "factors.remove", stepUpRefusal);
  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page
    .getByRole("dialog", { name: "Confirm it's you" })
    .getByRole("button", { name: "Use your passkey" })
    .click();
  await page.getByText("Laptop was removed.").first().waitFor();
  await openLogin(one);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("This passkey is not known here").waitFor();
});

passkeyTest("KEYS-6 someone invited joins with a passkey and nothing else", async (one) => {
  const { page, member, environment } = one;
  const { slug } = await member.mutate("accounts.create", { name: "Keyless" });
  const email = newEmail();
  await member.inAccount(String(slug)).mutate("invitations.create", { email, role: "viewer" });
  const { text } = await environment.mails.waitFor(email);
  await one.context.clearCookies();
  await one.goTo(`/join?token=${tokenIn(text)}`);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
  await codes.getByRole("button", { name: "I saved them" }).click();
  await page.waitForURL(`**/a/${slug}`);
  await openLogin(one);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  // Where they were last.
  await page.waitForURL(`**/a/${slug}`);
});
