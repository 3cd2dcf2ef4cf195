// The figures of a soak as lines of text: one for each round, and a table at the end.
import type { FaultCounts } from "./cause-faults.ts";
import type { Instance, Sample } from "./instance.ts";
import type { Violation } from "./judge-calls.ts";
import type { MadeCall } from "./make-calls.ts";

export type Figures = {
  calls: number;
  /** By `complete`, `left`, `cut`, and `refused` with its status and code. */
  readonly outcomes: Map<string, number>;
  readonly faults: FaultCounts;
  readonly violations: Violation[];
};

export function countOutcomes(figures: Figures, made: readonly MadeCall[]): void {
  figures.calls += made.length;
  for (const { outcome } of made) {
    const name =
      outcome.kind === "refused" ? `refused ${outcome.status} ${outcome.code}` : outcome.kind;
    figures.outcomes.set(name, (figures.outcomes.get(name) ?? 0) + 1);
  }
}

const megabytes = ({ rssBytes }: Sample) => Math.round(rssBytes / 2 ** 20);

/** Memory and descriptors of its process: first and now, in the quiet after a round. */
export function describeInstance({ name, samples }: Instance): string {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return `${name}: not sampled`;
  const memory = `${megabytes(first)} → ${megabytes(last)} MiB`;
  return `${name}: ${memory}, ${first.descriptors} → ${last.descriptors} descriptors`;
}

export function describeRound(
  round: number,
  figures: Figures,
  instances: readonly Instance[],
): string {
  const faults = Object.values(figures.faults).reduce((sum, count) => sum + count, 0);
  const complete = figures.outcomes.get("complete") ?? 0;
  return [
    `${new Date().toISOString().slice(11, 19)} round ${round}: ${figures.calls} calls`,
    `${complete} complete, ${faults} faults, ${figures.violations.length} violations`,
    ...instances.map(describeInstance),
  ].join("; ");
}

export function describeViolation({ promise, detail }: Violation): string {
  return `NOT KEPT: ${promise}: ${detail}`;
}

export function describeSoak(figures: Figures, seconds: number): string {
  const counts = [...figures.outcomes].toSorted(([, a], [, b]) => b - a);
  const rows = [
    ["calls", figures.calls],
    ["calls a second", Math.round(figures.calls / seconds)],
    ...counts.map(([name, count]) => [`  ${name}`, count]),
    ...Object.entries(figures.faults),
    ["violations", figures.violations.length],
  ];
  return rows
    .map(([name, count]) => `${String(name).padEnd(44)}${String(count).padStart(10)}`)
    .join("\n");
}
