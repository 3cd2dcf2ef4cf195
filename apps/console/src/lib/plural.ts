// Counts of things in texts, which stand beside their markup, in English: one and other are all the forms there are.
import { formatCount } from "./format.ts";

/** `one` for a count of exactly one, otherwise `other`. */
export const plural = (count: number | string, one: string, other: string): string =>
  Number(count) === 1 ? one : other;

/** `1 model`, `12 models`. */
export const counted = (count: number, one: string, other = `${one}s`): string =>
  `${formatCount(count)} ${plural(count, one, other)}`;
