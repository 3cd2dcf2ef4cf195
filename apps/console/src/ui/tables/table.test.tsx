import { expect, spyOn, test } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { render, screen, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal, Show } from "solid-js";
import { narrowScreen } from "../../../test/narrow-screen.fixture.ts";
import { decimalsOfSums, noData } from "../../lib/format.ts";
import { Money } from "../figures/figures.tsx";
import { countColumn } from "./columns.tsx";
import { type Column, type Sort, Table } from "./table.tsx";

type Row = { id: string; cost: string };
const rows: readonly Row[] = [
  { id: "alpha", cost: "$1.24" },
  { id: "beta", cost: "$0.44" },
];
const columns: readonly Column<Row>[] = [
  { id: "id", title: "Model", cell: (row) => row.id, sortable: true },
  { id: "cost", title: "Cost", cell: (row) => row.cost, align: "end", sortable: true },
];

test("a table has a caption, headers with a scope and one link per row", () => {
  render(() => (
    <Table
      caption="Models by cost"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      rowHref={(row) => `/models/${row.id}`}
    />
  ));
  const table = screen.getByRole("table", { name: "Models by cost" });
  const headers = [...table.querySelectorAll("thead th")];
  expect(headers.map((cell) => cell.getAttribute("scope"))).toEqual(["col", "col"]);
  expect([...table.querySelectorAll("tbody th")].map((cell) => cell.getAttribute("scope"))).toEqual(
    ["row", "row"],
  );
  const links = within(table).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/models/alpha", "/models/beta"]);
});

const openable: readonly Column<Row>[] = [
  ...columns,
  { id: "act", title: "Act", cell: () => <button type="button">Filter</button> },
];

function renderOpenable(onOpen: (row: Row) => void) {
  render(() => (
    <Table
      caption="Requests"
      columns={openable}
      rows={rows}
      rowKey={(row) => row.id}
      rowHref={(row) => `/models/${row.id}`}
      onOpen={onOpen}
      actions={(row) => <button type="button">{`Menu of ${row.id}`}</button>}
    />
  ));
}

test("the whole row opens: a click in any cell is a click on its link", async () => {
  const user = userEvent.setup();
  const opened: string[] = [];
  renderOpenable((row) => opened.push(row.id));
  await user.click(screen.getByText("$0.44"));
  await user.click(screen.getByRole("link", { name: "alpha" }));
  expect(opened).toEqual(["beta", "alpha"]);
  screen.getByRole("link", { name: "beta" }).focus();
  await user.keyboard("{Enter}");
  expect(opened).toEqual(["beta", "alpha", "beta"]);
});

test("controls inside a row and selecting text do not open it", async () => {
  const user = userEvent.setup();
  const opened: string[] = [];
  renderOpenable((row) => opened.push(row.id));
  const [filter] = screen.getAllByRole("button", { name: "Filter" });
  if (filter) await user.click(filter);
  await user.click(screen.getByRole("button", { name: "Menu of beta" }));
  const cost = screen.getByText("$0.44");
  getSelection()?.selectAllChildren(cost);
  cost.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(opened).toEqual([]);
});

test("the middle button opens a row in a new tab", () => {
  const open = spyOn(window, "open").mockImplementation(() => null);
  try {
    renderOpenable(() => undefined);
    const press = { bubbles: true, button: 1 };
    screen.getByText("$0.44").dispatchEvent(new MouseEvent("auxclick", press));
    expect(open.mock.calls.map(([url]) => String(url))).toEqual([
      "http://localhost:3000/models/beta",
    ]);
  } finally {
    open.mockRestore();
  }
});

test("all amounts of a column have the same decimals, and the exact one on hover", async () => {
  const user = userEvent.setup();
  const costs: readonly Column<{ id: string; usd: string }>[] = [
    { id: "id", title: "Day", cell: (row) => row.id },
    {
      id: "usd",
      title: "Cost",
      decimals: (all) => decimalsOfSums(all.map((row) => row.usd)),
      cell: (row, decimals) => <Money usd={row.usd} decimals={decimals()} inRow />,
    },
  ];
  const [days, setDays] = createSignal([
    { id: "1", usd: "1.07" },
    { id: "2", usd: "0.871433" },
  ]);
  render(() => <Table caption="Days" columns={costs} rows={days()} rowKey={(row) => row.id} />);
  const shown = () => [...document.querySelectorAll("tbody td")].map((cell) => cell.textContent);
  expect(shown()).toEqual(["$1.0700", "$0.8714"]);
  await user.hover(screen.getByText("$0.8714"));
  expect(screen.getByRole("tooltip").textContent).toBe("$0.871433");
  setDays((before) => [...before, { id: "3", usd: "0.000047" }]);
  expect(shown()).toEqual(["$1.0700", "$0.8714", "<$0.0001"]);
});

test("a header button sorts, reverses on the second click and announces it", async () => {
  const user = userEvent.setup();
  const [sort, setSort] = createSignal<Sort>({ column: "id", descending: false });
  render(() => (
    <Table
      caption="Models"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      sort={sort()}
      onSort={setSort}
    />
  ));
  const sorts = () =>
    screen.getAllByRole("columnheader").map((cell) => cell.getAttribute("aria-sort"));
  expect(sorts()).toEqual(["ascending", "none"]);
  await user.click(screen.getByRole("button", { name: "Cost" }));
  expect(sorts()).toEqual(["none", "descending"]);
  await user.click(screen.getByRole("button", { name: "Cost" }));
  expect(sorts()).toEqual(["none", "ascending"]);
});

