import { beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { App } from "../../app.tsx";

const secret = "sk-tp-a-secret-that-is-shown-once";
const period = { spentUsd: "0", heldUsd: "0", limitUsd: null, resetsAt: null };
const noLimits = {
  spendLimitsUsd: { day: null, week: null, month: null, total: null },
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrency: null,
  allowedModels: null,
  allowedAddresses: null,
  expiresAt: null,
};
const key = {
  id: "k1",
  name: "ci",
  masked: "sk-tp-9f2a…c41d",
  status: "active",
  createdAt: "2026-11-12T14:03:00Z",
  createdBy: "ada@example.com",
  lastUsedAt: null,
  expiresAt: null,
  previousUntil: null,
  limits: noLimits,
  spend: { day: period, week: period, month: period, total: period },
};

beforeEach(() => history.replaceState(null, "", "/keys"));

function open(keys: readonly object[] = [key], answers: Parameters<typeof answerApi>[0] = {}) {
  let made = false;
  const fresh = { ...key, id: "k2", name: "production", masked: "sk-tp-a-se…once" };
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "models.list": () => ({ data: [{ id: "alpha-large" }] }),
    "keys.list": () => ({ data: made ? [fresh, ...keys] : keys }),
    "keys.create": () => {
      made = true;
      return { data: { id: "k2", key: secret } };
    },
    ...answers,
  });
  render(() => <App />);
  const sent = (path: string) => api.calls.filter((c) => c.path === path).map((c) => c.input);
  return { api, user: userEvent.setup(), sent };
}

type User = ReturnType<typeof userEvent.setup>;

async function openDialog(user: User) {
  const [button] = await screen.findAllByRole("button", { name: "Create API Key" });
  if (button) await user.click(button);
  return screen.findByLabelText("Name");
}

async function create(user: User) {
  await user.type(await openDialog(user), "production{Enter}");
  await screen.findByText("Save your key");
}

test("KEY-2 a key needs a name: the field says so, has the focus, and nothing is sent", async () => {
  const { user, sent } = open();
  const name = await openDialog(user);
  await user.type(name, "   {Enter}");
  await screen.findByText("Enter a name for this key.");
  expect(document.activeElement).toBe(name);
  expect(sent("keys.create")).toEqual([]);
});

test("KEY-9 two fast clicks create one key, with the limits that were typed", async () => {
  const { user, sent } = open();
  await user.type(await openDialog(user), " production ");
  await user.click(screen.getByText("Limits and access"));
  await user.type(screen.getByLabelText("Spend limit"), "10");
  await user.dblClick(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("Save your key");
  expect(sent("keys.create")).toMatchObject([
    { name: "production", limits: { spendLimitsUsd: { month: "10" } } },
  ]);
});

test("KEY-4 the copied text is the key; then closing asks nothing and the row has the focus", async () => {
  const { user } = open();
  await create(user);
  const copy = screen.getByRole("button", { name: "Copy key" });
  await waitFor(() => expect(document.activeElement).toBe(copy));
  expect(screen.getByLabelText("Your new API key")).toHaveProperty("value", secret);
  await user.click(copy);
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.click(screen.getByRole("button", { name: "Done" }));
  const row = await screen.findByRole("link", { name: "production" });
  await waitFor(() => expect(document.activeElement).toBe(row));
  expect(screen.queryByText("Save your key")).toBeNull();
});

test("KEY-5 closing uncopied asks by every way out; afterwards the secret is nowhere", async () => {
  const { user } = open();
  await create(user);
  await user.keyboard("{Escape}");
  await screen.findByText("Close without copying the key?");
  await user.click(screen.getByRole("button", { name: "Go back" }));
  expect(await screen.findByLabelText("Your new API key")).toHaveProperty("value", secret);
  await user.click(await screen.findByRole("button", { name: "Done" }));
  await user.click(await screen.findByRole("button", { name: "Close anyway" }));
  await screen.findByRole("link", { name: "production" });
  await waitFor(() => expect(screen.queryByText("Save your key")).toBeNull());
  expect(document.documentElement.outerHTML).not.toContain(secret);
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(secret);
  expect(location.href).not.toContain(secret);
});

test("leaving the page before copying warns, and after copying does not", async () => {
  const { user } = open();
  await create(user);
  const leaves = () => dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leaves()).toBe(false);
  await user.click(screen.getByRole("button", { name: "Copy key" }));
  await waitFor(() => expect(leaves()).toBe(true));
});

test("KEY-6 the new row is there without reload, masked and marked", async () => {
  const { user } = open();
  await create(user);
  await user.click(screen.getByRole("button", { name: "Copy key" }));
  await user.click(screen.getByRole("button", { name: "Done" }));
  const [, first] = await screen.findAllByRole("row");
  await waitFor(() => expect(first?.getAttribute("data-row") ?? "").toBe("k2"));
  expect(first?.textContent).toContain("sk-tp-a-se…once");
});

