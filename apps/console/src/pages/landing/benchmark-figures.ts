// What the landing page and the docs say of measured speed. Each figure is that of a row of `docs/benchmarks.md`, which
// `bun run bench --write` measures; a test compares them.

export const benchmarkFigures = [
  {
    row: "p50 added at 1 connection",
    value: "0.65 ms",
    text: "added to a request, with its cost reserved before it and its charge on disk after it",
  },
  {
    row: "requests/s at 64 connections / litellm",
    value: "82.63 ×",
    text: "the throughput of LiteLLM's proxy, which records no charges",
  },
  {
    row: "requests/s at 64 connections / portkey-bun",
    value: "0.79 ×",
    text: "the throughput of Portkey on Bun, the fastest gateway compared, which records no charges either",
  },
] as const;
