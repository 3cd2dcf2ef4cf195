// What the landing page and the docs say of measured speed. Each figure is that of a row of `docs/benchmarks.md`, which
// `bun run bench --write` measures; a test compares them.

export const benchmarkFigures = [
  {
    row: "p50 added at 1 connection",
    value: "0.65 ms",
    text: "added to a request, with its money reserved before and its charge on disk after",
  },
  {
    row: "requests/s at 64 connections / litellm",
    value: "82.63 ×",
    text: "the requests per second of LiteLLM's proxy, which writes no charge",
  },
  {
    row: "requests/s at 64 connections / portkey-bun",
    value: "0.79 ×",
    text: "those of the fastest gateway compared, Portkey on Bun, which writes none either",
  },
] as const;
