// Formats counts of what is billed besides tokens: exactly as many as are billed.
import type { Unit, UnitCount } from "@turnpike/terms";
import { formatCount } from "./count.ts";
import { numberFormat } from "./locale.ts";

const named: Readonly<Record<Unit, (count: number) => string>> = {
  images: (count) => withNoun(count, "image"),
  audioMilliseconds: (count) =>
    `${numberFormat({ maximumFractionDigits: 3 }).format(count / 1_000)} s of audio`,
  characters: (count) => withNoun(count, "character"),
  searchUnits: (count) => withNoun(count, "search unit"),
};

/** `3 images, 1K`, `12.4 s of audio`, `1,200 characters`, `2 search units`. */
export function formatUnitCount({ unit, variant, count }: UnitCount): string {
  const text = named[unit](count);
  return variant === undefined ? text : `${text}, ${variant}`;
}

function withNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
