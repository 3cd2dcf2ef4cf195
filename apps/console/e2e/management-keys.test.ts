// Management keys in a browser: created with the permissions that were chosen, shown once, used by a program, and
// revoked.
import { expect } from "bun:test";
import { memberTest } from "./browser-test.fixture.ts";
import { readTable } from "./read-page.fixture.ts";

memberTest(
  "MGMT-1 a key is created, manages API keys over REST, and is refused once it is revoked",
  async ({ page, goTo, environment }) => {
    await goTo("/settings/management-keys");
    await page.getByText("No management keys yet.").waitFor();
    await page.getByRole("button", { name: "Create management key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("onboarding");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("Choose at least one permission.").waitFor();
    await dialog.getByLabel("See API keys", { exact: true }).check();
    await dialog.getByLabel("Create, change and revoke API keys").check();
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = await dialog.getByLabel("Your new key").inputValue();
    expect(key).toMatch(/^sk-tpm-[0-9A-Za-z]{49}$/);
    const manage = (path: string, init: RequestInit = {}) =>
      fetch(`${environment.url}/v1/management${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      });
    const created = await manage("/keys", {
      method: "POST",
      body: JSON.stringify({ name: "made by a program" }),
    });
    expect(created.status).toBe(201);
    expect((await manage("/members")).status).not.toBe(200);
    await dialog.getByRole("button", { name: "Copy key" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();

    const table = page.getByRole("table", { name: "Management keys" });
    await table.getByText("onboarding").waitFor();
    expect((await readTable(table)).map((row) => row.Permissions)).toEqual(["2 permissions"]);
    await goTo("/keys");
    await page.getByText("made by a program").first().waitFor();
    await goTo("/settings/audit-log");
    await page.getByRole("table").getByText("key.create", { exact: true }).waitFor();

    await goTo("/settings/management-keys");
    await page.getByRole("button", { name: "Revoke onboarding" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("onboarding was revoked.").first().waitFor();
    expect((await manage("/keys")).status).toBe(401);
  },
);

memberTest("MGMT-2 whether leaked keys are revoked is the account's choice", async (opened) => {
  const { page, goTo } = opened;
  await goTo("/keys");
  const revoke = page.getByRole("switch", { name: /Revoke leaked keys at once/ });
  expect(await revoke.isChecked()).toBe(true);
  await revoke.uncheck();
  await page.getByText("Saved").first().waitFor();
  await page.reload();
  await revoke.waitFor();
  expect(await revoke.isChecked()).toBe(false);
});
