import { beforeEach, expect, test } from "bun:test";
import { cleanup, render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { version } from "../package.json";
import { App } from "../src/app.tsx";
import { answerApi, config, signedIn, signedOut, wallet } from "./answer-api.fixture.ts";

const unauthenticated = { error: { fault: "unauthenticated", status: 401 } };

beforeEach(() => {
  history.replaceState(null, "", "/");
});

function open(path: string): ReturnType<typeof userEvent.setup> {
  history.replaceState(null, "", path);
  render(() => <App />);
  return userEvent.setup();
}

/** The address changes once the page is rendered. */
function arriveAt(path: string): Promise<void> {
  return waitFor(() => expect(location.pathname + location.search).toBe(path));
}

test("a member page redirects to sign-in when signed out, and back afterwards", async () => {
  const api = answerApi({ "auth.me": signedOut, "config.public": config });
  const user = open("/settings/notifications?from=mail");
  await screen.findByRole("heading", { name: "Sign in" });
  await arriveAt("/login?next=%2Fsettings%2Fnotifications%3Ffrom%3Dmail");
  api.answer("auth.login", () => ({ data: {} }));
  api.answer("auth.me", signedIn);
  api.answer("wallet.summary", wallet);
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "correct horse battery");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  await screen.findByRole("heading", { name: "Notifications" });
  await arriveAt("/settings/notifications?from=mail");
  expect(document.title).toBe("Notifications · Turnpike");
});

test("AUT-6 next=//evil.example is ignored when already signed in", async () => {
  answerApi({ "auth.me": signedIn, "config.public": config, "wallet.summary": wallet });
  open("/login?next=//evil.example");
  await screen.findByRole("heading", { name: "Overview" });
  await arriveAt("/");
});

test("the region of toasts is there for members before there is one", async () => {
  answerApi({ "auth.me": signedIn, "config.public": config, "wallet.summary": wallet });
  open("/settings/profile");
  await screen.findByRole("region", { name: "Notifications" });
});

test("ERR-2 an expired session asks to sign in again and keeps what was typed", async () => {
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "profile.update": () => unauthenticated,
  });
  const user = open("/settings/profile");
  const name = await screen.findByLabelText(/^Name/);
  await user.clear(name);
  await user.type(name, "Grace");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await screen.findByText("Your session expired. Sign in to continue where you left off.");
  await arriveAt("/login?next=%2Fsettings%2Fprofile");
  expect(screen.getByLabelText("Email")).toHaveProperty("value", "ada@example.com");
  api.answer("auth.login", () => ({ data: {} }));
  await user.type(screen.getByLabelText("Password"), "correct horse battery");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByLabelText(/^Name/)).toHaveProperty("value", "Grace");
});

test("wrong credentials are reported without saying which of the two was wrong", async () => {
  answerApi({
    "auth.me": signedOut,
    "config.public": config,
    "auth.login": () => ({ error: { fault: "wrong_credentials", message: "No." } }),
  });
  const user = open("/login");
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "wrong wrong wrong{Enter}");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Incorrect email or password.");
  expect(screen.queryByRole("button", { name: "Send the link again" })).toBeNull();
});

test("AUT-1 the right pair of an unverified address offers the link again", async () => {
  const api = answerApi({
    "auth.me": signedOut,
    "config.public": config,
    "auth.login": () => ({ error: { fault: "email_not_verified" } }),
    "auth.resendVerification": () => ({ data: { retryAfterSeconds: 60 } }),
  });
  const user = open("/login");
  await user.type(await screen.findByLabelText("Email"), " ada@example.com");
  await user.type(screen.getByLabelText("Password"), "correct horse battery{Enter}");
  await user.click(await screen.findByRole("button", { name: "Send the link again" }));
  await screen.findByRole("button", { name: "Send again in 60 s" });
  expect(api.calls.at(-1)).toEqual({
    path: "auth.resendVerification",
    input: { email: "ada@example.com" },
  });
});

