// Rotating a key, and revoking its old secret before it expires.
import { expect, test } from "bun:test";
import { screen, within } from "@solidjs/testing-library";
import { choose, key, open, secret } from "./open-keys.fixture.tsx";

const hourMs = 3_600_000;
const rotated = { ...key, previousUntil: new Date(Date.now() + 6.2 * hourMs).toISOString() };

test("revoking the old secret asks first, and names the consequence", async () => {
  const { user, sent } = open([rotated], { "keys.endPrevious": () => ({ data: {} }) });
  await choose(user, "Revoke old secret");
  const dialog = await screen.findByRole("alertdialog", { name: "Revoke the old secret of ci?" });
  within(dialog).getByText(/fail immediately.+ This cannot be undone\./);
  within(dialog).getByText("Otherwise it stops working in 6 h.");
  expect(sent("keys.endPrevious")).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Revoke old secret" }));
  await screen.findByText("The old secret of ci is revoked");
  expect(sent("keys.endPrevious")).toEqual([{ id: "k1" }]);
});

test("at most two secrets: rotating is offered once the old one is revoked", async () => {
  const { user, sent } = open([rotated], { "keys.endPrevious": () => ({ data: {} }) });
  await choose(user, "Rotate secret");
  const dialog = await screen.findByRole("dialog");
  within(dialog).getByText(/The old secret still works until .+ \(in 6 h\)\./);
  expect(within(dialog).queryByRole("button", { name: "Rotate secret" })).toBeNull();
  expect(within(dialog).queryAllByRole("radio")).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Revoke old secret" }));
  await user.click(await screen.findByRole("button", { name: "Revoke old secret" }));
  await within(dialog).findByRole("button", { name: "Rotate secret" });
  expect(within(dialog).queryByText(/The old secret still works/)).toBeNull();
  expect(sent("keys.endPrevious")).toEqual([{ id: "k1" }]);
  expect(sent("keys.rotate")).toEqual([]);
});

test("an expired old secret does not block a rotation", async () => {
  const previousUntil = new Date(Date.now() - 1_000).toISOString();
  const { user } = open([{ ...key, previousUntil }], {
    "keys.rotate": () => ({ data: { id: "k1", key: secret } }),
  });
  await choose(user, "Rotate secret");
  await user.click(await screen.findByRole("button", { name: "Rotate secret" }));
  expect(await screen.findByLabelText("Your new API key")).toHaveProperty("value", secret);
});

test("rotated elsewhere meanwhile: the server's message and the next step are shown", async () => {
  const message = "The previous secret still works.";
  const { user, sent } = open([key], {
    "keys.rotate": () => ({ error: { fault: "conflict", message } }),
  });
  await choose(user, "Rotate secret");
  await user.click(await screen.findByRole("button", { name: "Rotate secret" }));
  expect((await screen.findByRole("alert")).textContent).toContain(message);
  expect(screen.queryByRole("button", { name: "Rotate secret" })).toBeNull();
  screen.getByRole("button", { name: "Revoke old secret" });
  expect(sent("keys.rotate")).toEqual([{ id: "k1", graceSeconds: 86_400 }]);
});
