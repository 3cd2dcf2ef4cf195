// Whatever state a table is in, it says so and what can be done about it.
import { expect, test } from "bun:test";
import { render, screen, within } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { createSignal, type JSX } from "solid-js";
import { useAnswer } from "../../lib/use-query.ts";
import { FilterBar, FilterSelect } from "./filter-bar.tsx";
import { PagedCard } from "./paged-card.tsx";
import type { Column } from "./table.tsx";
import { TableCard } from "./table-card.tsx";

type Row = { readonly id: string };
const columns: readonly Column<Row>[] = [{ id: "id", title: "Name", cell: ({ id }) => id }];
const all: readonly Row[] = [{ id: "alpha" }, { id: "beta" }];
const kinds = [
  { value: "alpha", label: "Only alpha" },
  { value: "gamma", label: "Only gamma" },
];

function open(page: () => JSX.Element) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(() => <QueryClientProvider client={client}>{page()}</QueryClientProvider>);
  return userEvent.setup();
}

/** A list that is narrowed by a field. */
function List(props: { ask: () => Promise<readonly Row[]> }): JSX.Element {
  const [kind, setKind] = createSignal("");
  const narrowed = { filterCount: () => (kind() === "" ? 0 : 1), clear: () => setKind("") };
  const query = useAnswer(["rows"], () => props.ask());
  return (
    <TableCard
      title="Things"
      query={query}
      what="the things"
      empty="No things yet."
      nothing={query.data?.length === 0}
      filters={
        <FilterBar narrowed={narrowed} inCard>
          <FilterSelect label="Kind" value={kind()} onChange={setKind} any="All" choices={kinds} />
        </FilterBar>
      }
      narrowed={narrowed}
      none="No things match."
      columns={columns}
      rows={(rows: readonly Row[]) => rows.filter(({ id }) => ["", id].includes(kind()))}
      rowKey={({ id }) => id}
    />
  );
}

const names = () =>
  within(screen.getByRole("table", { name: "Things" }))
    .getAllByRole("rowheader")
    .map(({ textContent }) => textContent);

test("a table that loads is a skeleton, and then its rows", async () => {
  const loading = Promise.withResolvers<readonly Row[]>();
  open(() => <List ask={() => loading.promise} />);
  screen.getByText("Loading…");
  expect(screen.queryByText("No things yet.")).toBeNull();
  loading.resolve(all);
  await screen.findByRole("table", { name: "Things" });
  expect(names()).toEqual(["alpha", "beta"]);
  expect(screen.queryByText("Loading…")).toBeNull();
});

test("one that failed says what, and tries again", async () => {
  let asked = 0;
  const user = open(() => (
    <List
      ask={async () => {
        asked += 1;
        if (asked === 1) throw new Error("gone");
        return all;
      }}
    />
  ));
  await screen.findByText("Couldn't load the things.");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("table", { name: "Things" });
  expect(names()).toEqual(["alpha", "beta"]);
});

test("without any rows there is nothing to filter", async () => {
  open(() => <List ask={async () => []} />);
  await screen.findByText("No things yet.");
  expect(screen.queryByRole("combobox")).toBeNull();
});

test("where the filter leaves no row, it stays, and clearing it shows all rows", async () => {
  const user = open(() => <List ask={async () => all} />);
  const kind = await screen.findByRole("combobox", { name: "Kind" });
  expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
  await user.selectOptions(kind, "Only gamma");
  const none = screen.getByText("No things match.");
  expect(document.contains(kind)).toBe(true);
  await user.click(
    within(none.parentElement ?? none).getByRole("button", { name: "Clear filters" }),
  );
  expect(names()).toEqual(["alpha", "beta"]);
  await user.selectOptions(kind, "Only alpha");
  expect(names()).toEqual(["alpha"]);
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(names()).toEqual(["alpha", "beta"]);
});

test("pages are added below, while what narrows them stays above all", async () => {
  const user = open(() => (
    <PagedCard
      title="Things"
      caption="Things"
      filters={<p>Above</p>}
      queryKey={["pages"]}
      load={async ({ cursor }) =>
        cursor === undefined
          ? { rows: [{ id: "alpha" }], nextCursor: "next" }
          : { rows: [{ id: "beta" }], nextCursor: null }
      }
      what="the things"
      empty="No things yet."
      columns={columns}
    />
  ));
  await user.click(await screen.findByRole("button", { name: "Show more" }));
  await screen.findByText("beta");
  expect(screen.getAllByText("Above")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});