test("KEY-8 a key over its limit shows that, and when the limit resets", async () => {
  const resetsAt = new Date(Date.now() + 6.5 * 3_600_000).toISOString();
  const month = { ...period, spentUsd: "10", limitUsd: "10", resetsAt };
  open([{ ...key, status: "limit_reached", spend: { ...key.spend, month } }]);
  const row = await screen.findByRole("row", { name: /ci/ });
  expect(row.textContent).toContain("Limit reachedresets in 6 h");
  expect(row.textContent).toContain("$10.00 of $10.00 this month");
});

test("revoking a key in use asks for its last four characters, and names the consequence", async () => {
  const { user, sent } = open([{ ...key, lastUsedAt: new Date().toISOString() }], {
    "keys.revoke": () => ({ data: {} }),
  });
  await user.click(await screen.findByRole("button", { name: "Actions for ci" }));
  await user.click(await screen.findByRole("menuitem", { name: "Revoke" }));
  const dialog = await screen.findByRole("alertdialog");
  within(dialog).getByText(/Requests using ci will fail immediately/);
  const confirm = within(dialog).getByRole("button", { name: "Revoke key" });
  expect(confirm).toHaveProperty("disabled", true);
  const field = within(dialog).getByLabelText(
    "Type the last four characters of sk-tp-9f2a…c41d to confirm",
  );
  await user.type(field, "ci");
  expect(confirm).toHaveProperty("disabled", true);
  await user.clear(field);
  await user.type(field, "c41d");
  await user.click(confirm);
  await waitFor(() => expect(sent("keys.revoke")).toEqual([{ id: "k1" }]));
});

test("a revoked key stays listed as revoked, below the others", async () => {
  let revoked = false;
  const newer = { ...key, id: "k0", name: "leaked" };
  const list = () => [revoked ? { ...newer, status: "revoked" } : newer, key];
  const { user, sent } = open([], {
    "keys.list": () => ({ data: list() }),
    "keys.revoke": () => {
      revoked = true;
      return { data: {} };
    },
  });
  await user.click(await screen.findByRole("button", { name: "Actions for leaked" }));
  await user.click(await screen.findByRole("menuitem", { name: "Revoke" }));
  await user.type(await screen.findByLabelText(/^Type the last four characters/), "C41D");
  await user.click(await screen.findByRole("button", { name: "Revoke key" }));
  await screen.findByText("Revoked leaked");
  const names = () =>
    screen.getAllByRole("row").map((row) => row.querySelector("th[scope=row]")?.textContent);
  await waitFor(() => expect(names().slice(1)).toEqual(["ci", "leaked"]));
  expect(screen.getByRole("row", { name: /leaked/ }).textContent).toContain("Revoked");
  expect(sent("keys.list").every((input) => JSON.stringify(input).includes("true"))).toBe(true);
});

test("a key whose account has no balance shows that in the list", async () => {
  const nothing = { ...wallet().data, balanceUsd: "0", availableUsd: "0" };
  open([key, { ...key, id: "k3", name: "paused", status: "disabled" }], {
    "wallet.summary": () => ({ data: nothing }),
  });
  const row = await screen.findByRole("row", { name: /ci/ });
  await waitFor(() => expect(row.textContent).toContain("No balance left"));
  expect(row.textContent).not.toContain("Active");
  expect(screen.getByRole("row", { name: /paused/ }).textContent).toContain("Disabled");
});

test("a key with balance is active", async () => {
  open();
  await screen.findByRole("link", { name: "Balance $12.31" });
  expect(screen.getByRole("row", { name: /ci/ }).textContent).toContain("Active");
});

const hourMs = 3_600_000;
const rotated = { ...key, previousUntil: new Date(Date.now() + 6.5 * hourMs).toISOString() };

async function choose(user: User, item: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for ci" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

test("revoking the old secret asks first, and names the consequence", async () => {
  const { user, sent } = open([rotated], { "keys.endPrevious": () => ({ data: {} }) });
  await choose(user, "Revoke old now");
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
  await user.click(within(dialog).getByRole("button", { name: "Revoke old now" }));
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
  screen.getByRole("button", { name: "Revoke old now" });
  expect(sent("keys.rotate")).toEqual([{ id: "k1", graceSeconds: 86_400 }]);
});

test("c opens the dialog, but not while typing", async () => {
  const { user } = open();
  await screen.findByRole("link", { name: "ci" });
  const search = screen.getByLabelText("Search keys");
  await user.type(search, "c");
  expect(screen.queryByLabelText("Name")).toBeNull();
  search.blur();
  await user.keyboard("c");
  await screen.findByLabelText("Name");
});

test("an empty list shows how a key is used", async () => {
  open([]);
  await screen.findByText("No keys yet. Create a key to call the API.");
  await screen.findByRole("group", { name: "curl" });
});

test("no match offers to clear the filters", async () => {
  history.replaceState(null, "", "/keys?q=nothing");
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  await screen.findByRole("link", { name: "ci" });
});
