import { expect, test } from "bun:test";
import { tell } from "./tell-results.ts";

test("what a flood of logins does to /v1 is told as a ratio, with the raised throttles", () => {
  const told = tell({
    machine: {
      cores: 2,
      processor: "",
      system: "",
      bun: "",
      postgres: "",
      fsync: "on",
      synchronousCommit: "on",
      commitMs: 1,
    },
    seconds: 1,
    streams: 1,
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
    books: {
      calls: 1,
      expectedNanos: "1",
      settled: 1,
      chargedNanos: "1",
      spentNanos: "1",
      heldNanos: "0",
      violations: 0,
      proven: true,
    },
    aims: [],
  });
  expect(told).toMatch(/\| alone \| while 1000 logins are hashed \|/);
  expect(told).toMatch(/\| p99, ms +\| +20\.00 \| +50\.00 \| +2\.50 \|/);
  expect(told).toContain("took 50.0 s, 20 a second, 32 under way at any time; the throttles were");
});
