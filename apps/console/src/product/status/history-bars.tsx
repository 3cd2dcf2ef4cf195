// Ninety days as bars, and the same as a sentence for who cannot see them.
import type { JSX } from "solid-js";
import { createMemo, For } from "solid-js";
import { formatDay, formatShare, nextDay } from "../../lib/format.ts";

type BarsProps = {
  name: string;
  from: string;
  overall: number | null;
  availability: readonly (number | null)[];
};

const barWidth = 10;
const barGap = 3;
const height = 32;

export function HistoryBars(props: BarsProps): JSX.Element {
  const days = createMemo(() => {
    let day = props.from;
    return props.availability.map((share) => {
      const shown = { day, share };
      day = nextDay(day);
      return shown;
    });
  });
  const label = () => {
    const known = days().flatMap(({ day, share }) => (share === null ? [] : [{ day, share }]));
    const [worst] = known.toSorted((a, b) => a.share - b.share);
    if (worst === undefined || props.overall === null) {
      return `${props.name}: too few requests to say.`;
    }
    const day = `${formatDay(worst.day)}, ${formatShare(worst.share)}`;
    return `${props.name}: ${formatShare(props.overall)} of requests answered in 90 days. Worst day: ${day}.`;
  };
  return (
    <svg
      role="img"
      aria-label={label()}
      viewBox={`0 0 ${days().length * barWidth - barGap} ${height}`}
      preserveAspectRatio="none"
      class="h-8 w-full"
    >
      <For each={days()}>
        {({ day, share }, index) => (
          <rect
            x={index() * barWidth}
            y={0}
            width={barWidth - barGap}
            height={height}
            rx={1.5}
            class={fillOf(share)}
          >
            <title>
              {share === null
                ? `${formatDay(day)}: too few requests`
                : `${formatDay(day)}: ${formatShare(share)}`}
            </title>
          </rect>
        )}
      </For>
    </svg>
  );
}

const goodShare = 0.999;
const fairShare = 0.97;

function fillOf(share: number | null): string {
  if (share === null) return "fill-neutral-tint";
  if (share >= goodShare) return "fill-success";
  return share >= fairShare ? "fill-warning" : "fill-danger";
}
