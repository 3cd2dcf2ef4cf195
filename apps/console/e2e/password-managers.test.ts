// What password managers read of the pages where one signs in: each secret in a form with the name it belongs to, and
// fields that say what they are, under names that stay.
import { expect } from "bun:test";
import { type BrowserTest, browserTest, memberTest } from "./browser-test.fixture.ts";

/** The fields of each form of the page that has one for a secret. */
function readForms({ page }: BrowserTest) {
  return page.evaluate(() =>
    [...document.forms]
      .map((form) =>
        [...form.querySelectorAll("input")].map(({ name, type, autocomplete, id }) => ({
          name,
          type,
          autocomplete,
          hasId: id !== "",
        })),
      )
      .filter((fields) => fields.some(({ type }) => type === "password")),
  );
}

const field = (name: string, type: string, autocomplete: AutoFill) => ({
  name,
  type,
  autocomplete,
  hasId: true,
});

browserTest("SIGN-1 signing in and up name the address and the password", async (one) => {
  const { page, goTo } = one;
  await goTo("/login");
  await page.getByLabel("Password", { exact: true }).waitFor();
  expect(await readForms(one)).toEqual([
    [
      field("email", "email", "username webauthn"),
      field("password", "password", "current-password"),
    ],
  ]);
  await goTo("/register");
  await page.getByLabel("Password", { exact: true }).waitFor();
  expect(await readForms(one)).toEqual([
    [field("email", "email", "username"), field("password", "password", "new-password")],
  ]);
});

memberTest("SIGN-2 a change of the password names whose it is", async (one) => {
  await one.visit("/settings/security");
  const [fields = []] = await readForms(one);
  const autofill: readonly AutoFill[] = ["username", "current-password", "new-password"];
  expect(fields.map(({ autocomplete }) => autocomplete)).toEqual([...autofill]);
});
