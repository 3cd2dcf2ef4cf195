// Which of some days are unlike the others: further from the median than days usually are, and by at least half of it.
// Days before the first use are not counted.
// The median and the median deviation are not moved by the very days they are to find (Iglewicz and Hoaglin, 1993).

export type Unusual = { readonly index: number; readonly usual: bigint };

/** The modified z-score beyond which a value is an outlier: 3.5 standard deviations of 1.4826 median deviations. */
const deviationsTimes10000 = 51_891n;
const daysMin = 7;
const weekDays = 7;
/** With so many, weekends are compared with weekends. */
const weeksMin = 3;

/**
 * `isLastRunning`: the last day is not over, so it can only be found unusually high. The furthest from usual first.
 */
export function findUnusual(all: readonly bigint[], isLastRunning: boolean): readonly Unusual[] {
  const first = all.findIndex((value) => value > 0n);
  const values = first < 0 ? [] : all.slice(first);
  const complete = isLastRunning ? values.slice(0, -1) : values;
  // An account that is used on few of its days has no usual day.
  if (complete.length < daysMin || medianOf(complete) === 0n) return [];
  const usualAt = usualOf(complete);
  const deviation = medianOf(complete.map((value, index) => distance(value, usualAt(index))));
  const isUnusual = (value: bigint, index: number) => {
    const usual = usualAt(index);
    if (index >= complete.length && value <= usual) return false;
    const away = distance(value, usual);
    return away > 0n && away * 10_000n > deviation * deviationsTimes10000 && away * 2n >= usual;
  };
  return values
    .map((value, index) => ({ index, value, usual: usualAt(index) }))
    .filter(({ value, index }) => isUnusual(value, index))
    .sort((one, other) =>
      compare(distance(other.value, other.usual), distance(one.value, one.usual)),
    )
    .map(({ index, usual }) => ({ index: first + index, usual }));
}

/** The usual value of each of some days: the median, of the same day of the week where there are enough weeks. */
export function usualOf(values: readonly bigint[]): (index: number) => bigint {
  const step = values.length >= weeksMin * weekDays ? weekDays : 1;
  const medians = Array.from({ length: step }, (_, first) =>
    medianOf(values.filter((_, index) => index % step === first)),
  );
  return (index) => medians[index % step] ?? 0n;
}

/** The lower one of two in the middle. */
export function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted(compare);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
