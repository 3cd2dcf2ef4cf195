// The API keys of the account: their limits and spending, and creating new ones.

import { A, useSearchParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, createSignal, lazy, onCleanup, Show, Suspense } from "solid-js";
import { api } from "../../lib/api.ts";
import { decimalsOfSums } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import type { PageActionId } from "../../lib/page-actions.ts";
import { useMay, useMe } from "../../lib/session.ts";
import { useShortcut } from "../../lib/shortcuts/use-shortcut.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Time } from "../../ui/figures.tsx";
import { KeyRound, Plus } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { MenuPlace } from "../../ui/skeleton.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { FirstCallSnippet } from "../shared/first-call-snippet.tsx";
import { type Key, KeySpend, spentUsd } from "../shared/key-spend.tsx";
import { ProjectName, useSeveralProjects } from "../shared/projects.tsx";
import type { KeyChange } from "./change-key-dialogs.tsx";
import { KeyStatus, statusNames } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";

// The dialogs load after the list is drawn.
const ProjectFilter = lazy(
  loadOnce(async () => ({ default: (await import("./project-field.tsx")).ProjectFilter })),
);
const KeyMenu = lazy(loadOnce(() => import("./key-menu.tsx")));
const CreateKeyDialog = lazy(loadOnce(() => import("./create-key-dialog.tsx")));
const ChangeKeyDialogs = lazy(loadOnce(() => import("./change-key-dialogs.tsx")));

const projectColumn: Column<Key> = {
  id: "project",
  title: "Project",
  cell: (key) => <ProjectName id={key.projectId} />,
  class: "sm:min-w-28 sm:max-w-44 wrap-anywhere",
};

const columns: readonly Column<Key>[] = [
  {
    id: "name",
    title: "Name",
    cell: (key) => <span classList={{ "text-muted": isRevoked(key) }}>{key.name}</span>,
    class: "sm:min-w-32 sm:max-w-60 wrap-anywhere",
  },
  {
    id: "key",
    title: "Key",
    cell: (key) => key.masked,
    class: "font-mono text-xs whitespace-nowrap",
  },
  { id: "status", title: "Status", cell: (key) => <KeyStatus of={key} /> },
  {
    id: "spend",
    title: "Spend",
    decimals: (keys) => decimalsOfSums(keys.map(spentUsd)),
    cell: (key, decimals) => <KeySpend of={key} decimals={decimals()} />,
  },
  { id: "used", title: "Last used", cell: (key) => <Time at={key.lastUsedAt} inRow /> },
  {
    id: "by",
    title: "Created by",
    cell: (key) => <Maker email={key.createdBy} />,
    class: "sm:max-w-44 wrap-anywhere",
  },
  { id: "created", title: "Created", cell: (key) => <Time at={key.createdAt} inRow /> },
];

const liveSpendMs = 30_000;
const highlightMs = 2_000;
const statuses = ["active", "disabled", "expired", "limit_reached", "revoked"] as const;

type KeysParams = { q?: string; status?: string; projects?: string };

export default function KeysPage(): JSX.Element {
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams<KeysParams & { do?: string }>();
  const [change, setChange] = createSignal<KeyChange>();
  const [fresh, setFresh] = createSignal<string>();
  const status = () => statuses.find((known) => known === search.status);
  const query = useQuery(() => ({
    queryKey: [...keysQueryKey, "list", true],
    queryFn: ({ signal }) => api.keys.list.query({ includeRevoked: true }, { signal }),
    refetchInterval: liveSpendMs,
  }));
  const mayChange = useMay("keys.change");
  // The address keeps it while it is open, so that Back closes it and a reload does not.
  const open = () => {
    if (mayChange()) setSearch({ do: "create-key" satisfies PageActionId });
  };
  useShortcut("c", open);
  let fading: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(fading));
  const created = async (id: string) => {
    setFresh(id);
    await client.invalidateQueries({ queryKey: keysQueryKey });
    document.querySelector<HTMLElement>(`[data-row="${id}"] a`)?.focus();
    clearTimeout(fading);
    fading = setTimeout(() => setFresh(undefined), highlightMs);
  };
  return (
    <>
      <PageHeader
        description="Keys let your programs call the API and spend from your Wallet."
        actions={
          <Show when={mayChange()}>
            <Button
              variant="primary"
              icon={<Plus class="size-4" aria-hidden="true" />}
              onClick={open}
            >
              Create API Key
            </Button>
          </Show>
        }
      />
      <Card flush>
        <Loaded query={query} what="your API keys">
          {(keys) => (
            <KeyList
              keys={keys()}
              status={status()}
              fresh={fresh()}
              onCreate={open}
              onChange={setChange}
            />
          )}
        </Loaded>
      </Card>
      <Suspense>
        <CreateKeyDialog
          open={search.do === "create-key" && mayChange()}
          projectId={search.projects}
          onClose={() => setSearch({ do: undefined }, { replace: true })}
          onCreated={(id) => void created(id)}
        />
        <ChangeKeyDialogs change={change()} onClose={() => setChange(undefined)} />
      </Suspense>
    </>
  );
}

