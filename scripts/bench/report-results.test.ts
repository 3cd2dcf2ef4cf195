import { expect, test } from "bun:test";
import { compareAims } from "./compare-aims.ts";
import { reportResults } from "./report-results.ts";

const machine = {
  cores: 2,
  processor: "",
  system: "",
  bun: "",
  postgres: "",
  fsync: "on",
  synchronousCommit: "on",
  commitMs: 1,
};
const books = {
  calls: 1,
  expectedNanos: "1",
  settled: 1,
  chargedNanos: "1",
  spentNanos: "1",
  heldNanos: "0",
  violations: 0,
  proven: true,
};

test("the effect of a flood of logins on /v1 is reported as a ratio, with the raised throttles", () => {
  const told = reportResults({
    machine,
    seconds: 1,
    accounts: 1,
    rows: [
      {
        name: "logins",
        logins: {
          alone: { requestsPerSecond: 1000, p50Ms: 10, p99Ms: 20 },
          besideLogins: { requestsPerSecond: 750, p50Ms: 12, p99Ms: 50 },
          logins: 1000,
          atOnce: 32,
          loginsPerSecond: 20,
        },
      },
    ],
    books,
    skipped: [],
    walBytesPerCall: 901,
    aims: [],
  });
  expect(told).toMatch(/\| alone \| while 1000 logins are hashed \|/);
  expect(told).toMatch(/\| p99, ms +\| +20\.00 \| +50\.00 \| +2\.50 \|/);
  expect(told).toContain("took 50.0 s, 20 a second, 32 under way at any time; the throttles were");
});

test("every side is shown as a ratio to the bare proxy, a peer that broke as failed", () => {
  const figures = (requestsPerSecond: number) => ({
    requestsPerSecond,
    p50Ms: 1000 / requestsPerSecond,
    p99Ms: 1,
    firstByteP50Ms: 1,
    cpuMicroseconds: { turnpike: 10, postgres: 5 },
  });
  const told = reportResults({
    machine,
    seconds: 1,
    accounts: 1,
    rows: [
      {
        name: "whole-64",
        load: [
          { side: "bare", title: "bare proxy", figures: figures(1000) },
          { side: "turnpike", title: "Turnpike", figures: figures(400) },
          { side: "litellm", title: "LiteLLM", figures: { failed: "an answer was\n500" } },
        ],
      },
      { name: "wrk-64", skipped: "wrk is not installed" },
    ],
    skipped: [{ title: "GoModel", why: "go is not installed" }],
    books,
    walBytesPerCall: 901,
    aims: [],
  });
  expect(told).toMatch(/requests\/s \| +1000 \| +0\.40 × \| +failed \|/);
  expect(told).toMatch(/p50, ms \| +1\.00 \| +2\.50 × \| +failed \|/);
  expect(told).toContain("- GoModel skipped: go is not installed");
  expect(told).toContain("- Row wrk-64 skipped: wrk is not installed.");
  expect(told).toContain("- LiteLLM failed in whole-64: an answer was 500");
});

test("the aims compare with the bare proxy and with the peers of the same run", () => {
  const figures = (requestsPerSecond: number, cpuMicroseconds: Record<string, number>) => ({
    requestsPerSecond,
    p50Ms: 1,
    p99Ms: 1,
    firstByteP50Ms: 1,
    cpuMicroseconds,
  });
  const aims = compareAims(
    [
      {
        name: "whole-64",
        load: [
          { side: "bare", title: "", figures: figures(1000, { bare: 50 }) },
          { side: "turnpike", title: "", figures: figures(400, { turnpike: 151, postgres: 70 }) },
          { side: "litellm", title: "", figures: figures(11, {}) },
          { side: "portkey-bun", title: "", figures: { failed: "broke" } },
        ],
      },
    ],
    machine,
  );
  expect(aims.map(({ name, met }) => [name, met])).toEqual([
    ["requests/s at 64 connections", true],
    ["PostgreSQL's CPU per call / the bare proxy's", true],
    ["the gateway's CPU per call / the bare proxy's", false],
    ["requests/s at 64 connections / litellm", false],
  ]);
});

test("the time of a call at one connection is compared with a durable commit and with a peer", () => {
  const figures = (p50Ms: number) => ({
    requestsPerSecond: 1000,
    p50Ms,
    p99Ms: 1,
    firstByteP50Ms: 1,
    cpuMicroseconds: {},
  });
  const compare = (p50Ms: number) =>
    compareAims(
      [
        {
          name: "whole-1",
          load: [
            { side: "bare", title: "", figures: figures(0.25) },
            { side: "turnpike", title: "", figures: figures(p50Ms) },
            { side: "portkey-bun", title: "", figures: figures(1.7) },
          ],
        },
      ],
      machine,
    ).map(({ name, measured, met }) => [name, measured, met]);
  // The machine's commit takes 1 ms.
  expect(compare(1.75)).toEqual([
    ["p50 added at 1 connection", 1.5, true],
    ["p50 at 1 connection / portkey-bun", 1.75 / 1.7, false],
  ]);
  expect(compare(1.875)[0]).toEqual(["p50 added at 1 connection", 1.625, false]);
});
