// Everything the palette can find: pages, actions, accounts, members, keys, models, docs, and a request by its id.
import type { Answers } from "../../lib/api.ts";
import { docGroups } from "../../lib/docs/doc-list.ts";
import { rank } from "../../lib/match.ts";
import { changesOf, memberChangeNames } from "../../lib/member-changes.ts";
import { listedActions } from "../../lib/page-actions.ts";
import type { Account as AccountOfPage, Me } from "../../lib/session.ts";
import { nameOfAccount } from "../name-of-account.ts";
import type { Page } from "../page.ts";
import { pageNames } from "../page-names.ts";
import type { navPages } from "../routes.ts";

export type PaletteAction = "theme" | "shortcuts" | "createOrganization" | "signOut";

export type Entry = {
  /** Remembered among the recent ones. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly note?: string;
  /** Found by it too, without showing it. */
  readonly also?: string;
  readonly hint?: string;
  readonly run:
    | { readonly href: string }
    | { readonly action: PaletteAction }
    /** Another account is another document. */
    | { readonly account: Account };
  /** What else can be done with it. */
  readonly ways?: readonly Way[];
};

type Way = readonly [title: string, href: string];
type Model = Pick<Answers["models"]["list"][number], "id" | "name" | "operation">;
type Account = Pick<Me["accounts"][number], "kind" | "slug" | "name">;
type Key = { readonly id: string; readonly name: string; readonly masked: string };
type Member = { readonly id: string } & Pick<
  Answers["members"]["list"][number],
  "name" | "email" | "role" | "isOfferedOwnership"
>;

export type Known = {
  /** Those that may be seen. */
  readonly pages: readonly (typeof navPages)[number][];
  readonly settings: readonly Page[];
  readonly keys: readonly Key[];
  readonly models: readonly Model[];
  readonly members: readonly Member[];
  /** The others this person belongs to. */
  readonly accounts: readonly Account[];
  /** Of the role in this account. */
  readonly permissions: Partial<AccountOfPage["permissions"]>;
  readonly isOrganization: boolean;
  readonly hasProviders: boolean;
  readonly severalProjects: boolean;
  readonly dark: boolean;
};

/** What people type who do not know what a page is called. */
const words: Partial<Readonly<Record<Page["id"], string>>> = {
  budgets: "limits, caps, alerts",
  connect: "Cursor, Cline, Claude Code, Codex, SDK",
  models: "prices, pricing",
  usage:
    "explore, costs, spend, tokens, latency, performance, errors, forecast, spikes, unusual days, apps, users",
  logs: "requests, errors, debug, trace",
  wallet: "billing, payments, transactions, credits",
};

