import { expect, test } from "bun:test";
import { fireEvent, render, screen, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import Chart from "./chart.tsx";
import { type ChartProps, type ChartRange, createChartModel } from "./chart-model.ts";
import { csvOf } from "./chart-table.tsx";

const spend: ChartProps = {
  title: "Spend, USD per day",
  kind: "bars",
  unit: "usd",
  size: "day",
  timeZone: "UTC",
  summary: "Spend is $1.84; 2 models",
  fileName: "spend",
  buckets: [
    {
      at: "2026-03-10T00:00:00.000Z",
      groups: [
        { id: "beta", label: "beta-mini", value: "0.1" },
        { id: "alpha", label: "alpha-large", value: "0.2" },
      ],
    },
    { at: "2026-03-11T00:00:00.000Z", groups: [] },
    {
      at: "2026-03-12T00:00:00.000Z",
      groups: [
        { id: "alpha", label: "alpha-large", value: "0.8" },
        { id: "beta", label: "beta-mini", value: "0.000000001" },
      ],
    },
  ],
};

const plot = () => screen.getByRole("application");
const announced = () => plot().querySelector("[data-announced]")?.textContent;

test("CHT-1 the keyboard moves through every bucket and announces it", async () => {
  const user = userEvent.setup();
  const narrowed: ChartRange[] = [];
  render(() => <Chart {...spend} onNarrow={(range) => narrowed.push(range)} />);
  plot().focus();
  const announcements: (string | null | undefined)[] = [];
  for (let index = 0; index < 3; index += 1) {
    await user.keyboard("{ArrowRight}");
    announcements.push(announced());
  }
  expect(announcements).toEqual([
    "Mar 10: $0.30; alpha-large $0.20, beta-mini $0.10",
    "Mar 11: $0.00",
    "Mar 12: $0.8000; alpha-large $0.80, beta-mini <$0.0001",
  ]);
  await user.keyboard("{ArrowRight}{Home}{ArrowLeft}");
  expect(announced()).toStartWith("Mar 10");
  await user.keyboard("{End}{ArrowLeft}{Enter}");
  expect(narrowed).toEqual([{ from: "2026-03-11T00:00:00.000Z", to: "2026-03-12T00:00:00.000Z" }]);
  await user.keyboard("{Escape}");
  expect(announced()).toBe("");
  expect(document.activeElement).not.toBe(plot());
});

test("CHT-2 the table's totals are the exact sums of its rows", async () => {
  const user = userEvent.setup();
  render(() => <Chart {...spend} />);
  await user.click(screen.getByRole("button", { name: "View as table" }));
  const table = screen.getByRole("table", { name: "Spend, USD per day, as a table" });
  const rows = within(table)
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ["From", "Total", "alpha-large", "beta-mini"],
    ["Mar 12", "$0.800000001", "$0.800000000", "$0.000000001"],
    ["Mar 11", "$0.000000000", "$0.000000000", "$0.000000000"],
    ["Mar 10", "$0.300000000", "$0.200000000", "$0.100000000"],
    ["Total", "$1.100000001", "$1.000000000", "$0.100000001"],
  ]);
});

test("the CSV has every digit", () => {
  expect(csvOf(createChartModel(spend)).split("\r\n")).toEqual([
    "\ufefffrom,alpha-large,beta-mini,total",
    "2026-03-10T00:00:00.000Z,0.2,0.1,0.3",
    "2026-03-11T00:00:00.000Z,0,0,0",
    "2026-03-12T00:00:00.000Z,0.8,0.000000001,0.800000001",
    "",
  ]);
});

test("no series runs as a formula in a spreadsheet, by whichever name", () => {
  const groups = [{ id: "a", label: "=1+1", value: "1" }];
  const [head] = csvOf(
    createChartModel({ ...spend, buckets: [{ at: "2026-03-10T00:00:00.000Z", groups }] }),
  ).split("\r\n");
  expect(head).toBe(`\ufefffrom,"'=1+1",total`);
});

test("a chart without data shows that, and one with data does not", () => {
  const words = "No data in this period";
  const none = spend.buckets.map((bucket) => ({ ...bucket, groups: [] }));
  const zero = none.map((bucket) => ({
    ...bucket,
    groups: [{ id: "a", label: "a", value: "0.000000000" }],
  }));
  for (const buckets of [none, zero]) {
    const { unmount } = render(() => <Chart {...spend} buckets={buckets} />);
    screen.getByText(words);
    expect(screen.queryByText("so far")).toBeNull();
    unmount();
  }
  render(() => <Chart {...spend} />);
  expect(screen.queryByText(words)).toBeNull();
});

