import { expect, test } from "bun:test";
import { compareAims } from "./compare-aims.ts";
import { reportResults } from "./report-results.ts";
import { books, loadFigures, loadRow, machine } from "./rows.fixture.ts";

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
    problems: [],
    walBytesPerCall: 901,
    aims: [],
  });
  expect(told).toMatch(/\| alone \| while 1000 logins are hashed \|/);
  expect(told).toMatch(/\| p99, ms +\| +20\.00 \| +50\.00 \| +2\.50 \|/);
  expect(told).toContain("took 50.0 s, 20 a second, 32 under way at any time; the throttles were");
});

test("every side is shown as a ratio to the bare proxy, a peer that broke as failed", () => {
  const told = reportResults({
    machine,
    seconds: 1,
    accounts: 1,
    rows: [
      {
        name: "whole-64",
        load: [
          { side: "bare", title: "bare proxy", figures: loadFigures(1000) },
          { side: "turnpike", title: "Turnpike", figures: loadFigures(400) },
          { side: "litellm", title: "LiteLLM", figures: { failed: "an answer was\n500" } },
        ],
      },
      { name: "wrk-64", skipped: "wrk is not installed" },
    ],
    skipped: [{ title: "GoModel", why: "go is not installed" }],
    problems: [],
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
          { side: "turnpike", title: "", figures: figures(400, { turnpike: 176, postgres: 60 }) },
          { side: "litellm", title: "", figures: figures(11, {}) },
          { side: "gomodel", title: "", figures: figures(200, {}) },
          { side: "portkey-bun", title: "", figures: { failed: "broke" } },
        ],
      },
      {
        name: "cold-keys",
        load: [
          { side: "bare", title: "", figures: figures(1000, {}) },
          { side: "turnpike", title: "", figures: figures(199, {}) },
        ],
      },
    ],
    machine,
  );
  expect(aims.map(({ name, met }) => [name, met])).toEqual([
    ["requests/s at 64 connections", true],
    ["PostgreSQL's CPU per call / the bare proxy's", true],
    ["the gateway's CPU per call / the bare proxy's", false],
    ["requests/s at 64 connections / gomodel", true],
    ["requests/s at 64 connections / litellm", false],
    ["requests/s with 100,000 keys in turn", false],
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

const run = { machine, seconds: 1, accounts: 1, skipped: [], problems: [], walBytesPerCall: 901 };

test("a row that failed is in the table with its reason, in full below it, beside the others", () => {
  const reason = `Turnpike ended with 1:\n${"a long | reason ".repeat(10)}`;
  const rows = [loadRow("whole-16", 400), { name: "whole-64", failed: reason }] as const;
  const told = reportResults({ ...run, rows, books, aims: compareAims(rows, machine) });
  expect(told).toMatch(/\| whole answers, 16 connections +\| +requests\/s \| +1000 \| +0\.40 × \|/);
  expect(told).toMatch(
    /\| whole answers, 64 connections +\| failed: Turnpike ended with 1: a long \\\| reason .*… \| +\| +\|/,
  );
  expect(told).toContain(
    `- Row whole-64 failed: Turnpike ended with 1: ${"a long | reason ".repeat(10).trim()}`,
  );
});

test("a row that is not a row of calls is in the table by its name when it failed", () => {
  const rows = [{ name: "flood", failed: "the upstream did not start" }] as const;
  const told = reportResults({ ...run, rows, books, aims: [] });
  expect(told).toMatch(/\| flood \| failed: the upstream did not start \|/);
});

test("a row with few failed streams has its figures, and says how many failed and why", () => {
  const figures = { eventsPerSecond: 50_000, cpuMicrosecondsPerEvent: 10, bytesPerStream: 10_240 };
  const failures = "3 of 10000 streams failed: 3 × an answer was HTTP/1.1 503";
  const told = reportResults({
    ...run,
    rows: [
      {
        name: "streams-5000",
        streams: [
          { side: "bare", title: "bare proxy", figures },
          { side: "turnpike", title: "Turnpike", figures, failures },
        ],
      },
    ],
    books,
    aims: [],
  });
  expect(told).toMatch(/events\/s \| +50000 \| +1\.00 × \|/);
  expect(told).toContain(
    `- Turnpike in streams-5000: ${failures}; the figures are those of the others`,
  );
});

test("a page that failed is shown beside the pages that were read", () => {
  const reports = {
    calls: 1,
    desk: [],
    accountBytes: 1,
    rollUpSeconds: 1,
    rolledRows: 1,
    requestBytes: 1,
    rolledBytes: 1,
    pages: [
      { page: "Overview", p50Ms: 5, p95Ms: 7 },
      { page: "Logs", failed: "a timeout" },
    ],
  };
  const told = reportResults({ ...run, rows: [{ name: "reports", reports }], books, aims: [] });
  expect(told).toContain("| Overview | 5 | 7 |");
  expect(told).toContain("| Logs | failed | failed |");
  expect(told).toContain("- Page Logs failed in reports: a timeout");
});

test("books that lack only the price of calls that broke off are not called wrong", () => {
  const report = (changed: object) =>
    reportResults({ ...run, rows: [], books: { ...books, proven: false, ...changed }, aims: [] });
  const broken = { unknownCalls: 2, settled: 2, chargedNanos: "2", spentNanos: "2" };
  expect(report(broken)).toContain("not proven, because 2 calls broke off");
  expect(report({ ...broken, settled: 4 })).toContain("WRONG");
  expect(report({ ...broken, spentNanos: "3" })).toContain("WRONG");
  expect(report({ ...broken, heldNanos: "1" })).toContain("WRONG");
  expect(report({ ...broken, violations: 1 })).toContain("WRONG");
  expect(report({ chargedNanos: "2", spentNanos: "2" })).toContain("WRONG");
});