export function entriesOf(known: Known): readonly Entry[] {
  const { pages, settings, keys, models, members, accounts } = known;
  return [
    ...pages.map((page) => ({
      id: `page:${page.id}`,
      group: "Pages",
      title: pageNames[page.id],
      ...(words[page.id] && { also: words[page.id] }),
      ...(page.nav.shortcut && { hint: `G ${page.nav.shortcut.toUpperCase()}` }),
      run: { href: page.nav.href ?? page.path },
    })),
    ...settings.map(({ id, path }) => ({
      id: `page:${id}`,
      group: "Settings",
      title: pageNames[id],
      run: { href: path },
    })),
    ...actions(known),
    ...accounts.map((account) => ({
      id: `account:${account.slug}`,
      group: "Accounts",
      title: `Switch to ${nameOfAccount(account)}`,
      run: { account },
    })),
    ...members.map((member) => ({
      id: `member:${member.id}`,
      group: "Members",
      title: member.name || member.email,
      ...(member.name && { note: member.email }),
      run: { href: `/settings/members?id=${member.id}` },
      ways: waysOfMember(member, known),
    })),
    ...keys.map((key) => ({
      id: `key:${key.id}`,
      group: "API keys",
      title: key.name,
      note: key.masked,
      run: { href: `/keys/${key.id}` },
      ways: waysOfKey(key, known),
    })),
    ...models.map((model) => ({
      id: `model:${model.id}`,
      group: "Models",
      title: model.name,
      note: model.id,
      run: { href: `/models/${model.id}` },
      ways: waysOfModel(model, known),
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

function actions(known: Known): readonly Entry[] {
  const group = "Actions";
  const begun = listedActions.filter(([, { needs, all, only }]) => {
    const scope = needs && known.permissions[needs];
    if (needs && (all ? scope !== "all" : scope === undefined)) return false;
    if (only === undefined) return true;
    return only === "organization" ? known.isOrganization : known.hasProviders;
  });
  const run = (action: PaletteAction) => ({ id: `do:${action}`, group, run: { action } });
  return [
    ...begun.map(([id, { title, also, path }]) => ({
      id: `do:${id}`,
      group,
      title,
      ...(also && { also }),
      run: { href: `${path}?do=${id}` },
    })),
    {
      ...run("theme"),
      title: known.dark ? "Switch to the light theme" : "Switch to the dark theme",
    },
    { ...run("createOrganization"), title: "Create organization" },
    { ...run("shortcuts"), title: "Keyboard shortcuts", hint: "?" },
    { ...run("signOut"), title: "Sign out" },
  ];
}

/** The menu of the members' page, and a budget of theirs. */
function waysOfMember(member: Member, known: Known): readonly Way[] {
  const { permissions, severalProjects } = known;
  const isOwner = permissions["account.own"] !== undefined;
  const changes = permissions["members.change"]
    ? changesOf(member, { isOwner, severalProjects })
    : [];
  return [
    ...changes.map(
      (kind): Way => [
        memberChangeNames[kind],
        `/settings/members?do=member-${kind}&of=${member.id}`,
      ],
    ),
    ...waysIf(permissions["budgets.change"], [
      ["Set budget", `/budgets?do=set-budget&of=${member.id}`],
    ]),
  ];
}

function waysOfKey({ id }: Key, { permissions, severalProjects }: Known): readonly Way[] {
  return [
    ...waysIf(permissions["logs.read"], [["Requests", `/logs?keys=${id}`]]),
    ...waysIf(permissions["usage.read"], [["Usage", `/usage?keys=${id}`]]),
    ...waysIf(permissions["keys.change"], [
      ["Edit name and limits", `/keys/${id}?do=key-edit`],
      ["Rotate secret", `/keys/${id}?do=key-rotate`],
      ["Revoke", `/keys/${id}?do=key-revoke`],
    ]),
    ...waysIf(severalProjects && permissions["keys.change"], [
      ["Move to another project", `/keys/${id}?do=key-move`],
    ]),
  ];
}

function waysOfModel(model: Model, { permissions }: Known): readonly Way[] {
  const id = encodeURIComponent(model.id);
  return [
    ...waysIf(permissions["playground.use"] && model.operation === "chat", [
      ["Playground", `/playground?model=${id}`],
    ]),
    ...waysIf(permissions["logs.read"], [["Requests", `/logs?models=${id}`]]),
    ...waysIf(permissions["usage.read"], [["Usage", `/usage?models=${id}`]]),
  ];
}

function waysIf(may: unknown, ways: readonly Way[]): readonly Way[] {
  return may ? ways : [];
}

const shownMax = 50;

/**
 * Best first, of equal ones the recent ones, groups together; before anything is typed: the recent ones, then pages and
 * actions.
 */
export function findEntries(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): readonly Entry[] {
  const query = typed.trim();
  const latest = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []);
  if (query === "") return [...latest.map(asRecent), ...entries.filter(isFixed)];
  const inOrder = [...latest, ...entries.filter((entry) => !latest.includes(entry))];
  const textOf = ({ title, also = "", note = "" }: Entry) => `${title} ${also} ${note}`;
  const found = rank(inOrder, query, textOf);
  const ways = found.slice(0, bestCount).flatMap(entriesOfWays);
  return [...requestOf(query), ...costOf(query), ...groupTogether(found), ...ways].slice(
    0,
    shownMax,
  );
}

/** Of so many of the best results: what else can be done with them. */
const bestCount = 2;

function entriesOfWays({ title, ways = [] }: Entry): readonly Entry[] {
  return ways.map(([name, href]) => ({
    id: `way:${href}`,
    group: `With ${title}`,
    title: name,
    run: { href },
  }));
}

function asRecent(entry: Entry): Entry {
  return { ...entry, id: `recent:${entry.id}`, group: "Recent" };
}

/** An amount is looked for among the costs of requests. */
function costOf(query: string): readonly Entry[] {
  const amount = /^\$?(\d{1,6}(?:\.\d{1,9})?)$/.exec(query)?.[1];
  if (amount === undefined) return [];
  const title = `Requests that cost at least $${amount}`;
  return [{ id: "request", group: "Requests", title, run: { href: `/logs?minCost=${amount}` } }];
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
