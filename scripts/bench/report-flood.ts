// The table of a flood, as Markdown.
import type { FloodFigures, Percentiles } from "./measure-flood.ts";

/** One line per figure, one column per flood. */
export function reportFloods(floods: readonly FloodFigures[]): readonly (readonly string[])[] {
  const line = (name: string, read: (figures: FloodFigures) => string) => [
    name,
    ...floods.map(read),
  ];
  const share = (value: number) => `${(value * 100).toFixed(1)} %`;
  const spread = ({ p50Ms, p99Ms }: Percentiles) => `${p50Ms.toFixed(0)} / ${p99Ms.toFixed(0)}`;
  return [
    ["a flood of 5 × the capacity", ...floods.map(({ title }) => title)],
    line("capacity before / after, calls/s", ({ capacityBefore, capacityAfter }) =>
      [capacityBefore, capacityAfter].map((value) => value.toFixed(0)).join(" / "),
    ),
    line("arrivals, calls/s", ({ arrivalsPerSecond }) => arrivalsPerSecond.toFixed(0)),
    line("answered meanwhile, calls/s", ({ goodput }) => goodput.toFixed(0)),
    line("the same / capacity", ({ goodputShare }) => share(goodputShare)),
    line("admitted", ({ admittedShare }) => share(admittedShare)),
    line("refused with 429 or 503", ({ refusedShare }) => share(refusedShare)),
    line("not sent for lack of a connection", ({ unsentShare }) => share(unsentShare)),
    line("broken connections", ({ broken }) => String(broken)),
    line("refusals without Retry-After", (figures) => String(figures.refusalsWithoutRetryAfter)),
    line("refused after, p50 / p99 ms", ({ refused }) => spread(refused)),
    line("the same, after the first 2 s", ({ refusedLater }) => spread(refusedLater)),
    line("by a server that refuses all, p50 / p99 ms", ({ refusedByRefuser }) =>
      spread(refusedByRefuser),
    ),
    line("admitted: first byte after, p50 / p99 ms", ({ firstByte }) => spread(firstByte)),
    line("admitted: ended after, p50 / p99 ms", ({ admitted }) => spread(admitted)),
    line("the generator was late by, p50 / p99 ms", ({ lateness }) => spread(lateness)),
  ];
}
