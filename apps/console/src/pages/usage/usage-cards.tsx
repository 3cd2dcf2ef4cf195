// The headline figures of the range, each with its change against the period before.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { formatChange, formatCount, formatDuration, formatShare } from "../../lib/format.ts";
import { namesOf } from "../../lib/names-of.ts";
import { Figure, Money, Tokens } from "../../ui/figures/figures.tsx";
import { FigureCard } from "../../ui/layout/card.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import type { Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type Cards = Usage["cards"];

const gridClass = "grid grid-cols-2 gap-3 lg:grid-cols-4";

export function UsageCards(props: { usage: Usage; view: UsageView }): JSX.Element {
  const cards = () => props.usage.cards;
  /** Undefined until the comparison is on and loaded. */
  const before = () => props.usage.previous ?? undefined;
  const change = (read: (of: Cards) => number) => {
    const then = before();
    if (then === undefined || read(then) === 0) return "";
    return `${formatChange(read(cards()), read(then))} vs. previous`;
  };
  const changeOrNone = (read: (of: Cards) => number) =>
    change(read) || (before()?.requests === 0 ? "no prior data" : "");
  return (
    <div class={gridClass}>
      <FigureCard label="Spend" note={changeOrNone(({ costUsd }) => Number(costUsd))}>
        <Money usd={cards().costUsd} kind="sum" />
      </FigureCard>
      <FigureCard
        label="Requests"
        href={props.view.logsHref()}
        note={changeOrNone(({ requests }) => requests)}
      >
        <Figure>{formatCount(cards().requests)}</Figure>
      </FigureCard>
      <For each={namesOf(tokenCards)}>
        {(name) => (
          <FigureCard label={tokenCards[name]} note={change((of) => of[name])}>
            <Tokens count={cards()[name]} compact />
          </FigureCard>
        )}
      </For>
      <For each={measured}>
        {([label, print, logsFilter]) => {
          /** No comparison with a period without requests. */
          const past = () => {
            const then = before();
            return then?.requests ? print(then) : "";
          };
          return (
            <FigureCard
              label={label}
              href={logsFilter && props.view.logsHref(logsFilter)}
              note={past() && `previously ${past()}`}
            >
              {print(cards())}
            </FigureCard>
          );
        }}
      </For>
    </div>
  );
}

const tokenCards = {
  promptTokens: "Input tokens",
  completionTokens: "Output tokens",
  cachedTokens: "Cached input tokens",
} as const;

type Measured = readonly [
  label: string,
  print: (of: Cards) => string,
  /** Which requests it leads to. */
  logsFilter?: Readonly<Record<string, string>>,
];

const measured: readonly Measured[] = [
  ["Error rate", ({ errorRate }) => formatShare(errorRate), { status: "failed" }],
  [
    "Latency p50 / p95",
    ({ p50Ms, p95Ms }) => `${formatDuration(p50Ms)} / ${formatDuration(p95Ms)}`,
  ],
  ["Time to first token", ({ firstTokenP50Ms }) => formatDuration(firstTokenP50Ms)],
];

export function CardsSkeleton(): JSX.Element {
  return (
    <div class={gridClass}>
      {Array.from({ length: 8 }, () => (
        <div class="rounded-card border border-border px-4 py-3.5">
          <Skeleton class="h-5 w-24" />
          <Skeleton class="mt-1 h-[25px] w-20 lg:h-[35px]" />
          <div class="mt-0.5 min-h-[1.3rem]" />
        </div>
      ))}
    </div>
  );
}
