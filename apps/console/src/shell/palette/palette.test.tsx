import { afterEach, expect, test } from "bun:test";
import { Route, Router, useLocation } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { signedIn } from "../../../test/answer-api.fixture.ts";
import { scoreMatch } from "../../lib/match.ts";
import { switchSingleKeys } from "../../lib/shortcuts/shortcut-choice.ts";
import { navPages, pages } from "../routes.ts";
import { type Entry, entriesOf, findEntries, type Known } from "./entries.ts";
import Palette from "./palette.tsx";
import { readRecent, writeRecent } from "./recent.ts";
import { useGoKeys } from "./use-go-keys.ts";

const known: Known = {
  pages: navPages,
  settings: pages.filter(({ path }) => path.startsWith("/settings/")),
  keys: [{ id: "k1", name: "production", masked: "sk-tp-9f2a…c41d" }],
  models: [
    { id: "acme/large", name: "Acme Large", operation: "chat" },
    { id: "acme/wallaby", name: "Wallaby", operation: "chat" },
  ],
  members: [
    { id: "m1", name: "Grace", email: "grace@example.com", role: "developer" as const },
    { id: "m2", name: "", email: "owner@example.com", role: "owner" as const },
  ].map((member) => ({ ...member, isOfferedOwnership: false })),
  accounts: [{ kind: "organization", slug: "acme", name: "Acme" }],
  permissions: signedIn().data.account.permissions,
  isOrganization: true,
  hasProviders: true,
  severalProjects: true,
  dark: false,
};
const entries = entriesOf(known);
const titles = (found: readonly Entry[]) => found.map((entry) => entry.title);
const find = (typed: string, recent: readonly string[] = []) => findEntries(entries, typed, recent);

test("prefixes rank before word starts, and those before scattered letters", () => {
  expect(titles(find("wal"))[0]).toBe("Wallet");
  expect(titles(find("prod"))).toContain("production");
  expect(titles(find("plgrnd"))).toContain("Playground");
  expect(titles(find("large acme"))[0]).toBe("Acme Large");
  expect(find("xyzzy")).toEqual([]);
  const whole = scoreMatch("Wallet", "wal") ?? 0;
  const word = scoreMatch("My wallet", "wal") ?? 0;
  const inside = scoreMatch("Swallow", "wal") ?? 0;
  expect([whole > word, word > inside, inside > 0]).toEqual([true, true, true]);
});

test("pages are found by what people look for there", () => {
  const firstOf = (typed: string) => titles(find(typed))[0];
  expect(firstOf("latency")).toBe("Usage");
  expect(firstOf("spikes")).toBe("Usage");
  expect(firstOf("credits")).toBe("Wallet");
  expect(titles(find("billing"))).toContain("Wallet");
  expect(titles(find("cursor"))).toContain("Connect a tool");
  expect(titles(find("limits"))).toContain("Budgets");
});

test("a request's id leads to its log, and cannot lead elsewhere", () => {
  const hrefs = (typed: string) =>
    find(typed).flatMap((entry) => ("href" in entry.run ? entry.run.href : []));
  expect(hrefs("gen-0192abcdef")).toEqual(["/logs?id=gen-0192abcdef"]);
  expect(hrefs("req_0192abcdef")).toEqual(["/logs?request=req_0192abcdef"]);
  expect(hrefs("gen-//evil.example")).toEqual([]);
});

test("a key, a model and an amount lead to what can be done with them", () => {
  const ways = (typed: string) =>
    find(typed).flatMap(({ title, run }) => ("href" in run ? [`${title} ${run.href}`] : []));
  expect(ways("large acme")).toEqual([
    "Acme Large /models/acme/large",
    "Playground /playground?model=acme%2Flarge",
    "Requests /logs?models=acme%2Flarge",
    "Usage /usage?models=acme%2Flarge",
  ]);
  expect(ways("production").slice(1)).toEqual([
    "Requests /logs?keys=k1",
    "Usage /usage?keys=k1",
    "Edit name and limits /keys/k1?do=key-edit",
    "Rotate secret /keys/k1?do=key-rotate",
    "Revoke /keys/k1?do=key-revoke",
    "Move to another project /keys/k1?do=key-move",
  ]);
  expect(ways("$0.25")[0]).toBe("Requests that cost at least $0.25 /logs?minCost=0.25");
  expect(ways("invite")).toEqual(["Invite a member /settings/members?do=invite-member"]);
  expect(ways("send invitation")).toEqual(ways("invite"));
  expect(ways("guardrails")[0]).toBe("Guardrails /settings/guardrails");
});

