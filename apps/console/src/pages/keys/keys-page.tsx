// Which API keys are there, and what does each spend? Their limits and spending, and creating new ones.

import { A } from "@solidjs/router";
import { type QueryObserverResult, useQueryClient } from "@tanstack/solid-query";
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo, createSignal, lazy, onCleanup, Show, Suspense } from "solid-js";
import { api } from "../../lib/api.ts";
import { decimalsOfSums, language, noData } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { namesOf } from "../../lib/names-of.ts";
import type { PageActionId } from "../../lib/page-actions.ts";
import { useMay, useMe } from "../../lib/session.ts";
import { useShortcut } from "../../lib/shortcuts/use-shortcut.ts";
import { byNumber, type Order, orderBy, sortRows } from "../../lib/sort-rows.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { oneOf, sortBy, text, useAddress } from "../../lib/use-address.ts";
import { useQuery } from "../../lib/use-query.ts";
import { CreateButton } from "../../product/account/create-button.tsx";
import { FirstCallSnippet } from "../../product/connect/first-call-snippet.tsx";
import { type Key, KeySpend, spentUsd } from "../../product/keys/key-spend.tsx";
import { ProjectName, useSeveralProjects } from "../../product/projects/projects.tsx";
import { Time } from "../../ui/figures/figures.tsx";
import { choicesOf } from "../../ui/forms/choices.tsx";
import { PageSearch } from "../../ui/forms/text-field.tsx";
import { KeyRound } from "../../ui/icons.ts";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { MenuPlace } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { FilterBar, FilterSelect } from "../../ui/tables/filter-bar.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import type { Narrowed } from "../../ui/tables/table-states.tsx";
import { KeyStatus, statusNames } from "./key-status.tsx";
import { keysQueryKey } from "./keys-query-key.ts";
import { LeakedKeysCard } from "./leaked-keys-card.tsx";

// The dialogs load after the list is drawn.
const ProjectFilter = lazy(loadOnce(() => import("./project-field.tsx")));
const KeyMenu = lazy(loadOnce(() => import("./key-menu.tsx")));
const CreateKeyDialog = lazy(loadOnce(() => import("./create-key-dialog.tsx")));

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
    sortable: "ascending",
    cell: (key) => <span classList={{ "text-muted": isRevoked(key) }}>{key.name}</span>,
    class: "sm:min-w-32 sm:max-w-60 wrap-anywhere",
  },
  {
    id: "key",
    title: "Key",
    cell: (key) => <span translate="no">{key.masked}</span>,
    class: "font-mono text-xs whitespace-nowrap",
  },
  { id: "status", title: "Status", cell: (key) => <KeyStatus of={key} /> },
  {
    id: "spend",
    title: "Spend",
    sortable: true,
    decimals: (keys) =>
      decimalsOfSums(keys.flatMap((key) => [spentUsd(key), key.spend.total.spentUsd])),
    cell: (key, decimals) => <KeySpend of={key} decimals={decimals()} />,
  },
  {
    id: "used",
    title: "Last used",
    sortable: true,
    cell: (key) => <Time at={key.lastUsedAt} inRow />,
  },
  {
    id: "by",
    title: "Created by",
    cell: (key) => <Maker email={key.createdBy} />,
    class: "sm:max-w-44 wrap-anywhere",
  },
  {
    id: "created",
    title: "Created",
    sortable: true,
    cell: (key) => <Time at={key.createdAt} inRow />,
  },
];

const orders: Readonly<Record<string, Order<Key>>> = {
  name: orderBy(({ name }) => name, compareNames),
  // Those of limits are of different periods.
  spend: orderBy(({ spend }) => spend.total.spentUsd, compareDecimals),
  used: orderBy(({ lastUsedAt }) => timeOf(lastUsedAt), byNumber),
  created: orderBy(({ createdAt }) => timeOf(createdAt), byNumber),
};

/** "key 2" comes before "key 10". */
function compareNames(a: string, b: string): number {
  return a.localeCompare(b, language(), { numeric: true });
}

/** A key that was never used sorts as if that was before all others. */
function timeOf(at: string | null): number {
  return at === null ? 0 : Date.parse(at);
}

const liveSpendMs = 30_000;
const highlightMs = 2_000;

const fields = {
  q: text,
  status: oneOf("", namesOf(statusNames)),
  /** One. */
  projects: text,
  sort: sortBy(/^(name|spend|used|created)$/, { column: "created", descending: true }),
  do: text,
};

