// The command palette: jumps to any page, member, key, model, doc or request, and begins any action of the console.
import { useNavigate } from "@solidjs/router";
import { createMemo, createSignal, type JSX, lazy, Show, Suspense } from "solid-js";
import { accountBase, addressOf, openAccount, withoutAccount } from "../../lib/account-address.ts";
import { api } from "../../lib/api.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useModels } from "../../lib/queries.ts";
import { useConfig, useMay, useMe } from "../../lib/session.ts";
import { leaveConsole } from "../../lib/stored-conversations.ts";
import { setTheme } from "../../lib/theme.ts";
import { useQuery } from "../../lib/use-query.ts";
import { useChange } from "../../ui/buttons/use-change.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { SearchList } from "../../ui/menus/search-list.tsx";
import { useNavPages, usePermitted } from "../navigation.tsx";
import { pages as allPages } from "../routes.ts";
import { type Entry, entriesOf, findEntries, type PaletteAction } from "./entries.ts";
import { readRecent, writeRecent } from "./recent.ts";

const settingsPages = allPages.filter(({ path }) => path.startsWith("/settings/"));

/** What is begun on the page that is open leaves its range and filters as they are. */
function keepView(href: string): string {
  const [path = "", asked = ""] = href.split("?");
  if (!asked.startsWith("do=") || path !== withoutAccount(location.pathname)) return href;
  const params = new URLSearchParams(location.search);
  for (const [name, value] of new URLSearchParams(asked)) params.set(name, value);
  return `${path}?${params}`;
}

type PaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onShortcuts: () => void;
};

const CreateOrganization = lazy(loadOnce(() => import("../create-organization.tsx")));

export default function Palette(props: PaletteProps): JSX.Element {
  let input: HTMLInputElement | undefined;
  const [creating, setCreating] = createSignal<boolean>();
  return (
    <>
      <Dialog
        open={props.open}
        onOpenChange={props.onOpenChange}
        title="Search or jump to…"
        search
        initialFocus={() => input}
      >
        <Show when={props.open}>
          <Finder
            {...props}
            onCreateOrganization={() => setCreating(true)}
            inputRef={(element) => {
              input = element;
            }}
          />
        </Show>
      </Dialog>
      <Show when={creating() !== undefined}>
        <Suspense>
          <CreateOrganization open={creating() === true} onOpenChange={setCreating} />
        </Suspense>
      </Show>
    </>
  );
}

type FinderProps = PaletteProps & {
  onCreateOrganization: () => void;
  inputRef: (element: HTMLInputElement) => void;
};

function Finder(props: FinderProps): JSX.Element {
  const navigate = useNavigate();
  const [typed, setTyped] = createSignal("");
  const entries = useEntries();
  const recent = readRecent();
  const found = createMemo(() => findEntries(entries(), typed(), recent));
  const actions = useActions(props);
  const run = (chosen: string, apart: boolean) => {
    const entry = found().find((one) => one.id === chosen);
    if (!entry) return;
    const id = entry.id.replace(/^recent:/, "");
    // Others exist only for what is typed.
    if (entries().some((one) => one.id === id)) writeRecent(id);
    const { run: what } = entry;
    const address = addressOfEntry(what);
    if (address !== undefined && apart) {
      window.open(address, "_blank", "noopener");
      return;
    }
    props.onOpenChange(false);
    // After the dialog has closed and returned the focus, so that the new page can take it.
    setTimeout(() => {
      if ("href" in what) navigate(keepView(what.href));
      else if ("account" in what) openAccount(what.account);
      else actions[what.action]();
    });
  };
  return (
    <SearchList
      label="Search or jump to…"
      placeholder="A page, an action, a member, a key, a model, a request id"
      query={typed()}
      onQuery={setTyped}
      options={found()}
      onRun={run}
      none="Nothing found."
      inputRef={props.inputRef}
    />
  );
}

/** Of what has a page of its own. */
function addressOfEntry(what: Entry["run"]): string | undefined {
  if ("href" in what) return accountBase + what.href;
  return "account" in what ? addressOf(what.account) : undefined;
}

function useEntries(): () => readonly Entry[] {
  const models = useModels();
  const me = useMe();
  const pages = useNavPages();
  const settings = usePermitted(settingsPages);
  const config = useConfig();
  const mayReadProjects = useMay("projects.read");
  const mayReadKeys = useMay("keys.read");
  const mayReadMembers = useMay("members.read");
  const isOrganization = () => me.data?.account?.kind === "organization";
  // The same query as on the keys page, so that it is fetched once.
  const keys = useQuery(() => ({
    queryKey: ["keys", "list", false],
    queryFn: ({ signal }) => api.keys.list.query({ includeRevoked: false }, { signal }),
    enabled: mayReadKeys(),
  }));
  // The same queries as on the pages of projects and members.
  const projects = useQuery(() => ({
    queryKey: ["projects", "list"],
    queryFn: ({ signal }) => api.projects.list.query(undefined, { signal }),
    enabled: mayReadProjects(),
  }));
  const members = useQuery(() => ({
    queryKey: ["members", "list"],
    queryFn: ({ signal }) => api.members.list.query(undefined, { signal }),
    enabled: isOrganization() && mayReadMembers(),
  }));
  return createMemo(() =>
    entriesOf({
      pages: pages(),
      settings: settings(),
      members: members.data ?? [],
      permissions: me.data?.account?.permissions ?? {},
      isOrganization: isOrganization(),
      hasProviders: (config.data?.signInProviders.length ?? 0) > 0,
      severalProjects: (projects.data?.length ?? 0) > 1,
      models: models.data ?? [],
      accounts: (me.data?.accounts ?? []).filter(({ slug }) => slug !== me.data?.account?.slug),
      keys: keys.data ?? [],
      dark: isDark(),
    }),
  );
}

function useActions(props: FinderProps): Readonly<Record<PaletteAction, () => void>> {
  const signOut = useChange(() => api.auth.logout.mutate(), { onDone: leaveConsole });
  return {
    theme: () => setTheme(isDark() ? "light" : "dark"),
    shortcuts: () => props.onShortcuts(),
    createOrganization: () => props.onCreateOrganization(),
    signOut: () => signOut.mutate(),
  };
}

function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}
