import { afterEach, expect, setSystemTime, test } from "bun:test";
import { render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { App } from "../src/app.tsx";
import { answerApi, config, signedIn, wallet } from "./answer-api.fixture.ts";

function connect(online: boolean): void {
  Object.defineProperty(navigator, "onLine", { value: online, configurable: true });
  dispatchEvent(new Event(online ? "online" : "offline"));
}

afterEach(() => {
  connect(true);
  setSystemTime();
});

test("offline, a form sends nothing and says why, and works again with the connection", async () => {
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "profile.update": () => ({ data: {} }),
  });
  history.replaceState(null, "", "/settings/profile");
  render(() => <App />);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(/^Name/), "Grace");
  const sent = () => api.calls.filter(({ path }) => path === "profile.update").length;
  const save = () => screen.getByRole("button", { name: "Save changes" });
  connect(false);
  await waitFor(() => expect(save().getAttribute("aria-disabled")).toBe("true"));
  const note = "You're offline. Changes are disabled.";
  expect(screen.getAllByText(note).length).toBeGreaterThan(0);
  expect(save().getAttribute("title")).toBe(note);
  await user.click(save());
  await user.type(screen.getByLabelText(/^Name/), "{Enter}");
  expect(sent()).toBe(0);
  connect(true);
  await waitFor(() => expect(save().getAttribute("aria-disabled")).toBeNull());
  expect(screen.queryByText(note)).toBeNull();
  await user.click(save());
  await waitFor(() => expect(sent()).toBe(1));
});

test("a proxy's page instead of an answer is not reported as offline", async () => {
  answerApi({ "auth.me": signedIn, "config.public": config, "wallet.summary": wallet });
  const known = globalThis.fetch;
  const broken = async (target: string | URL | Request, init?: RequestInit) =>
    String(target).includes("overview")
      ? new Response("<h1>Bad gateway</h1>", { status: 502 })
      : known(target, init);
  globalThis.fetch = Object.assign(broken, { preconnect: () => undefined });
  history.replaceState(null, "", "/");
  render(() => <App />);
  await screen.findByText("Couldn't load your overview.");
  expect(screen.queryByText(/Can't reach the server/)).toBeNull();
});

test("a page with an older build offers the newer one, and may stay", async () => {
  answerApi({ "auth.me": signedIn, "config.public": config, "wallet.summary": wallet });
  const script = document.createElement("script");
  script.setAttribute("type", "module");
  document.head.append(script);
  // Only now: the element must exist, but must not be loaded.
  script.setAttribute("src", "/assets/index-old.js");
  const known = globalThis.fetch;
  let build = "old";
  const served = async (target: string | URL | Request, init?: RequestInit) =>
    target === "/" ? new Response(`<script src="/assets/index-${build}.js">`) : known(target, init);
  globalThis.fetch = Object.assign(served, { preconnect: () => undefined });
  history.replaceState(null, "", "/settings/profile");
  try {
    render(() => <App />);
    await screen.findByLabelText(/^Name/);
    const comeBack = (minutes: number) => {
      setSystemTime(Date.now() + minutes * 60_000);
      document.dispatchEvent(new Event("visibilitychange"));
    };
    const text = "A new version of the console is available.";
    comeBack(11);
    await new Promise((resolve) => setTimeout(resolve));
    expect(screen.queryByText(text)).toBeNull();
    build = "new";
    comeBack(11);
    await screen.findByText(text);
    await userEvent.setup().click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText(text)).toBeNull();
  } finally {
    script.remove();
  }
});

test("loaded data stays on the page while the server cannot be reached", async () => {
  const low = () => ({
    data: {
      ...wallet().data,
      balanceUsd: "1",
      spendableUsd: "1",
      lowBalanceAlertUsd: "5",
      runwayDays: null,
    },
  });
  const api = answerApi({ "auth.me": signedIn, "config.public": config, "wallet.summary": low });
  history.replaceState(null, "", "/settings/profile");
  render(() => <App />);
  const name = await screen.findByLabelText(/^Name/);
  await userEvent.setup().type(name, "Grace");
  await screen.findByText(/^Your balance/);
  const asked = new Set<string>();
  for (const path of ["auth.me", "wallet.summary"]) {
    api.answer(path, () => {
      asked.add(path);
      return { error: { fault: "internal_error", status: 500 } };
    });
  }
  setSystemTime(Date.now() + 6 * 60_000);
  dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(asked.size).toBe(2));
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.getByLabelText(/^Name/)).toBe(name);
  expect(screen.getByText(/^Your balance/)).toBeTruthy();
  expect(screen.getByRole("link", { name: /\$1\.00/ })).toBeTruthy();
});