test("a member is found by name or email and leads to what the members' page offers", () => {
  const ways = (typed: string, some: Partial<Known> = {}) =>
    findEntries(entriesOf({ ...known, ...some }), typed, [])
      .filter(({ group }) => group.startsWith("With "))
      .flatMap(({ title, run }) => ("href" in run ? [`${title} ${run.href}`] : []));
  for (const typed of ["grace", "grace@example.com"]) expect(titles(find(typed))[0]).toBe("Grace");
  expect(ways("grace")).toEqual([
    "Change role /settings/members?do=member-role&of=m1",
    "Change projects /settings/members?do=member-projects&of=m1",
    "Offer ownership /settings/members?do=member-offer&of=m1",
    "Remove /settings/members?do=member-remove&of=m1",
    "Set budget /budgets?do=set-budget&of=m1",
  ]);
  const { "account.own": _, ...admin } = known.permissions;
  expect(ways("owner@", { permissions: admin })).toEqual([
    "Set budget /budgets?do=set-budget&of=m2",
  ]);
  expect(ways("grace", { permissions: admin, severalProjects: false })).toHaveLength(3);
  expect(ways("grace", { permissions: { "members.read": "all" } })).toEqual([]);
});

test("what a role may not change is not offered: no action, and no way of a key or model", () => {
  const few = entriesOf({ ...known, permissions: {}, isOrganization: false, hasProviders: false });
  const ofPerson = few.filter(({ group }) => group === "Actions").map(({ id }) => id);
  expect(ofPerson).toEqual([
    "do:change-profile",
    "do:change-email",
    "do:change-password",
    "do:add-passkey",
    "do:add-app",
    "do:sign-out-everywhere",
    "do:download-data",
    "do:delete-account",
    "do:theme",
    "do:createOrganization",
    "do:shortcuts",
    "do:signOut",
  ]);
  expect(few.flatMap(({ ways = [] }) => ways)).toEqual([]);
  // A developer changes the guardrails of their own keys, not that of the account.
  const developer = entriesOf({ ...known, permissions: { "guardrails.change": "own" } });
  expect(developer.map(({ id }) => id)).not.toContain("do:set-guardrail");
});

test("of equally good results the recent one comes first", () => {
  expect(titles(find("create"))[0]).toBe("Create API Key");
  expect(titles(find("create", ["do:create-project"]))[0]).toBe("Create project");
});

test("recent choices come first, without those that no longer exist", () => {
  for (const id of ["model:acme/large", "key:gone", "page:wallet"]) writeRecent(id);
  expect(titles(find("", readRecent())).slice(0, 3)).toEqual(["Wallet", "Acme Large", "Overview"]);
  localStorage.setItem("palette-recent", '{"a":1}');
  expect(readRecent()).toEqual([]);
});

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
  switchSingleKeys(true);
  window.history.replaceState(null, "", "/");
});

/** Not queried by role: it is hidden behind the dialog. */
const place = () => document.querySelector("h1")?.textContent;

function open(): void {
  const fake = async () => await new Promise<Response>(() => undefined);
  globalThis.fetch = Object.assign(fake, { preconnect: () => undefined });
  const client = new QueryClient();
  render(() => (
    <QueryClientProvider client={client}>
      <Router>
        <Route path="*" component={Place} />
      </Router>
    </QueryClientProvider>
  ));
}

function Place() {
  const location = useLocation();
  const [shown, setShown] = createSignal(false);
  const [help, setHelp] = createSignal(0);
  useGoKeys({ openPalette: () => setShown(true), openShortcuts: () => setHelp(help() + 1) });
  return (
    <>
      <h1>{location.pathname}</h1>
      <output>{help()}</output>
      <input aria-label="Field" data-page-search="" />
      <Palette open={shown()} onOpenChange={setShown} onShortcuts={() => undefined} />
    </>
  );
}

test("Ctrl+K, some letters and Enter go to the page", async () => {
  open();
  await userEvent.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox");
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.keyboard("wal");
  const first = screen.getAllByRole("option")[0];
  expect(first?.textContent).toContain("Wallet");
  expect(field.getAttribute("aria-activedescendant")).toBe(first?.id ?? "none");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/wallet"));
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  expect(readRecent()).toEqual(["page:wallet"]);
});

test("a choice that exists only for what is typed takes no recent place", async () => {
  open();
  await userEvent.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox");
  await userEvent.keyboard("req_0192abcdef");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/logs"));
  expect(readRecent()).toEqual([]);
});

test("arrows move through the results and wrap around", async () => {
  open();
  await userEvent.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox");
  const active = () =>
    screen
      .getAllByRole("option")
      .findIndex((option) => option.getAttribute("aria-selected") === "true");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  expect(active()).toBe(2);
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}");
  expect(active()).toBe(screen.getAllByRole("option").length - 1);
});

test("g and a letter navigate, but not while typing and not when switched off", async () => {
  open();
  await userEvent.keyboard("gu");
  await waitFor(() => expect(place()).toBe("/usage"));
  await userEvent.keyboard("?");
  expect(document.querySelector("output")?.textContent).toBe("1");
  await userEvent.keyboard("/");
  expect(document.activeElement).toBe(screen.getByLabelText("Field"));
  await userEvent.keyboard("gk?");
  expect(screen.getByLabelText("Field")).toHaveProperty("value", "gk?");
  expect(place()).toBe("/usage");
  screen.getByLabelText("Field").blur();
  switchSingleKeys(false);
  await userEvent.keyboard("gk?");
  expect(place()).toBe("/usage");
  expect(document.querySelector("output")?.textContent).toBe("1");
});
