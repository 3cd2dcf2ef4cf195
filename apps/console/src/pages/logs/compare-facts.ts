// Two requests as rows of a comparison: every fact of either, side by side, and whether it differs.
import { compareDecimals } from "@turnpike/terms";
import { formatDuration, formatExactUsd, formatInstant } from "../../lib/format.ts";
import { explainError } from "../../product/usage/api-errors.ts";
import { workOf } from "./cost-lines.tsx";
import { type Fact, factsOf, known } from "./log-facts.ts";
import { noteOf, outcomeOf } from "./timeline.tsx";
import type { LogDetail } from "./use-log-detail.ts";

export type FactGroup = { readonly title: string; readonly facts: readonly Fact[] };

export type ComparedRow = {
  readonly title: string;
  /** Undefined where only the other request has it. */
  readonly first: string | undefined;
  readonly second: string | undefined;
  readonly differs: boolean;
};

export type ComparedGroup = { readonly title: string; readonly rows: readonly ComparedRow[] };

/** In the order of the first; what only the second has comes last. */
export function compareFacts(first: readonly Fact[], second: readonly Fact[]): ComparedRow[] {
  const [left, right] = [new Map(first), new Map(second)];
  return [...new Set([...left.keys(), ...right.keys()])].map((title) => {
    const [one, other] = [left.get(title), right.get(title)];
    return { title, first: one, second: other, differs: one !== other };
  });
}

/** Both have the same groups, some of them empty. */
export function compareGroups(
  first: readonly FactGroup[],
  second: readonly FactGroup[],
): readonly ComparedGroup[] {
  return first
    .map(({ title, facts }, index) => ({
      title,
      rows: compareFacts(facts, second[index]?.facts ?? []),
    }))
    .filter(({ rows }) => rows.length > 0);
}

export function groupsOf(of: LogDetail, timeZone: string): readonly FactGroup[] {
  return [
    {
      title: "Request",
      facts: [
        ["Time", formatInstant(new Date(of.at), new Date(), timeZone, "millisecond")],
        ["Status", of.outcome === "client_closed" ? `Canceled (${of.status})` : `${of.status}`],
        ...known([["Model", of.model]]),
        ...factsOf(of),
      ],
    },
    { title: "Error", facts: errorOf(of) },
    { title: "Cost", facts: costOf(of) },
    { title: "Duration", facts: durationsOf(of) },
    {
      title: "Attempts",
      facts: of.attempts.map((attempt, index): Fact => {
        const note = noteOf(attempt);
        const text = `${attempt.provider}, ${attempt.model}: ${outcomeOf(attempt)}`;
        return [`Attempt ${index + 1}`, note === undefined ? text : `${text}, ${note}`];
      }),
    },
  ];
}

function errorOf({ errorCode, refusal }: LogDetail): readonly Fact[] {
  return known([
    ["Code", errorCode],
    ["Meaning", errorCode && explainError(errorCode)],
    ["The API answered", refusal?.message],
    ["Field", refusal?.param],
  ]);
}

function costOf(of: LogDetail): readonly Fact[] {
  const lines = of.costLines.map((line): Fact => {
    const work = workOf(line);
    const cost = formatExactUsd(line.costUsd);
    return [line.label, work === undefined ? cost : `${work} = ${cost}`];
  });
  const amount = (usd: string) => (compareDecimals(usd, "0") > 0 ? formatExactUsd(usd) : null);
  return [
    ...lines,
    ["Charged", formatExactUsd(of.chargedUsd)],
    ...known([
      ["Reserved", amount(of.heldUsd)],
      ["Waived over the reserved amount", amount(of.shortfallUsd)],
    ]),
  ];
}

function durationsOf({ overheadMs, firstTokenMs, totalMs }: LogDetail): readonly Fact[] {
  const print = (ms: number | null) => (ms === null ? null : formatDuration(ms));
  return known([
    ["Gateway overhead", print(overheadMs)],
    ["First token", print(firstTokenMs)],
    ["Total", print(totalMs)],
  ]);
}
