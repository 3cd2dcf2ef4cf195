import { expect, test } from "bun:test";
import { addDecimals } from "@turnpike/terms";
import { axisOf } from "./axis.ts";
import { type ChartBucket, seriesOf, sumOf } from "./chart-series.ts";

const bucket = (values: Readonly<Record<string, string>>): ChartBucket => ({
  at: "2026-03-10T00:00:00.000Z",
  groups: Object.entries(values).map(([id, value]) => ({ id, label: id, value })),
});

test("six series and Other, the largest first, and nothing is lost", () => {
  const names = "abcdefghi".split("");
  const values = Object.fromEntries(names.map((name, index) => [name, `0.00000000${index + 1}`]));
  const series = seriesOf([bucket(values)]);
  expect(series.map((one) => one.label)).toEqual(["i", "h", "g", "f", "e", "d", "Other"]);
  expect(series.at(-1)).toMatchObject({ color: "other", total: "0.000000006" });
  expect(sumOf(series.map((one) => one.total))).toBe(addDecimals(Object.values(values)));
  expect(new Set(series.map((one) => one.color)).size).toBe(7);
});

test("a seventh series keeps its name: it is not folded alone", () => {
  const values = Object.fromEntries("abcdefg".split("").map((name, at) => [name, String(9 - at)]));
  const last = seriesOf([bucket(values)]).at(-1);
  expect(last).toMatchObject({ id: "g", label: "g", color: "other", total: "3" });
});

test("the brand color comes first, and the reds that look like errors come last", () => {
  const values = { lead: "9", second: "8", third: "7", fourth: "6", fifth: "5", sixth: "4" };
  const colors = seriesOf([bucket(values)]).map((one) => one.color);
  expect(colors).toEqual([1, 2, 3, 5, 4, 6]);
  expect(seriesOf([bucket({ only: "1" })])[0]?.color).toBe(1);
});

test("a name keeps its color when others are removed", () => {
  const all = seriesOf([bucket({ one: "3", two: "2", three: "1" })]);
  const colorOf = (id: string) => all.find((series) => series.id === id)?.color;
  for (const id of ["one", "two", "three"]) {
    expect(seriesOf([bucket({ [id]: "1" })])[0]?.color).toBe(colorOf(id) ?? "other");
  }
});

test.each([
  ["usd", 0, ["$0.00"]],
  ["usd", 0.00031, ["$0.00", "$0.0001", "$0.0002", "$0.0003", "$0.0004"]],
  ["usd", 0.0128, ["$0.00", "$0.005", "$0.010", "$0.015"]],
  ["usd", 18.2, ["$0.00", "$5.00", "$10.00", "$15.00", "$20.00"]],
  ["count", 1, ["0", "1"]],
  ["count", 1_234_567, ["0", "500K", "1M", "1.5M"]],
  ["ms", 1_900, ["0 ms", "500 ms", "1 s", "1.5 s", "2 s"]],
] as const)("the axis of %s up to %d starts at zero with nice ticks", (unit, largest, labels) => {
  const axis = axisOf(unit, largest);
  expect(axis.ticks.map((tick) => tick.label)).toEqual([...labels]);
  expect(axis.top).toBeGreaterThanOrEqual(largest);
});

test("no axis has more than five ticks", () => {
  for (let largest = 0.000001; largest < 1e9; largest *= 1.17) {
    for (const unit of ["usd", "count", "ms"] as const) {
      const { ticks, top } = axisOf(unit, largest);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks[0]?.value).toBe(0);
      expect(top).toBeGreaterThanOrEqual(largest);
    }
  }
});
