// Figures for tests of reports: a machine, its books, and rows of two sides.
import type { LoadRowName } from "./bench-options.ts";
import type { Row } from "./record-run.ts";

export const machine = {
  cores: 2,
  processor: "",
  system: "",
  bun: "",
  postgres: "",
  fsync: "on",
  synchronousCommit: "on",
  commitMs: 1,
};

export const books = {
  calls: 1,
  expectedNanos: "1",
  settled: 1,
  chargedNanos: "1",
  spentNanos: "1",
  heldNanos: "0",
  violations: 0,
  unknownCalls: 0,
  proven: true,
};

export function loadFigures(requestsPerSecond: number) {
  return {
    requestsPerSecond,
    p50Ms: 1000 / requestsPerSecond,
    p99Ms: 1,
    firstByteP50Ms: 1,
    cpuMicroseconds: { turnpike: 10, postgres: 5 },
  };
}

/** The bare proxy answers 1,000 calls a second. */
export function loadRow(name: LoadRowName, requestsPerSecond: number): Row {
  return {
    name,
    load: [
      { side: "bare", title: "bare proxy", figures: loadFigures(1000) },
      { side: "turnpike", title: "Turnpike", figures: loadFigures(requestsPerSecond) },
    ],
  };
}