function Maker(props: { email: string | null }): JSX.Element {
  const me = useMe();
  const isMe = () => me.data?.person.email === props.email;
  return <>{isMe() ? "You" : (props.email ?? "—")}</>;
}

const isRevoked = (key: Key) => key.status === "revoked";

type KeyListProps = {
  keys: readonly Key[];
  /** The chosen filter. */
  status: Key["status"] | undefined;
  fresh: string | undefined;
  onCreate: () => void;
  onChange: (change: KeyChange) => void;
};

function KeyList(props: KeyListProps): JSX.Element {
  const [search, setSearch] = useSearchParams<KeysParams>();
  const mayChange = useMay("keys.change");
  const several = useSeveralProjects();
  const shownColumns = () => (several() ? columns.toSpliced(2, 0, projectColumn) : columns);
  const keys = createStableRows(() => props.keys);
  const shown = createMemo(() => {
    const words = (search.q ?? "").trim().toLowerCase();
    const found = keys().filter(
      (key) =>
        (props.status === undefined || key.status === props.status) &&
        (!search.projects || key.projectId === search.projects) &&
        `${key.name} ${key.masked}`.toLowerCase().includes(words),
    );
    // Revoked keys stay listed, below all others.
    return found.toSorted((a, b) => Number(isRevoked(a)) - Number(isRevoked(b)));
  });
  const clear = () => setSearch({ q: undefined, status: undefined, projects: undefined });
  return (
    <Show
      when={props.keys.length > 0 || props.status !== undefined}
      fallback={
        <EmptyState
          title="No keys yet. Create a key to call the API."
          icon={<KeyRound class="size-5" />}
          action={
            <Show when={mayChange()}>
              <Button variant="primary" onClick={props.onCreate}>
                Create API Key
              </Button>
            </Show>
          }
          link={
            <A href="/docs" class="link">
              Read the quickstart
            </A>
          }
        >
          <FirstCallSnippet label="First request" />
        </EmptyState>
      }
    >
      <KeyFilters />
      <Show
        when={shown().length > 0}
        fallback={
          <EmptyState
            title="No keys match."
            action={<Button onClick={clear}>Clear filters</Button>}
          />
        }
      >
        <Table
          caption="Your API keys"
          columnsKey="keys"
          columns={shownColumns()}
          rows={shown()}
          rowKey={(key) => key.id}
          rowHref={(key) => `/keys/${key.id}`}
          highlighted={props.fresh}
          actions={(key) => (
            <Show when={mayChange()}>
              <Suspense fallback={<MenuPlace />}>
                <KeyMenu of={key} onChange={props.onChange} />
              </Suspense>
            </Show>
          )}
        />
      </Show>
    </Show>
  );
}

function KeyFilters(): JSX.Element {
  const [search, setSearch] = useSearchParams<KeysParams>();
  const choices = [
    { value: "", label: "All statuses" },
    ...statuses.map((value) => ({ value: String(value), label: statusNames[value] })),
  ];
  return (
    <div class="flex flex-wrap gap-2 border-b border-border px-5 py-3">
      <input
        type="search"
        aria-label="Search keys"
        placeholder="Search keys"
        data-page-search=""
        class="field h-8! w-full text-sm! sm:w-64"
        value={search.q ?? ""}
        onInput={(event) =>
          setSearch({ q: event.currentTarget.value || undefined }, { replace: true })
        }
      />
      <SelectControl
        label="Status"
        small
        value={search.status ?? ""}
        onChange={(status) => setSearch({ status: status || undefined })}
        choices={choices}
      />
      <Suspense>
        <ProjectFilter
          value={search.projects ?? ""}
          onChange={(projects) => setSearch({ projects: projects || undefined })}
        />
      </Suspense>
    </div>
  );
}
