// Second factors in Settings: a dialog that opens before the server has answered, and what the palette leads to where a
// kind of factor cannot be added.
import { expect, test } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn } from "../../../test/answer-api.fixture.ts";
import { OpenDialogs } from "../../ui/dialogs/open-dialog.tsx";
import { FactorsCard } from "./factors-card.tsx";

function open(query: string, canAddTotp: boolean) {
  history.replaceState(null, "", `/settings/security${query}`);
  const overview = { factors: [], recoveryCodesLeft: 0, recoveryReadyAt: null, canAddTotp };
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "factors.list": () => ({ data: overview }),
  });
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <Router>
        <Route
          path="*"
          component={() => (
            <>
              <FactorsCard />
              <OpenDialogs />
            </>
          )}
        />
      </Router>
    </QueryClientProvider>
  ));
  return api;
}

for (const canAddTotp of [true, false]) {
  test(`what adds a factor stays in place when the server answers ${canAddTotp}: nothing moves below a finger`, async () => {
    open("", canAddTotp);
    const names = () => screen.getAllByRole("button").map((button) => button.textContent);
    const before = names();
    expect(before).toContain("Add authenticator app");
    await screen.findByText(/^None yet/);
    expect(names()).toEqual(before);
  });
}

test("where authenticator apps are off, the button that adds one leads to why", async () => {
  open("", false);
  const reason = await screen.findByText(/^Authenticator apps are off on this server/);
  await userEvent.setup().click(screen.getByRole("button", { name: "Add authenticator app" }));
  await waitFor(() => expect(document.activeElement === reason).toBe(true));
  expect(screen.queryByRole("dialog")).toBeNull();
});

for (const [kind, sentence] of [
  ["app", /^Authenticator apps are off on this server/],
  ["passkey", /^This browser does not support passkeys/],
] as const) {
  test(`asking for a new ${kind} where there can be none leads to why`, async () => {
    open(`?do=add-${kind}`, false);
    const reason = await screen.findByText(sentence);
    await waitFor(() => expect(document.activeElement === reason).toBe(true));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
}

test("adding an app opens the dialog at once, and asks for its code when the QR code is there", async () => {
  const api = open("", true);
  const begun = Promise.withResolvers<void>();
  api.answer("factors.beginTotp", async () => {
    await begun.promise;
    return {
      data: { id: "f1", secret: "ABCDEFGH", uri: "otpauth://totp/Turnpike?secret=ABCDEFGH" },
    };
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Add authenticator app" }));
  await screen.findByText("Preparing the QR code…");
  begun.resolve();
  const code = await screen.findByLabelText("Code");
  await waitFor(() => expect(document.activeElement === code).toBe(true));
});
