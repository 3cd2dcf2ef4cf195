// The command palette: jumps to any page, key, model, doc or request, and runs frequent actions.
import { useNavigate } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, createSignal, Show } from "solid-js";
import { accountBase, addressOf, openAccount } from "../../lib/account-address.ts";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { useModels } from "../../lib/queries.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay, useMe } from "../../lib/session.ts";
import { forgetConversations } from "../../lib/stored-conversations.ts";
import { setTheme } from "../../lib/theme.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SearchList } from "../../ui/search-list.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useNavPages, usePermitted } from "../navigation.tsx";
import { pages as allPages } from "../routes.ts";
import { type Entry, entriesOf, findEntries, type PaletteAction } from "./entries.ts";
import { readRecent, writeRecent } from "./recent.ts";

const settingsPages = allPages.filter(({ path }) => path.startsWith("/settings/"));

type PaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onShortcuts: () => void;
};

export default function Palette(props: PaletteProps): JSX.Element {
  let input: HTMLInputElement | undefined;
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Search or jump to…"
      flush
      initialFocus={() => input}
    >
      <Show when={props.open}>
        <Finder
          {...props}
          inputRef={(element) => {
            input = element;
          }}
        />
      </Show>
    </Dialog>
  );
}

function Finder(
  props: PaletteProps & { inputRef: (element: HTMLInputElement) => void },
): JSX.Element {
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
      if ("href" in what) navigate(what.href);
      else if ("account" in what) openAccount(what.account);
      else actions[what.action]();
    });
  };
  return (
    <SearchList
      label="Search or jump to…"
      placeholder="A page, an action, a key, a model, a request id"
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
  const mayReadKeys = useMay("keys.read");
  // The same query as on the keys page, so that it is fetched once.
  const keys = useQuery(() => ({
    queryKey: ["keys", "list", false],
    queryFn: ({ signal }) => api.keys.list.query({ includeRevoked: false }, { signal }),
    enabled: mayReadKeys(),
  }));
  return createMemo(() =>
    entriesOf({
      pages: pages(),
      settings: settings(),
      models: models.data ?? [],
      accounts: (me.data?.accounts ?? []).filter(({ slug }) => slug !== me.data?.account?.slug),
      keys: keys.data ?? [],
      dark: isDark(),
    }),
  );
}

function useActions(props: PaletteProps): Readonly<Record<PaletteAction, () => void>> {
  const signOut = useMutation(() => ({
    mutationFn: () => api.auth.logout.mutate(),
    // A full page load: nothing of this person stays in memory or in the browser.
    onSuccess: () => {
      forgetConversations();
      location.assign("/login");
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return {
    theme: () => setTheme(isDark() ? "light" : "dark"),
    shortcuts: () => props.onShortcuts(),
    signOut: () => signOut.mutate(),
  };
}

function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}
