// The field of the operators' desk says what was asked, also after going back.
import { expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { signedIn } from "../../../test/answer-api.fixture.ts";
import { openApp } from "../../../test/open-app.fixture.tsx";

test("going back to an earlier question brings it back into the field", async () => {
  const { data } = signedIn();
  const operator = { ...data.person, operatorRole: "support" as const, verbs: ["desk.find"] };
  const { user } = openApp("/operator?q=ada", {
    "auth.me": () => ({ data: { ...data, person: operator } }),
    "operator.desk.find": () => ({ data: { found: [] } }),
  });
  const field = await screen.findByRole("textbox", { name: /^Find an account/ });
  expect(field).toHaveProperty("value", "ada");
  await user.clear(field);
  await user.type(field, "grace{Enter}");
  await screen.findByText("Nothing was found for “grace”.");
  history.back();
  await screen.findByText("Nothing was found for “ada”.");
  await waitFor(() => expect(field).toHaveProperty("value", "ada"));
});
