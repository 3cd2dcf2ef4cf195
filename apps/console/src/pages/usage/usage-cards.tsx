// The headline figures of the range, each with its change against the period before.
import type { JSX } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatChange, formatCount, formatDuration, formatShare } from "../../lib/format.ts";
import { FigureCard } from "../../ui/card.tsx";
import { Money, Tokens } from "../../ui/figures.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { UsageView } from "./use-usage-view.ts";

export type Usage = Answers["usage"]["read"];
type Figure = "requests" | "promptTokens" | "completionTokens" | "cachedTokens";

const gridClass = "grid grid-cols-2 gap-3 lg:grid-cols-4";

export function UsageCards(props: { usage: Usage; view: UsageView }): JSX.Element {
  const cards = () => props.usage.cards;
  const before = () => props.usage.previous ?? undefined;
  const change = (now: number, then: number | undefined) => {
    if (then === undefined || then === 0) return "";
    return `${formatChange(now, then)} vs. previous`;
  };
  const ofCount = (name: Figure) => change(cards()[name], before()?.[name]);
  /** Shown once the comparison is on and loaded. */
  const nothingBefore = () => (before()?.requests === 0 ? "no prior data" : "");
  const was = (text: string | undefined) => (text ? `previously ${text}` : "");
  const latency = (of: Usage["cards"]) =>
    `${formatDuration(of.p50Ms)} / ${formatDuration(of.p95Ms)}`;
  /** No comparison with a period without requests. */
  const past = () => (before()?.requests ? before() : undefined);
  const pastText = (print: (of: Usage["cards"]) => string) => {
    const of = past();
    return was(of && print(of));
  };
  return (
    <div class={gridClass}>
      <FigureCard
        label="Spend"
        note={change(Number(cards().costUsd), Number(before()?.costUsd ?? 0)) || nothingBefore()}
      >
        <Money usd={cards().costUsd} kind="sum" />
      </FigureCard>
      <FigureCard
        label="Requests"
        href={props.view.logsHref()}
        note={ofCount("requests") || nothingBefore()}
      >
        {formatCount(cards().requests)}
      </FigureCard>
      <FigureCard label="Input tokens" note={ofCount("promptTokens")}>
        <Tokens count={cards().promptTokens} compact />
      </FigureCard>
      <FigureCard label="Output tokens" note={ofCount("completionTokens")}>
        <Tokens count={cards().completionTokens} compact />
      </FigureCard>
      <FigureCard label="Cached input tokens" note={ofCount("cachedTokens")}>
        <Tokens count={cards().cachedTokens} compact />
      </FigureCard>
      <FigureCard label="Error rate" note={pastText((of) => formatShare(of.errorRate))}>
        {formatShare(cards().errorRate)}
      </FigureCard>
      <FigureCard label="Latency p50 / p95" note={pastText(latency)}>
        {latency(cards())}
      </FigureCard>
      <FigureCard
        label="Time to first token"
        note={pastText((of) => formatDuration(of.firstTokenP50Ms))}
      >
        {formatDuration(cards().firstTokenP50Ms)}
      </FigureCard>
    </div>
  );
}

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
