// docs/permissions.md says what the code decides.
import { expect, test } from "bun:test";
import { permissionsFile, writePermissions } from "./permissions-doc.fixture.ts";

/** The formatter pads the cells of tables. */
const withoutPadding = (text: string) => text.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---");

test("docs/permissions.md is what `bun packages/api/src/permissions-doc.fixture.ts` writes", async () => {
  const written = withoutPadding(await Bun.file(permissionsFile).text());
  expect(written.replaceAll("| ---", "|---").replaceAll("--- |", "---|")).toBe(
    withoutPadding(writePermissions()),
  );
});