test("a line that runs at zero is data", () => {
  const groups = [{ id: "p50", label: "p50", value: "0" }];
  const buckets = spend.buckets.map((bucket) => ({ ...bucket, groups }));
  render(() => <Chart {...spend} kind="lines" unit="ms" buckets={buckets} />);
  expect(screen.queryByText("No data in this period")).toBeNull();
});

test("CHT-3 shapes are colored by theme variables, never by fixed values", () => {
  const { container } = render(() => <Chart {...spend} />);
  const classes = [...container.querySelectorAll("g[data-series]")].map((bar) =>
    bar.getAttribute("class"),
  );
  expect(classes).toHaveLength(2);
  for (const name of classes) expect(name).toMatch(/^fill-\(--series-[1-6]\)$/);
  expect(container.querySelectorAll("[style]")).toHaveLength(0);
  expect(container.innerHTML).not.toMatch(/#[\da-f]{6}/i);
});

test("the legend hides a series and the sums follow", async () => {
  const user = userEvent.setup();
  const { container } = render(() => <Chart {...spend} />);
  const alpha = screen.getByRole("button", { name: "alpha-large $1.0000" });
  expect(alpha.getAttribute("aria-pressed")).toBe("true");
  await user.click(alpha);
  expect(alpha.getAttribute("aria-pressed")).toBe("false");
  expect(container.querySelectorAll("g[data-series]")).toHaveLength(1);
  plot().focus();
  await user.keyboard("{Home}");
  expect(announced()).toBe("Mar 10: $0.10; beta-mini $0.10");
});

test("a drag narrows to the buckets it passed", () => {
  const narrowed: ChartRange[] = [];
  render(() => <Chart {...spend} onNarrow={(range) => narrowed.push(range)} />);
  plot().setPointerCapture = () => undefined;
  const at = (clientX: number) => ({ clientX, button: 0, pointerId: 1, pointerType: "mouse" });
  fireEvent.pointerDown(plot(), at(700));
  fireEvent.pointerMove(plot(), at(400));
  fireEvent.pointerUp(plot(), at(400));
  expect(narrowed).toEqual([{ from: "2026-03-11T00:00:00.000Z", to: "2026-03-13T00:00:00.000Z" }]);
});

test("the running bucket is drawn fainter, and its tip says so far", async () => {
  const user = userEvent.setup();
  const today = new Date().toISOString().slice(0, 10);
  const buckets = [{ at: `${today}T00:00:00.000Z`, groups: [{ id: "a", label: "a", value: "1" }] }];
  const [props, setProps] = createSignal<ChartProps>({ ...spend, buckets });
  const { container } = render(() => <Chart {...props()} />);
  expect(container.querySelector("[data-running]")).not.toBeNull();
  plot().focus();
  await user.keyboard("{Home}");
  expect(announced()).toContain("(so far): $1.00");
  setProps(spend);
  expect(container.querySelector("[data-running]")).toBeNull();
});

test('a line is interrupted wherever there is no data, and its tip says "no data"', async () => {
  const user = userEvent.setup();
  const value = (text: string) => [{ id: "p50", label: "p50", value: text }];
  const buckets = spend.buckets.map(({ at }, index) => ({
    at,
    groups: index === 1 ? [] : value("840"),
  }));
  const { container } = render(() => <Chart {...spend} kind="lines" unit="ms" buckets={buckets} />);
  expect(container.querySelector("g[data-series] path")?.getAttribute("d")).toMatch(/^M.*Z?M/);
  plot().focus();
  await user.keyboard("{Home}");
  expect(announced()).toBe("Mar 10: p50 840 ms");
  await user.keyboard("{ArrowRight}");
  expect(announced()).toBe("Mar 11: p50 no data");
});

test("amounts of the legend and of a tip have one precision each", async () => {
  const user = userEvent.setup();
  const groups = [
    { id: "a", label: "a", value: "0.00296" },
    { id: "b", label: "b", value: "0.003" },
  ];
  const { container } = render(() => (
    <Chart {...spend} buckets={spend.buckets.map(({ at }) => ({ at, groups }))} />
  ));
  screen.getByRole("button", { name: "a $0.0089" });
  screen.getByRole("button", { name: "b $0.0090" });
  plot().focus();
  await user.keyboard("{Home}");
  const tip = [...container.querySelectorAll("dd")].map((cell) => cell.textContent);
  expect(tip).toEqual(["$0.0030", "$0.0030", "$0.0060"]);
});