export default function KeysPage(): JSX.Element {
  const client = useQueryClient();
  const { get, set } = useAddress(fields);
  const [fresh, setFresh] = createSignal<string>();
  const query = useQuery(() => ({
    queryKey: [...keysQueryKey, "list", true],
    queryFn: ({ signal }) => api.keys.list.query({ includeRevoked: true }, { signal }),
    refetchInterval: liveSpendMs,
  }));
  const mayChange = useMay("keys.change");
  // The address keeps it while it is open, so that Back closes it and a reload does not.
  const open = () => {
    if (mayChange()) set({ do: "create-key" satisfies PageActionId });
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
          <CreateButton needs="keys.change" onClick={open}>
            Create API Key
          </CreateButton>
        }
      />
      <KeyList query={query} fresh={fresh()} onCreate={open} />
      {/* Not before the list, which would move it. */}
      <Show when={query.data}>
        <div class="mt-6">
          <LeakedKeysCard />
        </div>
      </Show>
      <Suspense>
        <CreateKeyDialog
          open={get("do") === "create-key" && mayChange()}
          projectId={get("projects")}
          onClose={() => set({ do: "" }, { replace: true })}
          onCreated={(id) => void created(id)}
        />
      </Suspense>
    </>
  );
}

function Maker(props: { email: string | null }): JSX.Element {
  const me = useMe();
  const isMe = () => me.data?.person.email === props.email;
  return <>{isMe() ? "You" : (props.email ?? noData)}</>;
}

const isRevoked = (key: Key) => key.status === "revoked";

type KeyListProps = {
  query: QueryObserverResult<readonly Key[], Error>;
  fresh: string | undefined;
  onCreate: () => void;
};

function KeyList(props: KeyListProps): JSX.Element {
  const { get, set, narrowedBy } = useAddress(fields);
  const mayChange = useMay("keys.change");
  const narrowed = narrowedBy(["q", "status", "projects"]);
  const several = useSeveralProjects();
  const shownColumns = () => (several() ? columns.toSpliced(2, 0, projectColumn) : columns);
  const keys = createStableRows(() => props.query.data ?? []);
  const shown = createMemo(() => {
    const words = get("q").trim().toLowerCase();
    const found = keys().filter(
      ({ name, masked, status, projectId }) =>
        ["", status].includes(get("status")) &&
        ["", projectId].includes(get("projects")) &&
        `${name} ${masked}`.toLowerCase().includes(words),
    );
    // Revoked keys stay listed, below all others.
    return sortRows(found, orders, get("sort")).toSorted(
      (a, b) => Number(isRevoked(a)) - Number(isRevoked(b)),
    );
  });
  return (
    <TableCard
      query={props.query}
      what="your API keys"
      empty={<NoKeys onCreate={props.onCreate} />}
      nothing={keys().length === 0}
      filters={<KeyFilters narrowed={narrowed} />}
      narrowed={narrowed}
      none="No keys match."
      caption="Your API keys"
      columnsKey="keys"
      columns={shownColumns()}
      rows={shown}
      rowKey={(key) => key.id}
      rowHref={(key) => `/keys/${key.id}`}
      highlighted={props.fresh}
      sort={get("sort")}
      onSort={(sort) => set({ sort }, { replace: true })}
      actions={(key) => (
        <Show when={mayChange()}>
          <Suspense fallback={<MenuPlace />}>
            <KeyMenu of={key} />
          </Suspense>
        </Show>
      )}
    />
  );
}

function NoKeys(props: { onCreate: () => void }): JSX.Element {
  return (
    <EmptyState
      title="No keys yet. Create a key to call the API."
      icon={<KeyRound class="size-5" />}
      action={
        <CreateButton needs="keys.change" plain onClick={props.onCreate}>
          Create API Key
        </CreateButton>
      }
      link={
        <A href="/docs" class="link">
          Read the quickstart
        </A>
      }
    >
      <FirstCallSnippet label="First request" />
    </EmptyState>
  );
}

function KeyFilters(props: { narrowed: Narrowed }): JSX.Element {
  const { get, set } = useAddress(fields);
  return (
    <FilterBar narrowed={props.narrowed} inCard>
      <PageSearch
        label="Search keys"
        class="w-full sm:w-64"
        value={get("q")}
        onInput={(q) => set({ q }, { replace: true })}
      />
      <FilterSelect
        label="Status"
        value={get("status")}
        onChange={(status) => set({ status })}
        any="All statuses"
        choices={choicesOf(statusNames)}
      />
      <Suspense>
        <ProjectFilter value={get("projects")} onChange={(projects) => set({ projects })} />
      </Suspense>
    </FilterBar>
  );
}
