// Views of Usage by name: some to begin with, and those that were saved in this browser. A view is its address.
import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { accountBase } from "../../lib/account-address.ts";
import { useAccount } from "../../lib/session.ts";
import { readStored, writeStored } from "../../lib/stored-text.ts";
import { checkName } from "../../lib/typed-text.ts";
import { askChange } from "../../ui/dialogs/open-dialog.tsx";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../ui/menus/menu.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";

type SavedView = {
  readonly name: string;
  /** Of the address: empty, or with its `?`. */
  readonly query: string;
};

const viewsMax = 30;

/** The saved views as a browser stores them. Whatever else is stored there is ignored. */
export function parseViews(text: string | undefined): readonly SavedView[] {
  if (text === undefined) return [];
  const stored = parse(text);
  if (!Array.isArray(stored)) return [];
  return stored.filter(isView).slice(0, viewsMax);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  if (!("name" in value && "query" in value)) return false;
  const { name, query } = value;
  return typeof name === "string" && typeof query === "string" && /^(\?|$)/.test(query);
}

const path = "/usage";

const startingViews: readonly SavedView[] = [
  { name: "Spend by model and day", query: "?columns=day" },
  { name: "Spend by key and model", query: "?rows=key&columns=model" },
  { name: "Spend by member and model", query: "?rows=member&columns=model" },
  { name: "Errors by key and status", query: "?measure=errors&rows=key&columns=status" },
  { name: "p95 by model and provider", query: "?measure=p95&columns=provider" },
];

export default function SavedViews(): JSX.Element {
  const account = useAccount();
  const location = useLocation();
  // Views were first saved under the name of a page that is part of this one now.
  const key = () => `explore.${account()?.id ?? ""}`;
  const [changes, setChanges] = createSignal(0);
  const saved = () => {
    changes();
    return parseViews(readStored(key()));
  };
  const store = (views: readonly SavedView[]) => {
    writeStored(key(), views.length === 0 ? undefined : JSON.stringify(views));
    setChanges((count) => count + 1);
  };
  const current = () => saved().find(({ query }) => query === location.search);
  const save = (name: string) => {
    store([...saved().filter((view) => view.name !== name), { name, query: location.search }]);
    const isKept = saved().some((view) => view.name === name);
    showToast(
      isKept ? `Saved the view ${name}` : "This browser stores no views. Copy the link instead.",
    );
  };
  const ask = () =>
    askChange({
      title: "Save this view",
      initial: { name: "" },
      fields: [
        {
          kind: "text",
          name: "name",
          label: "Name",
          hint: "Saved in this browser. To share a view, copy its link.",
        },
      ],
      validate: ({ name }) => ({
        name: checkName(name, "Enter a name for this view.") ?? checkTaken(name, saved()),
      }),
      confirmLabel: "Save view",
      pendingLabel: "Saving…",
      run: async ({ name }) => save(name.trim()),
    });
  const forget = (view: SavedView) => {
    const { name } = view;
    store(saved().filter((one) => one.name !== name));
    showToast({
      text: `Removed the view ${name}`,
      action: { label: "Undo", run: () => store([...saved(), view]) },
    });
  };
  return (
    <Menu text={current()?.name ?? "Views"}>
      <Show when={saved().length > 0}>
        <p class="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">Saved in this browser only</p>
        <For each={saved()}>
          {({ name, query }) => <MenuLink href={path + query}>{name}</MenuLink>}
        </For>
        <MenuSeparator />
      </Show>
      <For each={startingViews}>
        {({ name, query }) => <MenuLink href={path + query}>{name}</MenuLink>}
      </For>
      <MenuSeparator />
      <Show when={current()} fallback={<MenuItem onSelect={ask}>Save this view…</MenuItem>}>
        {(view) => (
          <MenuItem onSelect={() => forget(view())}>Remove the view {view().name}</MenuItem>
        )}
      </Show>
      <MenuItem onSelect={() => copyLink(location.search)}>Copy a link to this view</MenuItem>
    </Menu>
  );
}

async function copyLink(query: string): Promise<void> {
  const address = `${globalThis.location.origin}${accountBase}${path}${query}`;
  try {
    await navigator.clipboard.writeText(address);
    showToast("Copied the link");
  } catch {
    showToast("The browser does not allow copying. Copy the address of this page instead.");
  }
}

function checkTaken(text: string, taken: readonly SavedView[]): string | undefined {
  if (taken.some(({ name }) => name === text.trim()))
    return "There is already a view with this name.";
  return taken.length >= viewsMax ? `Remove one of the ${viewsMax} views first.` : undefined;
}
