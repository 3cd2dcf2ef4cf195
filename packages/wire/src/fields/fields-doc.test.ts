// docs/request-fields.md says what the table of request fields decides.
import { expect, test } from "bun:test";
import { fieldsFile, writeFields } from "./fields-doc.fixture.ts";

/** The formatter pads the cells of tables. */
const withoutPadding = (text: string) =>
  text
    .replaceAll(/ +/g, " ")
    .replaceAll(/-{3,}/g, "---")
    .replaceAll("| ---", "|---")
    .replaceAll("--- |", "---|");

test("docs/request-fields.md is what its generator writes", async () => {
  const written = withoutPadding(await Bun.file(fieldsFile).text());
  expect(written).toBe(withoutPadding(writeFields()));
});
