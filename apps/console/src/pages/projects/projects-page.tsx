// How are keys grouped, and what does each group spend? The projects of the account, and changing them.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, lazy, Show, Suspense } from "solid-js";
import { api } from "../../lib/api.ts";
import { decimalsOfSums, formatCount, noData } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useAccount, useMay, useTimeZone } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { resolveRange } from "../../lib/time-range.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useQuery } from "../../lib/use-query.ts";
import { CreateButton } from "../../product/account/create-button.tsx";
import { describeRates } from "../../product/limits/rate-limits.tsx";
import { type Project, useProjects } from "../../product/projects/use-projects.ts";
import { Money, Time } from "../../ui/figures/figures.tsx";
import { Badge, StatusPill } from "../../ui/figures/status-pill.tsx";
import { Checkbox } from "../../ui/forms/choices.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { MenuPlace, SkeletonRows } from "../../ui/states/skeleton.tsx";
import { FilterBar } from "../../ui/tables/filter-bar.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { createProject } from "./project-changes.tsx";

// Loaded after the list is drawn.
const ProjectMenu = lazy(loadOnce(() => import("./project-menu.tsx")));

type Row = Project & { readonly costUsd: string | undefined };

/** More are shown, none is left out. */
const narrowed = { filterCount: () => 0, clear: () => undefined };

const spendRange = { name: "30d" } as const;

export default function ProjectsPage(): JSX.Element {
  const query = useProjects();
  const mayChange = useMay("projects.change");
  const [fresh, setFresh] = createSignal<string>();
  useAsked("create-project", () => mayChange() && createProject(setFresh));
  return (
    <>
      <PageHeader
        description="Projects group API keys, so that usage, logs and budgets can be seen and set for each of them."
        actions={
          <CreateButton needs="projects.change" onClick={() => createProject(setFresh)}>
            Create project
          </CreateButton>
        }
      />
      <ProjectList query={query} fresh={fresh()} onChanged={setFresh} />
    </>
  );
}

type ProjectListProps = {
  query: ReturnType<typeof useProjects>;
  fresh: string | undefined;
  onChanged: (id?: string) => void;
};

function ProjectList(props: ProjectListProps): JSX.Element {
  const mayChange = useMay("projects.change");
  const spendOf = useSpend();
  const columns = useColumns();
  const [archivedToo, setArchivedToo] = createSignal(false);
  const projects = () => props.query.data ?? [];
  const archived = () => projects().filter(({ archivedAt }) => archivedAt !== null);
  const rows = createStableRows(
    createMemo((): readonly Row[] =>
      projects()
        .filter(({ archivedAt }) => archivedToo() || archivedAt === null)
        .toSorted((a, b) => Number(a.archivedAt !== null) - Number(b.archivedAt !== null))
        .map((project) => ({ ...project, costUsd: spendOf(project.id) })),
    ),
  );
  return (
    <TableCard
      query={props.query}
      what="the projects"
      skeleton={<SkeletonRows rows={2} />}
      filters={
        <Show when={archived().length > 0}>
          <FilterBar narrowed={narrowed} inCard>
            <Checkbox label="Show archived" checked={archivedToo()} onChange={setArchivedToo} />
          </FilterBar>
        </Show>
      }
      caption="Projects"
      columns={columns()}
      rows={rows}
      rowKey={(project) => project.id}
      rowHref={(project) => `/keys?projects=${project.id}`}
      highlighted={props.fresh}
      actions={(project) => (
        <Suspense fallback={<MenuPlace />}>
          <ProjectMenu of={project} mayChange={mayChange()} onChanged={props.onChanged} />
        </Suspense>
      )}
    />
  );
}

/** By the same answer as the page of usage, whose link is in the menu. */
function useSpend(): (id: string) => string | undefined {
  const timeZone = useTimeZone();
  const mayRead = useMay("usage.read");
  const query = useQuery(() => ({
    queryKey: ["usage", "read", "projects", timeZone(), spendRange],
    queryFn: ({ signal }) => {
      const { from, to } = resolveRange(spendRange, timeZone(), new Date());
      const range = { from: from.toISOString(), to: to.toISOString(), timeZone: timeZone() };
      return api.usage.read.query({ ...range, groupBy: "project" }, { signal });
    },
    enabled: mayRead(),
  }));
  return (id) => {
    if (query.data === undefined) return undefined;
    return query.data.breakdown.find((row) => row.id === id)?.costUsd ?? "0";
  };
}

function useColumns(): () => readonly Column<Row>[] {
  const account = useAccount();
  const isOwnOnly = () => account()?.permissions["usage.read"] === "own";
  return () => [
    {
      id: "name",
      title: "Name",
      cell: (project) => project.name,
      under: (project) => (
        <For each={describeRates(project)}>
          {(limit) => <p class="text-sm text-muted">{limit}</p>}
        </For>
      ),
      class: "sm:min-w-40 wrap-anywhere",
    },
    { id: "status", title: "Status", cell: (project) => <Status of={project} /> },
    {
      id: "keys",
      title: "API keys",
      align: "end",
      cell: (project) => formatCount(project.liveKeys),
    },
    {
      id: "spend",
      title: isOwnOnly() ? "Your spend, 30 days" : "Spend, 30 days",
      align: "end",
      decimals: (rows) => decimalsOfSums(rows.map((row) => row.costUsd ?? "0")),
      cell: (project, decimals) => (
        <Show when={project.costUsd} fallback={noData}>
          {(usd) => <Money usd={usd()} kind="sum" decimals={decimals()} inRow />}
        </Show>
      ),
    },
    { id: "created", title: "Created", cell: (project) => <Time at={project.createdAt} inRow /> },
  ];
}

function Status(props: { of: Project }): JSX.Element {
  return (
    <span class="inline-flex flex-wrap items-center gap-2">
      <Show
        when={props.of.archivedAt === null}
        fallback={<StatusPill tone="neutral">Archived</StatusPill>}
      >
        <StatusPill tone="success">Active</StatusPill>
      </Show>
      <Show when={props.of.isDefault}>
        <Badge>Default</Badge>
      </Show>
    </span>
  );
}
