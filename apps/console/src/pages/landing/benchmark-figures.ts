// What the landing page and the docs say of measured speed. Each figure is that of a row of `docs/benchmarks.md`, which
// `bun run bench --write` measures; a test compares them.

export const addedTime = { row: "p50 added at 1 connection", value: "2.03 ms" } as const;

/** With other gateways, where we are behind too. */
export const comparedFigures = [
  {
    row: "requests/s at 64 connections / portkey-node",
    value: "7.10 ×",
    text: "the requests per second of Portkey's gateway on Node",
  },
  {
    row: "requests/s at 64 connections / portkey-bun",
    value: "1.11 ×",
    text: "those of Portkey's gateway on Bun",
  },
  {
    row: "p50 at 1 connection / portkey-bun",
    value: "3.32 ×",
    text: "the time of a single request through Portkey's gateway on Bun: here we are slower",
  },
] as const;