test("AUT-3 an emailed link is used only on a click, and a second use says the address is verified", async () => {
  const api = answerApi({
    "auth.me": signedOut,
    "config.public": config,
    "auth.verifyEmail": () => ({ data: { status: "already_verified", email: "ada@example.com" } }),
  });
  const user = open("/verify-email?token=abc");
  const field = await screen.findByLabelText("Password");
  expect(api.calls.filter(({ path }) => path === "auth.verifyEmail")).toHaveLength(0);
  await user.type(field, "correct horse battery");
  await user.click(screen.getByRole("button", { name: "Verify email" }));
  await screen.findByText("This address is already verified. You can sign in.");
  expect(screen.getByLabelText("Email")).toHaveProperty("value", "ada@example.com");
  expect(api.calls.filter(({ path }) => path === "auth.verifyEmail")).toHaveLength(1);
  await arriveAt("/login");
});

test("AUT-4 after signing up the screen is the same for every address", async () => {
  answerApi({
    "auth.me": signedOut,
    "config.public": config,
    "auth.register": () => ({ data: {} }),
  });
  const user = open("/register");
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "correct horse battery{Enter}");
  await screen.findByRole("heading", { name: "Check your email" });
  screen.getByText("We sent a link to ada@example.com. It works for 24 hours.");
  await arriveAt("/verify-email");
});

test("an unknown page keeps the navigation", async () => {
  answerApi({ "auth.me": signedIn, "config.public": config, "wallet.summary": wallet });
  open("/nowhere");
  await screen.findByRole("heading", { name: "Page not found" });
  expect(screen.getByRole("link", { name: "API Keys" }).getAttribute("href")).toBe("/keys");
  await waitFor(() => screen.getByRole("link", { name: "Balance $12.31" }));
  screen.getByText(`Version ${version}`);
});

test("a cold load with a slow API paints the frame immediately, with the page's title", async () => {
  const gate = Promise.withResolvers<void>();
  const slow = async () => {
    await gate.promise;
    return signedIn();
  };
  const api = answerApi({ "auth.me": slow, "config.public": config, "wallet.summary": wallet });
  open("/settings/profile");
  screen.getByRole("heading", { level: 1, name: "Profile" });
  screen.getByRole("link", { name: "API Keys" });
  screen.getByText("Loading…");
  // Nothing for members is requested before it is known who is signed in.
  expect(api.calls.map((call) => call.path)).not.toContain("wallet.summary");
  const heading = screen.getByRole("heading", { level: 1 });
  gate.resolve();
  await screen.findByLabelText(/^Name/);
  expect(screen.getByRole("heading", { level: 1 })).toBe(heading);
});

test("while the API does not answer, the navigation, the palette and the account menu work", async () => {
  const never = () => new Promise<never>(() => undefined);
  const data = ["wallet.summary", "keys.list", "models.list", "usage.read", "logs.list"];
  answerApi({
    "auth.me": signedIn,
    "config.public": config,
    ...Object.fromEntries(data.map((path) => [path, never])),
  });
  const user = open("/keys");
  const title = (name: string) => screen.findByRole("heading", { level: 1, name });
  await title("API Keys");
  await user.click(screen.getByRole("link", { name: "Usage" }));
  await title("Usage");
  await arriveAt("/usage");
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox");
  await user.keyboard("logs{Enter}");
  await title("Logs");
  // Not by a click: the page takes none before the palette's animation ends, which never starts here.
  (await screen.findByRole("button", { name: /Account/ })).focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("menuitem", { name: "Sign out" });
});

test("a cold load of the front page paints the frame this browser had last", async () => {
  const never = () => new Promise<never>(() => undefined);
  answerApi({ "auth.me": never, "config.public": config });
  open("/");
  screen.getByRole("link", { name: "Create account" });
  cleanup();
  localStorage.setItem("was-signed-in", "yes");
  open("/");
  screen.getByRole("heading", { level: 1, name: "Overview" });
  screen.getByRole("link", { name: "API Keys" });
});

test("a failing account query is reported and recovers by Try again", async () => {
  const api = answerApi({ "config.public": config, "wallet.summary": wallet });
  const user = open("/settings/security");
  await screen.findByText("Couldn't load your account.");
  screen.getByText("Reference req_test");
  api.answer("auth.me", signedIn);
  api.answer("sessions.list", () => ({ data: [] }));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("heading", { name: "Security" });
});
