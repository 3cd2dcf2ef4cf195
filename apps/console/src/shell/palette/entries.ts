// Everything the palette can find: pages, actions, accounts, keys, models, docs, and a request by its id.
import type { Answers } from "../../lib/api.ts";
import { docGroups } from "../../lib/docs/doc-list.ts";
import { rank } from "../../lib/match.ts";
import type { Me } from "../../lib/session.ts";
import { nameOfAccount } from "../name-of-account.ts";
import type { Page } from "../page.ts";
import { pageNames } from "../page-names.ts";
import type { navPages } from "../routes.ts";

export type PaletteAction = "theme" | "shortcuts" | "signOut";

export type Entry = {
  /** Remembered among the recent ones. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly note?: string;
  readonly hint?: string;
  readonly run:
    | { readonly href: string }
    | { readonly action: PaletteAction }
    /** Another account is another document. */
    | { readonly account: Account };
};

type Model = Pick<Answers["models"]["list"][number], "id" | "name">;
type Account = Pick<Me["accounts"][number], "kind" | "slug" | "name">;
type Key = { readonly id: string; readonly name: string; readonly masked: string };

export type Known = {
  /** Those that may be seen. */
  readonly pages: readonly (typeof navPages)[number][];
  readonly settings: readonly Page[];
  readonly keys: readonly Key[];
  readonly models: readonly Model[];
  /** The others this person belongs to. */
  readonly accounts: readonly Account[];
  readonly dark: boolean;
};

export function entriesOf({
  pages,
  settings,
  keys,
  models,
  accounts,
  dark,
}: Known): readonly Entry[] {
  return [
    ...pages.map((page) => ({
      id: `page:${page.id}`,
      group: "Pages",
      title: pageNames[page.id],
      ...(page.nav.shortcut && { hint: `G ${page.nav.shortcut.toUpperCase()}` }),
      run: { href: page.nav.href ?? page.path },
    })),
    ...settings.map(({ id, path }) => ({
      id: `page:${id}`,
      group: "Settings",
      title: pageNames[id],
      run: { href: path },
    })),
    ...actions(dark, [...pages, ...settings]),
    ...accounts.map((account) => ({
      id: `account:${account.slug}`,
      group: "Accounts",
      title: `Switch to ${nameOfAccount(account)}`,
      run: { account },
    })),
    ...keys.map((key) => ({
      id: `key:${key.id}`,
      group: "API keys",
      title: key.name,
      note: key.masked,
      run: { href: `/keys/${key.id}` },
    })),
    ...models.map((model) => ({
      id: `model:${model.id}`,
      group: "Models",
      title: model.name,
      note: model.id,
      run: { href: `/models/${model.id}` },
    })),
    ...docGroups
      .flatMap(({ docs }) => docs)
      .map((doc) => ({
        id: `doc:${doc.id}`,
        group: "Docs",
        title: doc.title,
        run: { href: doc.href },
      })),
  ];
}

/** What begins on a page, for those who may see it. */
const begun: readonly {
  readonly page: Page["id"];
  readonly title: string;
  readonly href: string;
}[] = [
  { page: "keys", title: "Create API Key", href: "/keys?create=1" },
  { page: "wallet", title: "Add funds", href: "/wallet?add=1" },
  { page: "wallet", title: "Set up automatic top-up", href: "/wallet" },
  { page: "budgets", title: "Set a budget", href: "/budgets" },
  { page: "projects", title: "Create a project", href: "/projects" },
  { page: "members", title: "Invite a member", href: "/settings/members" },
  { page: "webhooks", title: "Add a webhook endpoint", href: "/settings/webhooks" },
  { page: "managementKeys", title: "Create a management key", href: "/settings/management-keys" },
  { page: "security", title: "Add a passkey or second factor", href: "/settings/security" },
  { page: "security", title: "Change password", href: "/settings/security" },
];

function actions(dark: boolean, pages: readonly Pick<Page, "id">[]): readonly Entry[] {
  const group = "Actions";
  return [
    ...begun
      .filter(({ page }) => pages.some(({ id }) => id === page))
      .map(({ title, href }) => ({ id: `do:${title}`, group, title, run: { href } })),
    {
      id: "do:theme",
      group,
      title: dark ? "Switch to the light theme" : "Switch to the dark theme",
      run: { action: "theme" },
    },
    {
      id: "do:shortcuts",
      group,
      title: "Keyboard shortcuts",
      hint: "?",
      run: { action: "shortcuts" },
    },
    { id: "do:signOut", group, title: "Sign out", run: { action: "signOut" } },
  ];
}

const shownMax = 50;

/** Best first, groups together; before anything is typed: the recent ones, then pages and actions. */
export function findEntries(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): readonly Entry[] {
  const query = typed.trim();
  if (query === "") return [...recentOf(entries, recent), ...entries.filter(isFixed)];
  const found = rank(entries, query, (entry) => `${entry.title} ${entry.note ?? ""}`);
  const ways = found.slice(0, bestCount).flatMap(waysFrom);
  return [...requestOf(query), ...costOf(query), ...groupTogether(found), ...ways].slice(
    0,
    shownMax,
  );
}

/** Of the best results: what else can be done with the key or model. */
const bestCount = 2;

function waysFrom({ id, title }: Entry): readonly Entry[] {
  const [kind = "", ...rest] = id.split(":");
  const of = encodeURIComponent(rest.join(":"));
  const ways = {
    key: [
      ["Requests", `/logs?keys=${of}`],
      ["Usage", `/usage?keys=${of}`],
      ["Limits", `/keys/${of}?edit=1`],
    ],
    model: [
      ["Playground", `/playground?model=${of}`],
      ["Requests", `/logs?models=${of}`],
      ["Usage", `/usage?models=${of}`],
    ],
  };
  if (kind !== "key" && kind !== "model") return [];
  return ways[kind].map(([name = "", href = ""]) => ({
    ...{ id: `way:${href}`, group: `With ${title}`, title: name, run: { href } },
  }));
}

/** An amount is looked for among the costs of requests. */
function costOf(query: string): readonly Entry[] {
  const amount = /^\$?(\d{1,6}(?:\.\d{1,9})?)$/.exec(query)?.[1];
  if (amount === undefined) return [];
  const title = `Requests that cost at least $${amount}`;
  return [{ id: "request", group: "Requests", title, run: { href: `/logs?minCost=${amount}` } }];
}

function recentOf(entries: readonly Entry[], recent: readonly string[]): readonly Entry[] {
  return recent
    .flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
    .map((entry) => ({ ...entry, id: `recent:${entry.id}`, group: "Recent" }));
}

function isFixed(entry: Entry): boolean {
  return entry.group !== "Settings" && /^(?:page|do):/.test(entry.id);
}

/** Groups in the order of their best entry. */
function groupTogether(found: readonly Entry[]): readonly Entry[] {
  return [...Map.groupBy(found, (entry) => entry.group).values()].flat();
}

/** `gen-…` is one request; `req_…`, of an answer's header, is found by the filter of Logs. */
function requestOf(query: string): readonly Entry[] {
  const isRequest = /^(?:gen-|chatcmpl-|req_)[\w-]{6,120}$/.test(query);
  if (!isRequest) return [];
  const id = encodeURIComponent(query);
  const href = query.startsWith("gen-") ? `/logs?id=${id}` : `/logs?request=${id}`;
  const title = `Open request ${query}`;
  return [{ id: "request", group: "Requests", title, run: { href } }];
}
