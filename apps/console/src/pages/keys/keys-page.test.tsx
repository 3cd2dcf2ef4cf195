import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@solidjs/testing-library";
import { wallet } from "../../../test/answer-api.fixture.ts";
import type { User } from "../../../test/open-app.fixture.tsx";
import { choose, key, open, secret } from "./open-keys.fixture.tsx";

async function openDialog(user: User) {
  const [button] = await screen.findAllByRole("button", { name: "Create API Key" });
  if (button) await user.click(button);
  return screen.findByLabelText("Name");
}

async function create(user: User) {
  await user.type(await openDialog(user), "production{Enter}");
  await screen.findByText("Save your key");
}

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

test("a chosen project is input that a dialog asks about before it closes, the offered one is not", async () => {
  const projects = [
    { id: "p1", name: "Default", archivedAt: null },
    { id: "p2", name: "Shop", archivedAt: null },
  ];
  const { user, sent } = open([key], { "projects.list": () => ({ data: projects }) });
  const isAsked = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const name = await openDialog(user);
  const project = await within(await screen.findByRole("dialog")).findByLabelText("Project");
  expect(isAsked()).toBe(false);
  await user.selectOptions(project, "Shop");
  expect(isAsked()).toBe(true);
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Keep editing" }));
  await user.type(name, "production{Enter}");
  await screen.findByText("Save your key");
  expect(sent("keys.create")).toMatchObject([{ name: "production", projectId: "p2" }]);
});

test("leaving the page before copying warns, and after copying does not", async () => {
  const { user } = open();
  await create(user);
  const leaves = () => dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leaves()).toBe(false);
  await user.click(screen.getByRole("button", { name: "Copy key" }));
  await waitFor(() => expect(leaves()).toBe(true));
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

test("keys sort by name as one counts, spend and time, as the address says, and revoked ones stay below", async () => {
  const total = (spentUsd: string) => ({ ...key.spend, total: { ...key.spend.total, spentUsd } });
  // What it shows first is what it spent today.
  const limited = {
    ...total("10"),
    day: { ...key.spend.day, spentUsd: "0.5", limitUsd: "5" },
  };
  const { user } = open(
    [
      { ...key, id: "k3", name: "key 10", spend: total("9"), lastUsedAt: "2026-11-11T00:00:00Z" },
      { ...key, id: "k4", name: "gone", status: "revoked", spend: total("99") },
      { ...key, id: "k5", name: "key 2", createdAt: "2026-11-01T00:00:00Z", spend: limited },
    ],
    {},
    "/keys?sort=created-up",
  );
  const names = () =>
    screen.getAllByRole("row").flatMap((row) => row.querySelector("th[scope=row]") ?? []);
  const shown = () => names().map(({ textContent }) => textContent);
  const sortBy = async (title: string) => {
    await user.click(await screen.findByRole("button", { name: title }));
    return [location.search, ...shown()];
  };
  await screen.findByRole("link", { name: "key 2" });
  expect(shown()).toEqual(["key 2", "key 10", "gone"]);
  expect(screen.getByRole("row", { name: /key 2/ }).textContent).toContain("$10.00 in total");
  expect(await sortBy("Created")).toEqual(["", "key 10", "key 2", "gone"]);
  expect(await sortBy("Name")).toEqual(["?sort=name-up", "key 2", "key 10", "gone"]);
  expect(await sortBy("Name")).toEqual(["?sort=name", "key 10", "key 2", "gone"]);
  expect(await sortBy("Spend")).toEqual(["?sort=spend", "key 2", "key 10", "gone"]);
  expect(await sortBy("Last used")).toEqual(["?sort=used", "key 10", "key 2", "gone"]);
  expect(await sortBy("Last used")).toEqual(["?sort=used-up", "key 2", "key 10", "gone"]);
});

test("a new key comes with a first call only if the balance can pay for it", async () => {
  const empty = { ...wallet().data, spendableUsd: "0" };
  const { user } = open([], { "wallet.summary": () => ({ data: empty }) });
  const [create] = await screen.findAllByRole("button", { name: "Create API Key" });
  if (create) await user.click(create);
  await user.type(await screen.findByLabelText(/^Name/), "production{Enter}");
  await screen.findByText(/Your balance is empty, so requests with this key are declined/);
  expect(screen.getByRole("dialog").textContent).not.toContain("curl");
});

test("a key whose account has no balance shows that in the list", async () => {
  const nothing = { ...wallet().data, spendableUsd: "0" };
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

test("the page of a key leads to what it spent and to its requests", async () => {
  const detail = { key, series: [], topModels: [], recentErrors: [], changes: [] };
  open([key], { "keys.detail": () => ({ data: detail }) }, "/keys/k1");
  const hrefOf = async (name: string) =>
    (await screen.findByRole("link", { name })).getAttribute("href");
  expect(await hrefOf("View usage")).toBe("/usage?range=30d&keys=k1");
  expect(await hrefOf("View logs")).toBe("/logs?keys=k1");
});

test("a link to raise a limit opens the key's limits, and not again after a reload", async () => {
  const detail = { key, series: [], topModels: [], recentErrors: [], changes: [] };
  open([key], { "keys.detail": () => ({ data: detail }) }, "/keys/k1?do=key-edit");
  await screen.findByRole("dialog", { name: /ci/ });
  await waitFor(() => expect(location.search).toBe(""));
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
  const { user } = open([key], {}, "/keys?q=nothing");
  const [clear] = await screen.findAllByRole("button", { name: "Clear filters" });
  if (clear) await user.click(clear);
  await screen.findByRole("link", { name: "ci" });
});

test("a row that changes keeps its elements, and with them the focus and an open menu", async () => {
  const { api, user } = open([key], { "keys.setDisabled": () => ({ data: {} }) });
  const trigger = await screen.findByRole("button", { name: "Actions for ci" });
  api.answer("keys.list", () => ({ data: [{ ...key, status: "disabled", name: "ci 2" }] }));
  await choose(user, "Disable");
  await screen.findByRole("button", { name: "Actions for ci 2" });
  expect(trigger.isConnected).toBe(true);
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
