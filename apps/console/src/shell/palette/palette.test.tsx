import { afterEach, expect, test } from "bun:test";
import { Route, Router, useLocation } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { scoreMatch } from "../../lib/match.ts";
import { switchSingleKeys } from "../../lib/shortcuts/shortcut-choice.ts";
import { navPages, pages } from "../routes.ts";
import { type Entry, entriesOf, findEntries } from "./entries.ts";
import Palette from "./palette.tsx";
import { readRecent, writeRecent } from "./recent.ts";
import { useGoKeys } from "./use-go-keys.ts";

const entries = entriesOf({
  pages: navPages,
  settings: pages.filter(({ path }) => path.startsWith("/settings/")),
  keys: [{ id: "k1", name: "production", masked: "sk-tp-9f2a…c41d" }],
  models: [
    { id: "acme/large", name: "Acme Large" },
    { id: "acme/wallaby", name: "Wallaby" },
  ],
  accounts: [{ kind: "organization", slug: "acme", name: "Acme" }],
  dark: false,
});
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
  expect(ways("production")).toContain("Requests /logs?keys=k1");
  expect(ways("$0.25")[0]).toBe("Requests that cost at least $0.25 /logs?minCost=0.25");
  expect(ways("invite")).toEqual(["Invite a member /settings/members"]);
  expect(ways("guardrails")[0]).toBe("Guardrails /settings/guardrails");
});

test("what a role may not see is not offered, and neither are its actions", () => {
  const few = entriesOf({
    pages: [],
    settings: [],
    keys: [],
    models: [],
    accounts: [],
    dark: true,
  });
  expect(titles(few.filter(({ group }) => group === "Actions"))).toEqual([
    "Switch to the light theme",
    "Keyboard shortcuts",
    "Sign out",
  ]);
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
