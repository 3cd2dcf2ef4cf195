import { expect, test } from "bun:test";
import {
  formatChange,
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  formatSpeed,
  formatWait,
} from "./count.ts";

test("FMT-1 tokens have thousands separators, and are compact only if requested", () => {
  expect([0, 12345, -7, 10 ** 12].map(formatCount)).toEqual([
    "0",
    "12,345",
    "−7",
    "1,000,000,000,000",
  ]);
  expect([0, 999, 16_384, 131_072, 1_234_567, 10 ** 12].map(formatCompact)).toEqual([
    "0",
    "999",
    "16.4K",
    "131K",
    "1.2M",
    "1T",
  ]);
});

test("FMT-1 no data is a dash, never zero or NaN", () => {
  for (const nothing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(formatCount(nothing)).toBe("—");
    expect(formatShare(nothing)).toBe("—");
    expect(formatDuration(nothing)).toBe("—");
    expect(formatSpeed(10, nothing)).toBe("—");
  }
  expect(formatChange(3, 0)).toBe("—");
  expect(formatSpeed(10, 0)).toBe("—");
});

test("FMT-1 durations read as people say them, across every boundary", () => {
  const shown = [
    0, 0.04, 0.65, 0.97, 1.4, 840, 999.4, 999.6, 1240, 59_994, 59_996, 72_000, 3_599_999, 3_600_000,
    7_500_000,
  ];
  expect(shown.map(formatDuration)).toEqual([
    "0 ms",
    "<0.1 ms",
    "0.7 ms",
    "1 ms",
    "1 ms",
    "840 ms",
    "999 ms",
    "1.00 s",
    "1.24 s",
    "59.99 s",
    "1 min",
    "1 min 12 s",
    "1 h",
    "1 h",
    "2 h 5 min",
  ]);
  expect(formatDuration(-840)).toBe("−840 ms");
});

test("a wait is in whole seconds, and from a minute on in minutes", () => {
  expect([0, 0.2, 41.1, 59, 60, 495.3, 3600].map(formatWait)).toEqual([
    "1 s",
    "1 s",
    "42 s",
    "59 s",
    "1 min",
    "8 min 16 s",
    "1 h",
  ]);
});

test("FMT-1 shares have one decimal; a tiny share is not zero and almost all is not all", () => {
  expect([0, 0.0004, 0.001, 0.5, 0.9994, 0.9999, 1].map(formatShare)).toEqual([
    "0.0%",
    "<0.1%",
    "0.1%",
    "50.0%",
    "99.9%",
    ">99.9%",
    "100.0%",
  ]);
});

test("changes carry their sign, speeds their unit", () => {
  expect(formatChange(112, 100)).toBe("+12.0%");
  expect(formatChange(96.6, 100)).toBe("−3.4%");
  expect(formatSpeed(86, 1000)).toBe("86 tok/s");
  expect(formatSpeed(3, 1000)).toBe("3 tok/s");
  expect(formatSpeed(33, 10_000)).toBe("3.3 tok/s");
});
