// Everything the palette can find: pages, actions, accounts, keys, models, docs, and a request by its id.
import type { Answers } from "../../lib/api.ts";
import { docGroups } from "../../lib/docs/doc-list.ts";
import { rank } from "../../lib/match.ts";
import type { Me } from "../../lib/session.ts";
import { nameOfAccount } from "../name-of-account.ts";
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
  readonly keys: readonly Key[];
  readonly models: readonly Model[];
  /** The others this person belongs to. */
  readonly accounts: readonly Account[];
  readonly dark: boolean;
};

export function entriesOf({ pages, keys, models, accounts, dark }: Known): readonly Entry[] {
  return [
    ...pages.map((page) => ({
      id: `page:${page.id}`,
      group: "Pages",
      title: pageNames[page.id],
      ...(page.nav.shortcut && { hint: `G ${page.nav.shortcut.toUpperCase()}` }),
      run: { href: page.nav.href ?? page.path },
    })),
    ...actions(dark),
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

function actions(dark: boolean): readonly Entry[] {
  const group = "Actions";
  return [
    { id: "do:createKey", group, title: "Create API Key", run: { href: "/keys?create=1" } },
    { id: "do:addFunds", group, title: "Add funds", run: { href: "/wallet" } },
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
  return [...requestOf(query), ...groupTogether(found)].slice(0, shownMax);
}

function recentOf(entries: readonly Entry[], recent: readonly string[]): readonly Entry[] {
  return recent
    .flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
    .map((entry) => ({ ...entry, id: `recent:${entry.id}`, group: "Recent" }));
}

function isFixed(entry: Entry): boolean {
  return entry.id.startsWith("page:") || entry.id.startsWith("do:");
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