test("on a phone a value that the row does not have takes no line, until it has one", () => {
  onPhone(() => {
    const [count, setCount] = createSignal<number | null>(null);
    const [receipt, setReceipt] = createSignal<string>();
    const cells: readonly Column<Row>[] = [
      { id: "id", title: "Model", cell: (row) => row.id },
      { id: "cost", title: "Cost", cell: (row) => row.cost },
      {
        id: "receipt",
        title: "Receipt",
        cell: () => (
          <Show when={receipt()} fallback={noData}>
            {(url) => <a href={url()}>Open</a>}
          </Show>
        ),
      },
      { id: "note", title: "Note", cell: () => <Show when={receipt()}>Paid</Show> },
      countColumn("calls", "Calls", count),
    ];
    const one = rows.slice(0, 1);
    for (const cards of [undefined, "compact"] as const) {
      const { unmount } = render(() => (
        <Table caption="Models" cards={cards} columns={cells} rows={one} rowKey={({ id }) => id} />
      ));
      expect(screen.getByRole("listitem").textContent).toMatch(/^alphaCost(: )?\$1\.24$/);
      setCount(0);
      setReceipt("/receipt");
      const shown = screen.getByRole("listitem").textContent;
      for (const title of ["Receipt", "Note", "Calls"]) expect(shown).toContain(title);
      expect(screen.queryByText(noData)).toBeNull();
      unmount();
      setCount(null);
      setReceipt(undefined);
    }
  });
});

function onPhone(run: () => void): void {
  const widen = narrowScreen();
  try {
    run();
  } finally {
    widen();
  }
}

const titles = () => screen.queryAllByRole("term").map(({ textContent }) => textContent);

test("on a phone a row omits what its own page shows, and keeps its second line", () => {
  onPhone(() => {
    render(() => (
      <Table
        caption="Requests"
        columns={[
          { id: "name", title: "Name", cell: (row) => row.name, under: (row) => <i>{row.id}</i> },
          { id: "cost", title: "Cost", cell: () => "$1.00" },
          { id: "flags", title: "Flags", wideOnly: true, cell: () => "stream" },
        ]}
        rows={[{ id: "gen-1", name: "First" }]}
        rowKey={(row) => row.id}
      />
    ));
    expect(screen.getByText("gen-1")).toBeTruthy();
    expect(titles()).toEqual(["Cost"]);
  });
});

test("on a phone a row shows what it is sorted by, even if it is omitted otherwise", () => {
  onPhone(() => {
    const [sort, setSort] = createSignal<Sort>();
    const cells = columns.map((column) => ({ ...column, wideOnly: true }));
    render(() => (
      <Table caption="Models" columns={cells} rows={rows} rowKey={(row) => row.id} sort={sort()} />
    ));
    expect(titles()).toEqual([]);
    setSort({ column: "cost", descending: false });
    expect(titles()).toEqual(["Cost", "Cost"]);
  });
});

test("a hidden column stays hidden, and can be shown again", async () => {
  const user = userEvent.setup();
  const show = () =>
    render(() => (
      <Router>
        <Route
          path="*"
          component={() => (
            <Table
              caption="Requests"
              columnsKey="requests"
              columns={[...columns, { id: "flags", title: "Flags", cell: () => "stream" }]}
              rows={rows}
              rowKey={(row) => row.id}
            />
          )}
        />
      </Router>
    ));
  const flags = () => screen.queryAllByRole("columnheader", { name: "Flags" }).length;
  const choose = async () => {
    await user.click(await screen.findByRole("button", { name: "Columns" }));
    await user.click(await screen.findByRole("menuitemcheckbox", { name: "Flags" }));
  };
  const { unmount } = show();
  expect(flags()).toBe(1);
  await choose();
  expect([flags(), screen.queryAllByText("stream").length]).toEqual([0, 0]);
  unmount();
  show();
  await screen.findByRole("button", { name: "Columns" });
  expect(flags()).toBe(0);
  await choose();
  expect(flags()).toBe(1);
});

test("on a phone, where there are no headers, a select sorts", async () => {
  const user = userEvent.setup();
  const widen = narrowScreen();
  const [sort, setSort] = createSignal<Sort>();
  render(() => (
    <Table
      caption="Models by cost"
      columns={[
        { id: "id", title: "Model", cell: (row) => row.id, sortable: "ascending" },
        { id: "cost", title: "Cost", cell: (row) => row.cost, sortable: true },
        { id: "note", title: "Note", cell: () => "new" },
      ]}
      rows={rows}
      rowKey={(row) => row.id}
      sort={sort()}
      onSort={setSort}
    />
  ));
  widen();
  const choices = () => screen.getAllByRole("option").map(({ textContent }) => textContent);
  expect(choices()).toEqual(["Sort", "Sort: Model", "Sort: Cost"]);
  await user.selectOptions(screen.getByLabelText("Sort"), "Sort: Cost");
  expect(sort()).toEqual({ column: "cost", descending: true });
  expect(choices()).toEqual(["Sort: Model", "Sort: Cost"]);
  await user.selectOptions(screen.getByLabelText("Sort"), "Sort: Model");
  expect(sort()).toEqual({ column: "id", descending: false });
});
